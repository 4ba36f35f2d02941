import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Developer } from '../support/actors.js';
import { nobody } from '../support/answers.js';
import { type Service, startService } from '../support/service.js';

const frontEnd = 'https://tasks.example';
const evil = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };

let service: Service;
let ada: Developer;
let slug: string;
beforeAll(async () => {
  service = await startService({ CORS_ORIGINS: frontEnd });
  ada = await service.aDeveloper();
  slug = (await service.anApp(ada, 'APPROVED')).slug;
});
afterAll(() => service.close());

interface Sent {
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  bearer?: string;
}
const send = (method: string, path: string, sent: Sent) => service.doors.request(method, path, sent);
const installs = async () => {
  const { installCount } = await service.doors.must('app', { slug });
  return installCount;
};
const codeOf = async (response: Response) => {
  const body = (await response.json()) as {
    error?: { code: string; message: string };
    errors?: { message: string; extensions: { code: string } }[];
  };
  return body.error?.code ?? body.errors?.[0]?.extensions.code;
};

describe('a page of another site', () => {
  it.each<[what: string, type: string | null, body: string]>([
    ['nothing', null, ''],
    ['an empty form', 'application/x-www-form-urlencoded', ''],
    ['a form', 'application/x-www-form-urlencoded', 'installationId=x'],
    ['a form that looks like JSON', 'text/plain', '{"installationId":"x"}'],
    ['an empty plain text', 'text/plain;charset=UTF-8', ''],
    ['a multipart form', 'multipart/form-data; boundary=x', '--x--'],
    ['a beacon', 'application/octet-stream', '{}'],
    ['a type that only begins like JSON', 'application/json-patch', '{}'],
    ['a type with JSON behind it', 'text/plain; application/json', '{}'],
  ])('counts no install with %s (D102)', async (_, type, body) => {
    const before = await installs();
    for (const mark of [
      evil,
      { 'sec-fetch-site': 'cross-site' },
      { origin: evil.origin },
      { origin: 'null' },
    ]) {
      const headers = { ...mark, ...(type && { 'content-type': type }) };
      const response = await send('POST', `/api/apps/${slug}/install`, { headers, ...(body && { body }) });
      expect([mark, response.status, await codeOf(response)]).toEqual([mark, 403, 'FORBIDDEN']);
    }
    expect(await installs()).toBe(before);
  });

  it('is told what to do, in the one shape (D6, D102)', async () => {
    const response = await send('POST', `/api/apps/${slug}/install`, { headers: evil });
    expect(await response.json()).toEqual({
      error: {
        code: 'FORBIDDEN',
        message: expect.stringContaining('"Content-Type: application/json"'),
        details: [],
        requestId: response.headers.get('x-request-id'),
      },
    });
  });

  it('is refused before anybody asks who it is, at both doors and with every method (D7, D102)', async () => {
    for (const [method, path] of [
      ['POST', '/api/dev/apps'],
      ['PUT', '/api/dev/me'],
      ['DELETE', `/api/dev/apps/${nobody}`],
      ['POST', `/api/dev/apps/${nobody}/submit`],
      ['PATCH', '/api/dev/me'],
      ['POST', '/api/nothing'],
      ['POST', '/graphql'],
    ] as const)
      for (const bearer of [undefined, ada.key]) {
        const response = await send(method, path, { headers: evil, ...(bearer && { bearer }) });
        expect([method, path, response.status, await codeOf(response)]).toEqual([
          method,
          path,
          403,
          'FORBIDDEN',
        ]);
      }
  });

  it('may still read, and be asked by a preflight (D102)', async () => {
    expect((await send('GET', '/api/apps', { headers: evil })).status).toBe(200);
    expect((await send('HEAD', `/api/apps/${slug}`, { headers: evil })).status).toBe(200);
    expect((await send('OPTIONS', `/api/apps/${slug}/install`, { headers: evil })).status).toBe(204);
  });

  it('that sends JSON was asked by a preflight, and passes, by the fast way and by Express (D102)', async () => {
    const before = (await installs()) as number;
    for (const type of ['application/json', 'application/json; charset="utf-8"', ' Application/JSON ;x=y'])
      for (const mark of [evil, { 'sec-fetch-site': 'cross-site' }]) {
        const headers = { ...mark, 'content-type': type };
        const response = await send('POST', `/api/apps/${slug}/install`, { headers, body: '{}' });
        expect([type, response.status]).toEqual([type, 201]);
      }
    expect(await installs()).toBe(before + 6);
    const headers = { ...evil, 'content-type': 'application/json' };
    expect((await send('POST', '/graphql', { headers, body: '{"query":"{ __typename }"}' })).status).toBe(
      200,
    );
  });
});

describe('everybody else', () => {
  it.each<[who: string, headers: Record<string, string>]>([
    ['a program', {}],
    ['the user', { 'sec-fetch-site': 'none' }],
    ['a page of ours', { 'sec-fetch-site': 'same-origin' }],
    ['a page of the same site', { 'sec-fetch-site': 'same-site', origin: 'https://www.tasks.example' }],
    ['a page of CORS_ORIGINS', { 'sec-fetch-site': 'cross-site', origin: frontEnd }],
    ['a page of this host, by plain HTTP', { origin: 'http://127.0.0.1:3000' }],
  ])('%s may send no body (D30, D102)', async (_, headers) => {
    expect((await send('POST', `/api/apps/${slug}/install`, { headers })).status).toBe(201);
    const { id } = await service.anApp(ada);
    expect((await send('DELETE', `/api/dev/apps/${id}`, { headers, bearer: ada.key })).status).toBe(200);
  });
});
