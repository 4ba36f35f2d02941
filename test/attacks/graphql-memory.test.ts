import { describe, expect, it } from '@jest/globals';
import { deep, explosion, widest } from '../graphql/documents.js';
import { GraphQLClient, type GraphQLRequest, postRequest } from '../graphql/graphql-client.js';
import { duringTests } from '../support/before-tests.js';
import { heapBytes } from '../support/memory.js';

const client = duringTests(() => GraphQLClient.start());

const padding = 'x'.repeat(200_000);
const rejected = [deep(200), explosion(30, '__typename'), widest, `{ ${'__typename '.repeat(6_000)} }`];
const batch = 50;
/** Caches fill up first, and garbage may stay for a while. */
const maxBatches = 8;

describe('the memory', () => {
  it.each<[attack: string, request: (index: number) => GraphQLRequest]>([
    [
      'documents beyond the limits',
      (index) => postRequest(`# ${index}${padding.slice(80_000)}\n${rejected[index % rejected.length]}`),
    ],
    [
      'long names of undeclared variables',
      (index) => postRequest(`# ${index % 20}\n{ __typename }`, { [`${index}${padding}`]: null }),
    ],
    [
      'a long id that stands for a list',
      (index) =>
        postRequest(`query a${index % 20}($ids: [ID!]!) { nodes(ids: $ids) { id } }`, {
          ids: `${index}${padding}`,
        }),
    ],
    [
      'long values of variables of another operation',
      (index) => ({
        body: {
          query: `# ${index % 20}\nquery a { __typename } query b($n: Int) { browseApps(limit: $n) { apps { id } } }`,
          operationName: 'a',
          variables: { n: `${index}${padding}` },
        },
      }),
    ],
  ])('does not grow with the number of requests: %s (D136)', async (_, request) => {
    let index = 0;
    /** Returns by how much a batch of requests has grown the heap, as a part of what was sent. */
    const growth = async () => {
      const before = await heapBytes();
      let sent = 0;
      for (let count = 0; count < batch; count += 1, index += 1) {
        const next = request(index);
        sent += JSON.stringify(next.body).length;
        await client.send(next);
      }
      return ((await heapBytes()) - before) / sent;
    };
    // If requests were stored, every batch would grow the heap by what was sent, or more.
    let least = Number.POSITIVE_INFINITY;
    for (let count = 0; count < maxBatches && least > 0.2; count += 1)
      least = Math.min(least, await growth());
    expect(least).toBeLessThanOrEqual(0.2);
    expect((await client.send(postRequest('{ __typename }'))).status).toBe(200);
  });
});
