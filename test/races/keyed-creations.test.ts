import { describe, expect, it } from '@jest/globals';
import { aListing, type Json, unique } from '../support/actors.js';
import type { ApiClient } from '../support/api-client.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { secondGateway } from '../support/service.js';
import { expectHealthy, fifty, startRacingService } from './race.js';

const service = duringTests(startRacingService);
const second = duringTests(() => secondGateway(service));
const ada = beforeTests(() => service.aDeveloper());

async function create(client: ApiClient, input: object, key: string) {
  const response = await client.request('POST', '/graphql', {
    bearer: ada.key,
    body: {
      query: 'mutation ($input: CreateAppInput!) { createApp(input: $input) { id name } }',
      variables: { input },
    },
    headers: { 'idempotency-key': key },
  });
  const { data, errors } = (await response.json()) as { data: { createApp: Json } | null; errors?: Json[] };
  return { app: data?.createApp, code: (errors?.[0]?.extensions as Json | undefined)?.code };
}

describe('fifty at once, creating apps by GraphQL with Idempotency-Keys on two gateways', () => {
  it('with five keys: each key makes one app, which all successes have (D425)', async () => {
    const inputs = Array.from({ length: 5 }, () => aListing({ name: unique('Keyed') }));
    const at = (index: number) => (index % 2 ? service : second).client;
    const made = await Promise.all(fifty((i) => create(at(i), inputs[i % 5]!, `creation ${i % 5}`)));
    for (const [index, { name }] of inputs.entries()) {
      const rows = await service.sql<{ id: string }>('select id from apps where name = $1', [name]);
      expect(rows).toHaveLength(1);
      const same = made.filter((_, i) => i % 5 === index);
      const found = same.flatMap(({ app }) => (app ? [app] : []));
      expect(new Set(found.map(({ id }) => id))).toEqual(new Set([rows[0]!.id]));
      expect(same.filter(({ app, code }) => !app && code !== 'IDEMPOTENCY_CONFLICT')).toEqual([]);
      expect(await create(at(index), inputs[index]!, `creation ${index}`)).toEqual({ app: found[0] });
    }
    await expectHealthy(service);
  });
});
