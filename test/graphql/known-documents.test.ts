import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { jsonRequest, type RawResponse, sendRequest } from '../support/send-request.js';
import { type Service, startService } from '../support/service.js';

let service: Service;
let slug: string;
let bearer: string;
beforeAll(async () => {
  service = await startService({
    TRUST_PROXY: '1',
    RATE_LIMITS:
      'install=4,public=1000000,address=1000000,graphql=1000000,read=1000000,write=1000000,credentials=1000000,failures=1000000',
  });
  const ada = await service.aDeveloper();
  slug = (await service.anApp(ada, 'APPROVED')).slug;
  bearer = ada.token;
});
afterAll(() => service.close());

type Body = Record<string, unknown> & { query: string };

const install = 'mutation I($slug: String!) { recordInstall(slug: $slug) { slug installCount } }';
const list = 'query ($limit: Int) { browseApps(limit: $limit) { apps { slug } pagination { total } } }';
const two = 'query A { categories { count } } query B { featuredApps { slug } }';
const mine = '{ me { name } }';

let requests = 0;
const send = (body: Body, headers: Record<string, string> = {}) => {
  requests += 1;
  return sendRequest(
    service.url,
    jsonRequest('/graphql', JSON.stringify(body), {
      'x-forwarded-for': `10.8.${requests >> 8}.${requests & 255}`,
      'x-request-id': 'compared',
      ...headers,
    }),
  );
};

/** Sends the same operation in a text that was never sent before, so that Apollo parses, validates and runs it. */
const sendToApollo = (body: Body, headers: Record<string, string> = {}) =>
  send({ ...body, query: `${body.query} # ${requests}` }, headers);

const comparable = ({ status, headers, body }: RawResponse) => ({
  status,
  headers: headers
    // A new document is charged for being parsed.
    .filter(([name]) => !/^(date|connection|keep-alive|ratelimit|ratelimit-policy)$/i.test(name))
    .map(([name, value]) => [name.toLowerCase(), value])
    .sort(([a = ''], [b = '']) => a.localeCompare(b)),
  body: body.replace(/"installCount":\d+/, '"installCount":n'),
});

describe('an operation that has succeeded before', () => {
  const cases: [what: string, query: string, known: object, then: object, headers?: object][] = [
    ['an install', install, { variables: { slug: 'own' } }, { variables: { slug: 'own' } }],
    ['an install by its name', install, { variables: { slug: 'own' }, operationName: 'I' }, {}],
    ['an unknown app', install, { variables: { slug: 'own' } }, { variables: { slug: 'nothing-here' } }],
    ['an invalid slug', install, { variables: { slug: 'own' } }, { variables: { slug: 'Not A Slug' } }],
    ['a variable of another type', install, { variables: { slug: 'own' } }, { variables: { slug: [1] } }],
    ['a missing variable', install, { variables: { slug: 'own' } }, { variables: null }],
    ['variables in a string', install, { variables: { slug: 'own' } }, { variables: '{}' }],
    ['variables in a list', install, { variables: { slug: 'own' } }, { variables: [] }],
    ['extensions', list, {}, { extensions: { persistedQuery: { version: 1, sha256Hash: 'no' } } }],
    ['another page size', list, { variables: { limit: 1 } }, { variables: { limit: 2 } }],
    ['a page size out of bounds', list, { variables: { limit: 1 } }, { variables: { limit: 2_000 } }],
    ['another operation', two, { operationName: 'A' }, { operationName: 'B' }],
    ['an operation that is missing', two, { operationName: 'A' }, { operationName: 'C' }],
    ['no operation name', two, { operationName: 'A' }, {}],
    ['an empty operation name', two, { operationName: 'A' }, { operationName: '' }],
    ['an operation name of another type', two, { operationName: 'A' }, { operationName: 1 }],
    ['the same caller', mine, { as: 'ada' }, { as: 'ada' }],
    ['no caller', mine, { as: 'ada' }, {}],
    ['another Accept', list, {}, {}, { accept: 'application/graphql-response+json' }],
    ['an Accept that is rejected', list, {}, {}, { accept: 'text/html' }],
  ];

  it.each(cases)('is answered as by Apollo: %s (D294)', async (_, query, known, then, accept = {}) => {
    const request = ({ as, ...body }: Record<string, unknown>) =>
      [
        JSON.parse(JSON.stringify({ query, ...body }).replace('"own"', JSON.stringify(slug))) as Body,
        { ...accept, ...(as ? { authorization: `Bearer ${bearer}` } : {}) },
      ] as const;
    const succeeds = !('accept' in accept && accept.accept === 'text/html');
    for (const round of [1, 2, 3]) {
      const { body } = await send(...request({ ...known }));
      expect([round, body.startsWith('{"data":{')]).toEqual([round, succeeds]);
      const response = await send(...request({ ...then }));
      expect(comparable(response)).toEqual(comparable(await sendToApollo(...request({ ...then }))));
    }
  });

  it('is charged once, whatever its outcome (D294)', async () => {
    const from = (address: string) => ({ 'x-forwarded-for': address });
    const outcomes = async (address: string, through: typeof send) => {
      const responses: RawResponse[] = [];
      for (const to of [slug, 'nothing-here', slug, slug, slug, slug])
        responses.push(await through({ query: install, variables: { slug: to } }, from(address)));
      return responses.map(comparable).map(({ status, body }) => [status, body.replace(/\d+ sec/, 'n sec')]);
    };
    await send({ query: install, variables: { slug } });
    const direct = await outcomes('10.7.0.1', send);
    expect(direct).toEqual(await outcomes('10.7.0.2', sendToApollo));
    expect(direct.map(([, body]) => /NOT_FOUND|RATE_LIMITED|data/.exec(String(body))?.[0])).toEqual([
      'data',
      'NOT_FOUND',
      'data',
      'data',
      'RATE_LIMITED',
      'RATE_LIMITED',
    ]);
  });
});
