import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '../../src/errors.js';
import { startGraphQLServer } from './graphql-server.js';

describe('the cost of an operation', () => {
  it('is charged before it runs; the error of the charge is the response (D81)', async () => {
    const charged: number[] = [];
    const send = await startGraphQLServer({
      charge: async (cost) => {
        charged.push(cost);
        if (cost > 1) throw new ServiceError('FORBIDDEN', 'Not today.');
      },
    });
    expect(await send({ query: '{ __typename }' })).toMatchObject({ status: 200, code: null });
    expect(await send({ query: '{ browseApps(limit: 10) { apps { id } } }' })).toMatchObject({
      status: 403,
      code: 'FORBIDDEN',
      result: { errors: [{ message: 'Not today.' }] },
    });
    expect(charged).toEqual([1, 23]);
  });

  it('is not charged for a document that is rejected before it runs', async () => {
    const charged: number[] = [];
    const send = await startGraphQLServer({ charge: async (cost) => void charged.push(cost) });
    await send({ query: '{ nothing }' });
    await send({ query: `{ ${'__typename '.repeat(6_000)} }` });
    await send({
      query: 'query ($page: Int) { browseApps(page: $page) { apps { id } } }',
      variables: { page: 'x' },
    });
    expect(charged).toEqual([]);
  });
});

describe('the cost of parsing and validating', () => {
  const chargesOf = async (...bodies: object[]) => {
    const charged: number[] = [];
    const send = await startGraphQLServer({ chargeParsing: async (points) => void charged.push(points) });
    for (const body of bodies) await send(body);
    return charged;
  };
  const query = '{ categories { count } }';

  it('is charged by tokens, once for a valid document (D135)', async () => {
    expect(await chargesOf({ query }, { query }, { query })).toEqual([12]);
  });

  it.each([
    ['an unknown field', '{ nothing { count } }', 12],
    ['a syntax error', '{ categories { count }', 10],
    ['too many tokens', `{ ${'__typename '.repeat(6_000)} }`, 10_002 + 578],
    ['too much nesting', `{ ${'a { '.repeat(2_000)}`, 202],
    ['a cycle', '{ ...a } fragment a on Query { ...a }', 24],
  ])('is charged every time for a rejected document: %s (D135)', async (_, query, points) => {
    expect(await chargesOf({ query }, { query })).toEqual([points, points]);
  });

  it('is charged by the length of a long request, whether the document is cached or not (D135)', async () => {
    const long = { query, variables: { unknown: 'x'.repeat(108_192) } };
    expect(await chargesOf({ query }, long)).toEqual([12, 1000]);
  });

  it('is charged for an operation that is too expensive to run (D135)', async () => {
    const lists = Array.from({ length: 50 }, (_, at) => `a${at}: browseApps(limit: 100) { apps { id } }`);
    const expensive = { query: `{ ${lists.join(' ')} }` };
    expect((await chargesOf(expensive, expensive)).slice(1)).toEqual([10_000, 10_000]);
  });

  it('is rejected if the limit is used up', async () => {
    const send = await startGraphQLServer({
      chargeParsing: async () => {
        throw new ServiceError('RATE_LIMITED', 'Later.');
      },
    });
    expect(await send({ query })).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
  });
});
