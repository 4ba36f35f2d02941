import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { aListing } from '../support/actors.js';
import { beforeTests } from '../support/before-tests.js';
import { sharedService } from '../support/service.js';

interface ErrorBody {
  error: { code: string; message: string; details: { field: string; code: string }[] };
}

const service = beforeTests(sharedService);
const ada = beforeTests(() => service.aDeveloper());

const send = async (
  body: NonNullable<RequestInit['body']>,
  headers: Record<string, string> = {},
  [method, path] = ['POST', '/api/dev/apps'],
) => {
  const response = await fetch(service.url + path, {
    method: method!,
    headers: { authorization: `Bearer ${ada.key}`, 'content-type': 'application/json', ...headers },
    body,
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  });
  return { response, status: response.status, json: (await response.json()) as ErrorBody };
};
const listing = JSON.stringify(aListing());

describe('the body of a request', () => {
  it.each([
    ['truncated', '{"name":'],
    ['with single quotes', "{'name':'x'}"],
    ['a bare word', 'name'],
    ['with a trailing comma', '{"name":"x",}'],
    ['NUL bytes', '\0\0'],
    ['two objects', '{}{}'],
    ['only spaces', '   '],
    ['an array', '[{"name":"x"}]'],
    ['a string', '"name"'],
    ['a number', '7'],
    ['null', 'null'],
    ['true', 'true'],
  ])('is rejected with MALFORMED_JSON if it is %s (D6)', async (_, body) => {
    const { status, json } = await send(body);
    expect(status).toBe(400);
    expect(json).toEqual({
      error: {
        code: 'MALFORMED_JSON',
        message: expect.any(String),
        details: [],
        requestId: expect.any(String),
      },
    });
  });

  it('is rejected with MALFORMED_JSON if it is not UTF-8 (D6)', async () => {
    const bytes = Buffer.concat([
      Buffer.from('{"name":"'),
      Buffer.from([0xc3, 0x28, 0xff]),
      Buffer.from('"}'),
    ]);
    expect((await send(bytes)).json.error.code).toBe('MALFORMED_JSON');
    expect((await send(Buffer.from(listing, 'utf16le'))).json.error.code).toBe('MALFORMED_JSON');
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
    'Application/JSON; charset=utf8',
    'application/json; profile="x"',
    'application/json; profile="x"; charset=utf-8',
  ])('is accepted as %s (D4)', async (type) => {
    expect((await send(listing, { 'content-type': type })).status).toBe(201);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/merge-patch+json',
    'text/json',
    'json',
    'application/json; charset=iso-8859-1',
    'application/json; charset="utf-16"',
    'application/json; profile=x; charset=utf-16',
  ])('is rejected with UNSUPPORTED_MEDIA_TYPE as %s (D4)', async (type) => {
    const { status, json } = await send(listing, { 'content-type': type });
    expect([status, json.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(json.error.details).toEqual([]);
  });

  it('is rejected with UNSUPPORTED_MEDIA_TYPE without a Content-Type (D4)', async () => {
    const { status, json } = await send(new Blob([listing]), { 'content-type': '' });
    expect([status, json.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('may have 256 KiB at most, with or without a Content-Length (D4)', async () => {
    const padded = (bytes: number) => listing.padEnd(bytes);
    expect((await send(padded(256 * 1024))).status).toBe(201);
    const { status, json } = await send(padded(256 * 1024 + 1));
    expect([status, json.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const chunked = new Blob([padded(256 * 1024 + 1)]).stream();
    expect((await send(chunked)).status).toBe(413);
  });

  it('may be compressed; the limit is for the decompressed size (D4)', async () => {
    const gzip = { 'content-encoding': 'gzip' };
    expect((await send(gzipSync(listing), gzip)).status).toBe(201);
    expect((await send(gzipSync(listing.padEnd(10_000_000)), gzip)).status).toBe(413);
  });

  it('is rejected with MALFORMED_JSON if it is not compressed as its header says (D6)', async () => {
    for (const encoding of ['gzip', 'deflate', 'br']) {
      const { status, json } = await send(listing, { 'content-encoding': encoding });
      expect([encoding, status, json.error.code]).toEqual([encoding, 400, 'MALFORMED_JSON']);
    }
    expect((await send(gzipSync(listing).subarray(0, 40), { 'content-encoding': 'gzip' })).status).toBe(400);
  });

  it('is rejected with UNSUPPORTED_MEDIA_TYPE if its compression is not supported (D4)', async () => {
    const { status, json } = await send(listing, { 'content-encoding': 'compress' });
    expect([status, json.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('may start with a byte order mark', async () => {
    expect((await send(`\uFEFF${listing}`)).status).toBe(201);
  });

  it('is rejected with VALIDATION_FAILED if it is empty and fields are required (D6)', async () => {
    for (const [body, type] of [
      ['', 'application/json'],
      ['', 'text/plain'],
      ['{}', 'application/json'],
    ]) {
      const { status, json } = await send(body!, { 'content-type': type! });
      expect([status, json.error.code]).toEqual([400, 'VALIDATION_FAILED']);
      expect(json.error.details.map(({ field }) => field)).toEqual([
        'name',
        'description',
        'category',
        'environment',
      ]);
      expect(new Set(json.error.details.map(({ code }) => code))).toEqual(new Set(['required']));
    }
  });

  it('is ignored by a DELETE (D4)', async () => {
    const { id } = await service.anApp(ada);
    const { status } = await send('{"nonsense', {}, ['DELETE', `/api/dev/apps/${id}`]);
    expect(status).toBe(200);
  });

  it('is rejected if a text has NUL bytes, with the name of the field (D23)', async () => {
    const { status, json } = await send(JSON.stringify(aListing({ name: 'a\0b', longDescription: '\0' })));
    expect(status).toBe(400);
    expect(json.error.details.map(({ field, code }) => `${field}: ${code}`)).toEqual([
      'name: invalid_characters',
      'longDescription: invalid_characters',
    ]);
  });

  it('is rejected if a text has half of a surrogate pair, with the name of the field (D23)', async () => {
    const { status, json } = await send(listing.replace('Time Tracker', 'a\\ud800b'));
    expect(status).toBe(400);
    expect(json.error.details).toMatchObject([{ field: 'name', code: 'invalid_characters' }]);
  });
});
