import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { GraphQLSchema } from 'graphql';
import { buildGraphQLSchema } from '../../src/graphql/schema.js';
import type { Developer } from '../support/actors.js';
import type { GraphQLBody, Input } from '../support/api-client.js';
import { type Service, startService } from '../support/service.js';
import { DocumentWriter, type Known } from './document-writer.js';

/** graphql-js runs a document twice; from the third time on it is compiled. */
const timesSent = 4;
const documentCount = 60;

let service: Service;
let schema: GraphQLSchema;
let known: Known;
let ada: Developer;
let bearers: readonly (string | null)[];
beforeAll(async () => {
  schema = await buildGraphQLSchema();
  service = await startService();
  ada = await service.aDeveloper({ companyName: 'Engines', bio: 'First.' });
  const { app, version } = await service.aVersion(ada, 'PENDING');
  const live = await service.anApp(ada, 'APPROVED', { category: 'AI_ML', longDescription: '# Long' });
  const others = [
    await service.anApp(ada, 'REJECTED'),
    await service.anApp(ada, 'PENDING'),
    await service.anApp(ada),
  ];
  const rating = await service.aRating(live, { title: 'Good' });
  const ids = [app, live, ...others, version].map(({ id }) => id);
  known = {
    id: [...ids, ada.id, 'nothing'],
    slug: [app.slug, live.slug, others[0]!.slug, 'nothing'],
    from: ['2026-01-01'],
    to: ['2026-01-07', '2025-12-31'],
    after: ['', 'nonsense'],
    search: ['app', ''],
    prefix: ['app', ''],
  };
  bearers = [null, ada.token, ada.key, rating.token, await service.admin(), 'mkt_nonsense'];
});
afterAll(() => service.close());

const post = async (body: object, bearer: string | null, index: number) => {
  // Another Accept each time: a cached response would not be executed at all.
  const headers = { accept: `application/json, text/x-${index}` };
  const response = await service.client.request('POST', '/graphql', { body, bearer, headers });
  const text = (await response.text()).replaceAll(response.headers.get('x-request-id')!, '');
  return { status: response.status, text, body: JSON.parse(text) as GraphQLBody };
};

/**
 * The response without what differs from one time to the next: when a key was last used, and which and how many of the
 * errors under one non-null field are reported. The place that such errors make null is the same each time.
 */
const comparable = ({ status, text, body }: Awaited<ReturnType<typeof post>>) => ({
  status,
  text: body.errors ? JSON.stringify([errorPlaces(body), body.data]) : text.replace(timestamps, '"a time"'),
});
const errorPlaces = ({ data, errors = [] }: GraphQLBody) =>
  data === undefined ? errors.length : [...new Set(errors.map(({ path = [] }) => nullOn(path, data)))].sort();

/** The part of an error's path that leads to the null it left in the data. */
const nullOn = (path: readonly (string | number)[], data: unknown) => {
  let value = data;
  let depth = 0;
  while (value !== null && depth < path.length) value = (value as Input)[path[depth++]!];
  return path.slice(0, depth).join('.');
};
const timestamps = /"\d{4}-\d\d-\d\dT[\d:.]+Z"/g;

describe('a document that is sent several times', () => {
  it(`has the same response, byte for byte, when it is compiled: ${documentCount} random documents`, async () => {
    let withData = 0;
    let index = 0;
    await fc.assert(
      fc.asyncProperty(fc.noBias(fc.nat()), fc.constantFrom(...bearers), async (seed, bearer) => {
        const document = new DocumentWriter(schema, known, seed).write();
        const first = await post(document, bearer, index++);
        if (first.body.data) withData += 1;
        for (let again = 1; again < timesSent; again += 1) {
          const response = await post(document, bearer, index++);
          expect({ document, again, ...comparable(response) }).toEqual({
            document,
            again,
            ...comparable(first),
          });
        }
      }),
      { numRuns: documentCount, endOnFailure: true },
    );
    // Documents that are all rejected would prove nothing.
    expect(withData).toBeGreaterThan(documentCount / 6);
  }, 180_000);

  it.each<[string, string, Input?]>([
    [
      'data',
      '{ browseApps(limit: 5) { apps { id createdAt category developer { name } } pagination { total } } }',
    ],
    [
      'directives',
      'query ($yes: Boolean!) { me { id @skip(if: $yes) name @include(if: $yes) } }',
      { yes: true },
    ],
    [
      'a skipped field',
      'query ($yes: Boolean!) { me @skip(if: $yes) { id } categories { count } }',
      { yes: true },
    ],
    ['an error', 'mutation { approveApp(id: "x", revision: 1) { id } }'],
    ['an error beside data', '{ one: app(slug: "nothing") { id } two: categories { category count } }'],
    [
      'several problems of an input',
      'mutation { createApp(input: { name: "", description: "", category: OTHER, environment: staging }) { id } }',
    ],
    [
      'variables of a wrong type',
      'mutation ($input: CreateAppInput!) { createApp(input: $input) { id } }',
      { input: { name: 7, nmae: 'x' } },
    ],
    ['a default', 'query ($limit: Int = 3) { browseApps(limit: $limit) { pagination { limit } } }'],
    [
      'fragments',
      '{ me { ...a ... on Developer { status } __typename } } fragment a on Developer { id updatedAt }',
    ],
  ])('has the same response when it is compiled: %s', async (_, query, variables = {}) => {
    const responses: { status: number; text: string }[] = [];
    for (let index = 0; index < 5; index += 1) {
      const { status, text } = await post({ query, variables }, ada.key, -index);
      responses.push({ status, text });
    }
    expect(responses).toEqual(responses.map(() => responses[0]));
  });
});
