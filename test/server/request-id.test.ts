import { describe, expect, it } from '@jest/globals';
import { atOnce } from '../support/actors.js';
import type { GraphQLBody } from '../support/api-client.js';
import { beforeTests } from '../support/before-tests.js';
import { sharedService } from '../support/service.js';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

interface Sent {
  method?: string;
  path?: string;
  body?: string;
  type?: string;
}

/** A request of each kind: a GET of the start page, where it says nothing else. */
const kinds: [kind: string, request: Sent][] = [
  ['a public read', { path: '/api/apps' }],
  ['a HEAD', { method: 'HEAD', path: '/api/apps' }],
  ['an OPTIONS', { method: 'OPTIONS', path: '/api/apps' }],
  ['an OPTIONS of a page', { method: 'OPTIONS' }],
  ['an OPTIONS of liveness', { method: 'OPTIONS', path: '/livez' }],
  ['a 401', { path: '/api/dev/me' }],
  ['a 404 of the API', { path: '/api/nothing' }],
  ['a 404 of the site', { path: '/nothing' }],
  ['a 405', { method: 'DELETE', path: '/api/apps' }],
  ['malformed JSON', { method: 'POST', path: '/api/dev/apps', body: '{' }],
  ['an unsupported media type', { method: 'POST', path: '/api/dev/apps', body: '{}', type: 'text/plain' }],
  ['a body that is too large', { method: 'POST', path: '/api/dev/apps', body: `"${'x'.repeat(300_000)}"` }],
  ['a badly encoded path', { path: '/api/apps/%E0%A4%A' }],
  ['GraphQL', { method: 'POST', path: '/graphql', body: '{"query":"{ __typename }"}' }],
  ['a GraphQL error', { method: 'POST', path: '/graphql', body: '{"query":"{ me { id } }"}' }],
  ['an invalid GraphQL document', { method: 'POST', path: '/graphql', body: '{"query":"{"}' }],
  ['malformed JSON for GraphQL', { method: 'POST', path: '/graphql', body: '{' }],
  ['a page', {}],
  ['the reference', { path: '/docs' }],
  ['a static file', { path: '/docs/swagger-ui.css' }],
  ['the playground', { path: '/playground' }],
  ['the OpenAPI document', { path: '/openapi.json' }],
  ['the SDL', { path: '/schema.graphql' }],
  ['liveness', { path: '/livez' }],
  ['readiness', { path: '/readyz' }],
  ['the token endpoint', { method: 'POST', path: '/dev/token', body: '{"accountUserId":"ada"}' }],
  ['the public keys', { path: '/.well-known/jwks.json' }],
];

describe('X-Request-Id', () => {
  const service = beforeTests(sharedService);

  const send = ({ method = 'GET', path = '/', body, type = 'application/json' }: Sent, id?: string) =>
    fetch(service.url + path, {
      method,
      headers: { ...(body && { 'content-type': type }), ...(id !== undefined && { 'x-request-id': id }) },
      ...(body && { body }),
    });
  const live = { path: '/livez' };
  /** Returns the id in the body of an error. */
  const idInBody = (text: string) => {
    if (!text.startsWith('{')) return null;
    const body = JSON.parse(text) as GraphQLBody & { error?: { requestId: string } };
    return body.error?.requestId ?? body.errors?.[0]?.extensions.requestId ?? null;
  };

  it.each(kinds)('is the one that the client sent for %s, or a new UUID (D5)', async (_, request) => {
    for (const sent of [undefined, 'Trace_1.2-3']) {
      const response = await send(request, sent);
      const id = response.headers.get('x-request-id');
      if (sent) expect(id).toBe(sent);
      else expect(id).toMatch(uuid);
      expect(idInBody(await response.text()) ?? id).toBe(id);
    }
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
