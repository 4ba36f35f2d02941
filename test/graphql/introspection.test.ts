import { describe, expect, it } from '@jest/globals';
import { startService } from '../support/service.js';
import { startGraphQLServer } from './graphql-server.js';

describe('INTROSPECTION=off', () => {
  it('disables introspection and /schema.graphql, and nothing else', async () => {
    await using service = await startService({ INTROSPECTION: 'off' });
    const { response, errors } = await service.client.graphql('{ __schema { types { name } } }');
    expect(response.status).toBe(400);
    expect(errors?.[0]?.extensions.code).toBe('VALIDATION_FAILED');
    expect(errors?.[0]?.message).toMatch(/INTROSPECTION=off/);
    expect((await service.client.request('GET', '/schema.graphql')).status).toBe(404);
    expect((await service.client.graphql('{ categories { count } }')).data).toBeTruthy();
  });

  it.each([
    ['introspection', '{ __schema { types { name } } }', {}],
    ['an unknown field', '{ categoriez { count } }', {}],
    ['an unknown argument', '{ browseApps(pag: 1) { apps { id } } }', {}],
    ['an unknown type', 'query ($a: AppFiltr) { browseApps(filter: $a) { apps { id } } }', {}],
    ['an unknown field of an input', '{ browseApps(filter: { serch: "x" }) { apps { id } } }', {}],
    ['an unknown enum value', '{ browseApps(sort: newes) { apps { id } } }', {}],
    [
      'an unknown enum value in a variable',
      'query ($sort: AppSort) { browseApps(sort: $sort) { apps { id } } }',
      { sort: 'newes' },
    ],
    ['no selection', '{ categories }', {}],
  ])('rejects without suggestions: %s', async (_, query, variables) => {
    const send = await startGraphQLServer({ introspection: false });
    const { status, code, result } = await send({ query, variables });
    expect({ status, code }).toEqual({ status: 400, code: 'VALIDATION_FAILED' });
    expect(JSON.stringify(result)).not.toMatch(/did you mean|use one of/i);
  });
});
