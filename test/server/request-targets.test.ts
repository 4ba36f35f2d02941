import { beforeAll, describe, expect, it } from '@jest/globals';
import { beforeTests } from '../support/before-tests.js';
import { RawConnection } from '../support/raw-connection.js';
import { sharedService } from '../support/service.js';
import { words } from '../support/words.js';

const service = beforeTests(sharedService);
beforeAll(async () => {
  await service.anApp(await service.aDeveloper(), 'APPROVED');
});

const send = (method: string, target: string, headers: string[] = [], body = '') =>
  new RawConnection(service.url)
    .send(
      [
        `${method} ${target} HTTP/1.1`,
        'Host: x',
        'Connection: close',
        ...headers,
        ...(body ? ['Content-Type: application/json', `Content-Length: ${body.length}`] : []),
        '',
        body,
      ].join('\r\n'),
    )
    .readUntilClosed();
const query = '{"query":"{ __typename }"}';
const typeName = 'query=%7B__typename%7D';
const preflighted = ['Apollo-Require-Preflight: 1'];

describe('a request with an absolute URL as its target', () => {
  it.each(
    words(`
    http://localhost/api/apps http://elsewhere.example/api/apps http://elsewhere.example:81/api/apps
    http://user@elsewhere.example/api/apps http://elsewhere.example:99999999/api/apps http:///api/apps`),
  )('%s is served like any other, and its links lead to this service only (D44)', async (target) => {
    const { status, headers, text } = await send('GET', target);
    expect(status).toBe(200);
    expect(headers.link).toMatch(new RegExp(`^<${service.url}/api/apps\\?`));
    expect(text).not.toContain('elsewhere.example');
  });

  it.each(['http://[bad/api/apps', 'http://localhost:abc/api/apps', 'http://a%zz/api/apps'])(
    '%s is NOT_FOUND, not a failure of the service (D6)',
    async (target) => {
      expect((await send('GET', target)).status).toBe(404);
    },
  );

  it.each(['http://localhost', 'http://elsewhere.example:99999999'])(
    'reaches GraphQL, by GET and POST: %s (D44)',
    async (origin) => {
      for (const response of [
        await send('GET', `${origin}/graphql?${typeName}`, preflighted),
        await send('POST', `${origin}/graphql`, [], query),
      ])
        expect([response.status, JSON.parse(response.body)]).toEqual([
          200,
          { data: { __typename: 'Query' } },
        ]);
    },
  );
});

describe('a request below /graphql', () => {
  it.each(['/graphql/', '/graphql/below', '/graphql?x=1', '/GraphQL'])(
    '%s is a GraphQL request, and its errors have the form of GraphQL',
    async (path) => {
      expect(JSON.parse((await send('POST', path, [], query)).body)).toMatchObject({ data: {} });
      const separator = path.includes('?') ? '&' : '?';
      const get = await send('GET', `${path}${separator}${typeName}`, preflighted);
      expect(JSON.parse(get.body)).toMatchObject({ data: {} });
      for (const [method, body, code] of [
        ['POST', '{', 'MALFORMED_JSON'],
        ['PUT', query, 'METHOD_NOT_ALLOWED'],
      ] as const) {
        const response = await send(method, path, [], body);
        expect(JSON.parse(response.body)).toMatchObject({ errors: [{ extensions: { code } }] });
        expect(response.headers['cache-control']).toBe('no-store');
      }
    },
  );

  it('is not a GraphQL request where only the beginning is the same (D6)', async () => {
    const { status, body } = await send('POST', '/graphqlx', [], query);
    expect([status, JSON.parse(body)]).toMatchObject([404, { error: { code: 'NOT_FOUND' } }]);
  });
});

describe('a GraphQL request by GET', () => {
  it('ignores a body, and takes its document from the query string only', async () => {
    const withBoth = await send('GET', `/graphql?${typeName}`, preflighted, '{"query":"{ nothing }"}');
    expect([withBoth.status, JSON.parse(withBoth.body)]).toEqual([200, { data: { __typename: 'Query' } }]);
    expect((await send('GET', '/graphql', preflighted, query)).status).toBe(400);
  });

  it('ignores what follows a number sign', async () => {
    const { status } = await send('GET', `/graphql?${typeName}#&query=x`, preflighted);
    expect(status).toBe(200);
  });
});
