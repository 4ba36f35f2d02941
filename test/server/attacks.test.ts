import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Developer } from '../support/actors.js';
import { type Service, startService } from '../support/service.js';

/** Found by somebody who tried to break in; each was a fault once. */
describe('what was tried against the service', () => {
  let service: Service;
  let ada: Developer;
  beforeAll(async () => {
    service = await startService();
    ada = await service.aDeveloper();
  });
  afterAll(() => service.close());

  /** Says something to the port that no HTTP client would, and hears the answer. */
  const speak = (words: string): Promise<string> =>
    new Promise((resolve) => {
      const { hostname, port } = new URL(service.url);
      let heard = '';
      const socket = connect(Number(port), hostname, () => socket.write(words));
      socket.on('data', (data) => {
        heard += data;
      });
      socket.on('close', () => resolve(heard));
      socket.on('error', () => resolve(heard));
      setTimeout(() => socket.destroy(), 500).unref();
    });

  it.each(Array.from({ length: 25 }, (_, index) => index * 4 + 4))(
    'a search of %i dashes finds nothing (D27)',
    async (count) => {
      for (const search of ['-'.repeat(count), `a ${'-'.repeat(count - 3)}b`, '- '.repeat(count / 2)]) {
        const response = await service.doors.request('GET', `/api/apps?search=${encodeURIComponent(search)}`);
        expect(response.status).toBe(200);
      }
    },
  );

  it('a request for the whole address is answered like any other, and links lead to us alone (D44)', async () => {
    await service.anApp(ada, 'APPROVED');
    for (const target of [`${service.url}/api/apps`, 'http://elsewhere.example/api/apps']) {
      const answer = await speak(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^HTTP\/1\.1 200 /);
      expect(answer).toMatch(new RegExp(`link: <${service.url}/api/apps\\?`, 'i'));
      expect(answer).not.toContain('elsewhere.example');
    }
  });

  it('a request whose body is not framed as it says does nothing (D7)', async () => {
    const { id } = await service.anApp(ada);
    const head = `POST /api/dev/apps/${id}/submit HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${ada.key}`;
    await speak(`${head}\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n`);
    expect(await service.doors.must('myApp', { id }, ada.key)).toMatchObject({ status: 'DRAFT' });
  });

  it('a field whose name is cut in the middle of a character does not keep an install from counting (D30)', async () => {
    const { slug } = await service.anApp(ada, 'APPROVED');
    const names = Array.from({ length: 50 }, (_, index) => `${'漢'.repeat(97)}${index}`);
    for (const name of [`${'a'.repeat(99)}😀`, ...names.slice(0, 1)]) {
      const response = await service.doors.request('POST', `/api/apps/${slug}/install`, {
        body: { [name]: 1 },
      });
      expect(response.status).toBe(201);
    }
    const body = Object.fromEntries(names.map((name) => [name, 1]));
    const response = await service.doors.request('POST', `/api/apps/${slug}/install`, { body });
    expect(response.headers.get('x-ignored-fields')!.length).toBeLessThan(2100);
  });

  it('links repeat only the parameters that are known (D27)', async () => {
    const response = await service.doors.request('GET', `/api/apps?limit=1&x=${'a'.repeat(4000)}`);
    expect(response.headers.get('link')!.length).toBeLessThan(1000);
  });

  it.each([
    [
      'a persisted query with a foreign hash',
      { query: '{ __typename }', extensions: { persistedQuery: { version: 1, sha256Hash: 'x' } } },
    ],
    [
      'a persisted query of another version',
      { query: '{ __typename }', extensions: { persistedQuery: { version: 9, sha256Hash: 'x' } } },
    ],
    [
      'more faulty variables than GraphQL counts',
      {
        query: 'mutation ($input: CreateAppInput!) { createApp(input: $input) { id } }',
        variables: { input: { screenshots: Array(60).fill(0) } },
      },
    ],
  ])('%s is the caller’s mistake (D7)', async (_, body) => {
    const response = await service.doors.request('POST', '/graphql', { body });
    const { errors } = (await response.json()) as { errors: { extensions: { code: string } }[] };
    expect(new Set(errors.map(({ extensions }) => extensions.code))).toEqual(new Set(['VALIDATION_FAILED']));
  });

  it.each([
    'https://x.example\\@evil.example/',
    'http:///x',
    'http://@h.example/',
    'https://user@h.example/',
  ])('the address %s, which parsers read differently, is refused (D23)', async (websiteUrl) => {
    const { code, details } = await service.doors.call('rest', 'updateMe', { websiteUrl }, ada.key);
    expect({ code, fields: details.map(({ field }) => field) }).toEqual({
      code: 'VALIDATION_FAILED',
      fields: ['websiteUrl'],
    });
  });

  it('a cursor of the year 0 is forged (D7)', async () => {
    const after = Buffer.from('0000-01-01T00:00:00.000Z 01890000-0000-7000-8000-000000000000').toString(
      'base64url',
    );
    const { code } = await service.doors.call('graphql', 'developers', { after }, await service.admin());
    expect(code).toBe('VALIDATION_FAILED');
  });
});
