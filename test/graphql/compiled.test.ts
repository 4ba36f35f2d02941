import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { GraphQLSchema } from 'graphql';
import { buildGraphQLSchema } from '../../src/graphql/schema.js';
import type { GraphQLBody } from '../support/doors.js';
import { type Service, startService } from '../support/service.js';
import { DocumentWriter, type Known } from './document-writer.js';

/** A document is run by graphql-js twice, and compiled from the third time on. */
const sent = 4;
const documents = 120;

let service: Service;
let schema: GraphQLSchema;
let known: Known;
let bearers: readonly (string | null)[];
beforeAll(async () => {
  schema = await buildGraphQLSchema();
  service = await startService();
  const ada = await service.aDeveloper({ companyName: 'Engines', bio: 'First.' });
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
  // Another origin each time: a response from the cache would not be run at all.
  const headers = { origin: `https://${index}.example` };
  const response = await service.doors.request('POST', '/graphql', { body, bearer, headers });
  const text = (await response.text()).replaceAll(response.headers.get('x-request-id')!, '');
  return { status: response.status, text, body: JSON.parse(text) as GraphQLBody };
};

/**
 * Without what changes by itself from one time to the next: when a key was last used, and which of several refusals
 * under a non-null field comes first.
 */
const stable = ({ status, text, body }: Awaited<ReturnType<typeof post>>) => ({
  status,
  text: body.errors ? JSON.stringify([body.errors.length, body.data]) : text.replace(times, '"a time"'),
});
const times = /"\d{4}-\d\d-\d\dT[\d:.]+Z"/g;

describe('a document that is sent again and again', () => {
  it(`is answered byte for byte as graphql-js answers it, ${documents} documents of all kinds (D83)`, async () => {
    let withData = 0;
    let index = 0;
    await fc.assert(
      fc.asyncProperty(fc.noBias(fc.nat()), fc.constantFrom(...bearers), async (seed, bearer) => {
        const document = new DocumentWriter(schema, known, seed).write();
        const first = await post(document, bearer, index++);
        if (first.body.data) withData += 1;
        for (let again = 1; again < sent; again += 1) {
          const answer = await post(document, bearer, index++);
          expect({ document, again, ...stable(answer) }).toEqual({ document, again, ...stable(first) });
        }
      }),
      { numRuns: documents, endOnFailure: true },
    );
    // Documents that are all refused would prove nothing.
    expect(withData).toBeGreaterThan(documents / 6);
  }, 180_000);
});
