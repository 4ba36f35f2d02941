import { beforeAll, describe, expect, it } from '@jest/globals';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { unknownId } from '../support/matchers.js';
import { startService } from '../support/service.js';

const allowedOrigin = 'https://tasks.example';
const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' };

let slug: string;
const service = duringTests(() => startService({ CORS_ORIGINS: allowedOrigin }));
const ada = beforeTests(() => service.aDeveloper());
beforeAll(async () => {
  slug = (await service.anApp(ada, 'APPROVED')).slug;
});

interface RequestOptions {
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  bearer?: string;
}
const send = (method: string, path: string, options: RequestOptions) =>
  service.client.request(method, path, options);
const installs = async () => {
  const { installCount } = await service.must('app', { slug });
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
    ['binary data', 'application/octet-stream', '{}'],
    ['a type that starts like JSON', 'application/json-patch', '{}'],
    ['JSON as a parameter of the type', 'text/plain; application/json', '{}'],
  ])('cannot record an install with %s (D102)', async (_, type, body) => {
    const before = await installs();
    for (const mark of [
      foreign,
      { 'sec-fetch-site': 'cross-site' },
      { origin: foreign.origin },
      { origin: 'null' },
    ]) {
      const headers = { ...mark, ...(type && { 'content-type': type }) };
      const response = await send('POST', `/api/apps/${slug}/install`, { headers, ...(body && { body }) });
      expect([mark, response.status, await codeOf(response)]).toEqual([mark, 403, 'FORBIDDEN']);
    }
    expect(await installs()).toBe(before);
  });

  it('receives an error that says what to send instead (D6, D102)', async () => {
    const response = await send('POST', `/api/apps/${slug}/install`, { headers: foreign });
    expect(await response.json()).toEqual({
      error: {
        code: 'FORBIDDEN',
        message: expect.stringContaining('"Content-Type: application/json"'),
        details: [],
        requestId: response.headers.get('x-request-id'),
      },
    });
  });

  it('is rejected before authentication, over REST and GraphQL and with every method (D7, D102)', async () => {
    for (const [method, path] of [
      ['POST', '/api/dev/apps'],
      ['PUT', '/api/dev/me'],
      ['DELETE', `/api/dev/apps/${unknownId}`],
      ['POST', `/api/dev/apps/${unknownId}/submit`],
      ['PATCH', '/api/dev/me'],
      ['POST', '/api/nothing'],
      ['POST', '/graphql'],
    ] as const)
      for (const bearer of [undefined, ada.key]) {
        const response = await send(method, path, { headers: foreign, ...(bearer && { bearer }) });
        expect([method, path, response.status, await codeOf(response)]).toEqual([
          method,
          path,
          403,
          'FORBIDDEN',
        ]);
      }
  });

  it('may read, and send a preflight (D102)', async () => {
    expect((await send('GET', '/api/apps', { headers: foreign })).status).toBe(200);
    expect((await send('HEAD', `/api/apps/${slug}`, { headers: foreign })).status).toBe(200);
    expect((await send('OPTIONS', `/api/apps/${slug}/install`, { headers: foreign })).status).toBe(204);
  });

  it('may send JSON, since the browser sends a preflight first (D102)', async () => {
    const before = (await installs()) as number;
    for (const type of ['application/json', 'application/json; charset="utf-8"', ' Application/JSON ;x=y'])
      for (const mark of [foreign, { 'sec-fetch-site': 'cross-site' }]) {
        const headers = { ...mark, 'content-type': type };
        const response = await send('POST', `/api/apps/${slug}/install`, { headers, body: '{}' });
        expect([type, response.status]).toEqual([type, 201]);
      }
    expect(await installs()).toBe(before + 6);
    const headers = { ...foreign, 'content-type': 'application/json' };
    expect((await send('POST', '/graphql', { headers, body: '{"query":"{ __typename }"}' })).status).toBe(
      200,
    );
  });
});

describe('any other client', () => {
  it.each<[who: string, headers: Record<string, string>]>([
    ['a program', {}],
    ['a person who enters the URL', { 'sec-fetch-site': 'none' }],
    ['a page of this service', { 'sec-fetch-site': 'same-origin' }],
    ['a page of the same site', { 'sec-fetch-site': 'same-site', origin: 'https://www.tasks.example' }],
    ['a page of CORS_ORIGINS', { 'sec-fetch-site': 'cross-site', origin: allowedOrigin }],
    ['a page of this host over plain HTTP', { origin: 'http://127.0.0.1:3000' }],
    ['a page on this machine', { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:3000' }],
  ])('%s may send a mutation without a body (D30, D102)', async (_, headers) => {
    expect((await send('POST', `/api/apps/${slug}/install`, { headers })).status).toBe(201);
    const { id } = await service.anApp(ada);
    expect((await send('DELETE', `/api/dev/apps/${id}`, { headers, bearer: ada.key })).status).toBe(200);
  });
});
