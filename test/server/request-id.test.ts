import { describe, expect, it } from '@jest/globals';
import { atOnce } from '../support/actors.js';
import type { GraphQLBody } from '../support/api-client.js';
import { beforeTests } from '../support/before-tests.js';
import { sharedService } from '../support/service.js';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

interface Kind {
  kind: string;
  method: string;
  path: string;
  body?: string;
  type?: string;
}

/** A request of each kind. */
const kinds: Kind[] = [
  { kind: 'a public read', method: 'GET', path: '/api/apps' },
  { kind: 'a HEAD', method: 'HEAD', path: '/api/apps' },
  { kind: 'an OPTIONS', method: 'OPTIONS', path: '/api/apps' },
  { kind: 'an OPTIONS of a page', method: 'OPTIONS', path: '/' },
  { kind: 'an OPTIONS of liveness', method: 'OPTIONS', path: '/livez' },
  { kind: 'a 401', method: 'GET', path: '/api/dev/me' },
  { kind: 'a 404 of the API', method: 'GET', path: '/api/nothing' },
  { kind: 'a 404 of the site', method: 'GET', path: '/nothing' },
  { kind: 'a 405', method: 'DELETE', path: '/api/apps' },
  { kind: 'malformed JSON', method: 'POST', path: '/api/dev/apps', body: '{' },
  {
    kind: 'an unsupported media type',
    method: 'POST',
    path: '/api/dev/apps',
    body: '{}',
    type: 'text/plain',
  },
  {
    kind: 'a body that is too large',
    method: 'POST',
    path: '/api/dev/apps',
    body: `"${'x'.repeat(300_000)}"`,
  },
  { kind: 'a badly encoded path', method: 'GET', path: '/api/apps/%E0%A4%A' },
  { kind: 'GraphQL', method: 'POST', path: '/graphql', body: '{"query":"{ __typename }"}' },
  { kind: 'a GraphQL error', method: 'POST', path: '/graphql', body: '{"query":"{ me { id } }"}' },
  { kind: 'an invalid GraphQL document', method: 'POST', path: '/graphql', body: '{"query":"{"}' },
  { kind: 'malformed JSON for GraphQL', method: 'POST', path: '/graphql', body: '{' },
  { kind: 'a page', method: 'GET', path: '/' },
  { kind: 'the reference', method: 'GET', path: '/docs' },
  { kind: 'a static file', method: 'GET', path: '/docs/swagger-ui.css' },
  { kind: 'the playground', method: 'GET', path: '/playground' },
  { kind: 'the OpenAPI document', method: 'GET', path: '/openapi.json' },
  { kind: 'the SDL', method: 'GET', path: '/schema.graphql' },
  { kind: 'liveness', method: 'GET', path: '/livez' },
  { kind: 'readiness', method: 'GET', path: '/readyz' },
  { kind: 'the token endpoint', method: 'POST', path: '/dev/token', body: '{"accountUserId":"ada"}' },
  { kind: 'the public keys', method: 'GET', path: '/.well-known/jwks.json' },
];

describe('X-Request-Id', () => {
  const service = beforeTests(sharedService);

  const send = ({ method, path, body, type = 'application/json' }: Omit<Kind, 'kind'>, id?: string) =>
    fetch(service.url + path, {
      method,
      headers: { ...(body && { 'content-type': type }), ...(id !== undefined && { 'x-request-id': id }) },
      ...(body && { body }),
    });
  const live = { method: 'GET', path: '/livez' };
  /** Returns the id in the body of an error. */
  const idInBody = (text: string) => {
    if (!text.startsWith('{')) return null;
    const body = JSON.parse(text) as GraphQLBody & { error?: { requestId: string } };
    return body.error?.requestId ?? body.errors?.[0]?.extensions.requestId ?? null;
  };

  it.each(kinds)(
    'is a new UUID for $kind, the same in the header and the error body (D5)',
    async (request) => {
      const response = await send(request);
      const id = response.headers.get('x-request-id');
      expect(id).toMatch(uuid);
      expect(idInBody(await response.text()) ?? id).toBe(id);
    },
  );

  it.each(kinds)('is the one that the client sent for $kind (D5)', async (request) => {
    const id = 'Trace_1.2-3';
    const response = await send(request, id);
    expect(response.headers.get('x-request-id')).toBe(id);
    expect(idInBody(await response.text()) ?? id).toBe(id);
  });

  it.each(['a', 'A.z_0-9', 'x'.repeat(128)])('may be "%s" (D5)', async (id) => {
    expect((await send(live, id)).headers.get('x-request-id')).toBe(id);
  });

  it.each(['', ' ', 'a b', 'a,b', 'é', 'x'.repeat(129), '<script>', 'a/b'])(
    'is a new UUID if the client sent "%s" (D5)',
    async (id) => {
      expect((await send(live, id)).headers.get('x-request-id')).toMatch(uuid);
    },
  );

  it('is different for each request (D5)', async () => {
    const ids = await atOnce(20, async () => (await send(live)).headers.get('x-request-id'));
    expect(new Set(ids).size).toBe(20);
  });
});
