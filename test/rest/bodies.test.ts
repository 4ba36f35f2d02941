import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type AppJson, aListing, type Developer } from '../support/actors.js';
import { type Service, startService } from '../support/service.js';

interface Refusal {
  error: { code: string; message: string; details: { field: string; code: string }[] };
}

let service: Service;
let ada: Developer;
let draft: AppJson;
beforeAll(async () => {
  service = await startService();
  ada = await service.aDeveloper();
  draft = await service.anApp(ada);
});
afterAll(() => service.close());

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
  return { response, status: response.status, json: (await response.json()) as Refusal & AppJson };
};
const listing = JSON.stringify(aListing());

describe('the body of a request', () => {
  it.each([
    ['cut short', '{"name":'],
    ['with single quotes', "{'name':'x'}"],
    ['a word', 'name'],
    ['with a comma too many', '{"name":"x",}'],
    ['NUL bytes', '\0\0'],
    ['two objects', '{}{}'],
    ['blanks alone', '   '],
    ['an array', '[{"name":"x"}]'],
    ['a string', '"name"'],
    ['a number', '7'],
    ['null', 'null'],
    ['true', 'true'],
  ])('is MALFORMED_JSON when it is %s (D6)', async (_, body) => {
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

  it('is MALFORMED_JSON when it is not UTF-8 (D6)', async () => {
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
  ])('may come as %s (D4)', async (type) => {
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
  ])('is UNSUPPORTED_MEDIA_TYPE as %s (D4)', async (type) => {
    const { status, json } = await send(listing, { 'content-type': type });
    expect([status, json.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
    expect(json.error.details).toEqual([]);
  });

  it('is UNSUPPORTED_MEDIA_TYPE without a Content-Type (D4)', async () => {
    const { status, json } = await send(new Blob([listing]), { 'content-type': '' });
    expect([status, json.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('may have 256 KiB and not a byte more, whether its length is told or not (D4)', async () => {
    const padded = (bytes: number) => listing.padEnd(bytes);
    expect((await send(padded(256 * 1024))).status).toBe(201);
    const { status, json } = await send(padded(256 * 1024 + 1));
    expect([status, json.error.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const chunked = new Blob([padded(256 * 1024 + 1)]).stream();
    expect((await send(chunked)).status).toBe(413);
  });

  it('may be compressed, and is measured unpacked (D4)', async () => {
    const gzip = { 'content-encoding': 'gzip' };
    expect((await send(gzipSync(listing), gzip)).status).toBe(201);
    expect((await send(gzipSync(listing.padEnd(10_000_000)), gzip)).status).toBe(413);
  });

  it('is MALFORMED_JSON when it is not packed as it says (D6)', async () => {
    for (const encoding of ['gzip', 'deflate', 'br']) {
      const { status, json } = await send(listing, { 'content-encoding': encoding });
      expect([encoding, status, json.error.code]).toEqual([encoding, 400, 'MALFORMED_JSON']);
    }
    expect((await send(gzipSync(listing).subarray(0, 40), { 'content-encoding': 'gzip' })).status).toBe(400);
  });

  it('is UNSUPPORTED_MEDIA_TYPE when it is packed in a way that nobody knows (D4)', async () => {
    const { status, json } = await send(listing, { 'content-encoding': 'compress' });
    expect([status, json.error.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('may begin with a byte order mark', async () => {
    expect((await send(`\uFEFF${listing}`)).status).toBe(201);
  });

  it('is VALIDATION_FAILED when it is empty where one is needed (D6)', async () => {
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

  it('is not looked at where none is taken: a DELETE with nonsense (D4)', async () => {
    const { id } = await service.anApp(ada);
    const { status } = await send('{"nonsense', {}, ['DELETE', `/api/dev/apps/${id}`]);
    expect(status).toBe(200);
  });

  it('refuses NUL bytes in a text, by name (D23)', async () => {
    const { status, json } = await send(JSON.stringify(aListing({ name: 'a\0b', longDescription: '\0' })));
    expect(status).toBe(400);
    expect(json.error.details.map(({ field, code }) => `${field}: ${code}`)).toEqual([
      'name: invalid_characters',
      'longDescription: invalid_characters',
    ]);
  });

  it('refuses half of a surrogate pair, by name (D23)', async () => {
    const { status, json } = await send(listing.replace('Time Tracker', 'a\\ud800b'));
    expect(status).toBe(400);
    expect(json.error.details).toMatchObject([{ field: 'name', code: 'invalid_characters' }]);
  });
});

describe('a field that the operation does not take', () => {
  const put = (fields: object) => send(JSON.stringify(fields), {}, ['PUT', `/api/dev/apps/${draft.id}`]);
  const read = () => service.doors.must<AppJson>('myApp', { id: draft.id }, ada.token);

  it('changes nothing and is named in X-Ignored-Fields when the resource publishes it (D4)', async () => {
    const before = await read();
    const ignored = {
      environment: 'staging',
      status: 'APPROVED',
      featured: true,
      id: 'another',
      slug: 'another',
      installCount: 99,
      reviewCount: 99,
      averageRating: 5,
      revision: 99,
      submittedAt: null,
      approvedAt: 'now',
      rejection: {},
      createdAt: 0,
      updatedAt: 0,
      developer: { name: 'Eve' },
    };
    const { response, status, json } = await put(ignored);
    expect(status).toBe(200);
    expect(response.headers.get('x-ignored-fields')).toBe(Object.keys(ignored).join(', '));
    expect(json).toEqual(before);
    expect(await read()).toEqual(before);
  });

  it('lets a client send back what it read, whole (D4)', async () => {
    const before = await read();
    const { response, status, json } = await put({ ...before, name: 'Sent back' });
    expect(status).toBe(200);
    expect(json).toMatchObject({ name: 'Sent back', revision: before.revision + 1 });
    expect(response.headers.get('x-ignored-fields')).toContain('environment');
  });

  it.each([
    ['a new app', 'POST', '/api/dev/apps', aListing({ status: 'APPROVED', id: 'x', developer: {} }), 201],
    [
      'a new key',
      'POST',
      '/api/dev/api-keys',
      { name: 'k', scopes: ['APP_READ'], key: 'mine', status: 'x', id: 'x' },
      201,
    ],
    [
      'a profile',
      'PUT',
      '/api/dev/me',
      { accountUserId: 'x', status: 'VERIFIED', id: 'x', verifiedAt: 'now' },
      200,
    ],
  ])('is ignored by name for %s too (D4)', async (_, method, path, fields, expected) => {
    const { response, status, json } = await send(JSON.stringify(fields), {}, [method, path]);
    expect(status).toBe(expected);
    const named = response.headers.get('x-ignored-fields')?.split(', ');
    expect(named).toContain('status');
    expect(named).toContain('id');
    expect(json.id).not.toBe('x');
    expect(json).not.toMatchObject({ key: 'mine' });
  });

  it('is ignored by name when a submission sends the app back (D4)', async () => {
    const app = await service.anApp(ada);
    const { response, status, json } = await send(JSON.stringify(app), {}, [
      'POST',
      `/api/dev/apps/${app.id}/submit`,
    ]);
    expect([status, json.status]).toEqual([200, 'PENDING']);
    expect(response.headers.get('x-ignored-fields')).toContain('name');
  });

  it('says nothing of ignored fields when there are none (D4)', async () => {
    expect((await put({})).response.headers.get('x-ignored-fields')).toBeNull();
  });

  it.each([
    'nmae',
    'Name',
    'key',
    'email',
    'password',
    'expectedRevisions',
    'constructor',
    '__proto__',
    'a.b',
    '',
  ])('is refused by name when nobody knows it: "%s" (D4)', async (field) => {
    const body = `{"name":"New",${JSON.stringify(field)}:"x"}`;
    const { status, json } = await send(body, {}, ['PUT', `/api/dev/apps/${draft.id}`]);
    expect([status, json.error?.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(json.error.details).toMatchObject([{ field, code: 'unknown_field' }]);
    expect((await read()).name).not.toBe('New');
  });

  it('is refused though a header says what it would (D4, D19)', async () => {
    const headers = { 'if-match': `"${(await read()).revision}"` };
    const { status, json } = await send('{"name":"New","expectedRevisions":[1]}', headers, [
      'PUT',
      `/api/dev/apps/${draft.id}`,
    ]);
    expect([status, json.error?.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(json.error.details).toMatchObject([{ field: 'expectedRevisions', code: 'unknown_field' }]);
    expect((await read()).name).not.toBe('New');
  });

  it('is refused by its path when it is misspelt inside a list (D4, D7)', async () => {
    const screenshots = [
      { url: 'https://pictures.example/1.png', captoin: 'One' },
      { url: 'https://pictures.example/2.png', Order: 1 },
      { ulr: 'https://pictures.example/3.png' },
    ];
    const { status, json } = await put({ screenshots, descripton: 'x' });
    expect(status).toBe(400);
    expect(json.error.details.map(({ field, code }) => `${field}: ${code}`).sort()).toEqual([
      'descripton: unknown_field',
      'screenshots.0.captoin: unknown_field',
      'screenshots.1.Order: unknown_field',
      'screenshots.2.ulr: unknown_field',
      'screenshots.2.url: required',
    ]);
  });

  it('is refused together with everything else that is wrong (D6)', async () => {
    const { json } = await send('{"name":"","nmae":"x","status":"DRAFT","category":"GAMES"}');
    expect(json.error.details.map(({ field, code }) => `${field}: ${code}`).sort()).toEqual([
      'category: invalid_value',
      'description: required',
      'environment: required',
      'name: too_short',
      'nmae: unknown_field',
    ]);
  });
});
