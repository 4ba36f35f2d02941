import { describe, expect, it } from '@jest/globals';
import type { OperationName } from '../../src/contract.js';
import type { Developer } from '../support/actors.js';
import { apis, type Input, operationsOfBothApis } from '../support/api-client.js';
import { duringTests } from '../support/before-tests.js';
import { connectTo } from '../support/database.js';
import { startService } from '../support/service.js';
import { patient, racing } from './race.js';

const service = duringTests(() =>
  startService({}, undefined, { ...patient, writeBounds: { perResource: 1 } }),
);
const { holdRows, waitingFor } = racing(service);

/** Begins to change the developer's state as an administrator would; the returned function commits it. */
async function beginChange(developer: Developer, status: 'SUSPENDED' | 'UNVERIFIED') {
  const client = await connectTo(service.databaseUrl);
  await client.query('begin');
  await client.query(
    `update developers set status = $2, status_before_suspension = case when $2 = 'SUSPENDED' then status end,
       verified_at = case when $2 = 'SUSPENDED' then verified_at end where id = $1`,
    [developer.id, status],
  );
  return async () => {
    await client.query('commit');
    await client.end();
  };
}

const apisOf = (name: OperationName) => (operationsOfBothApis.includes(name) ? apis : (['graphql'] as const));

describe('a developer whose state changes while a request runs', () => {
  const cases: [OperationName, (ada: Developer) => Promise<Input>][] = [
    ['submitApp', async (ada) => ({ id: (await service.anApp(ada)).id })],
    ['createApiKey', async () => ({ name: 'Another', scopes: ['APP_READ'] })],
    [
      'rotateApiKey',
      async (ada) => {
        const input = { name: 'Old', scopes: ['APP_READ'] };
        return { id: (await service.must<{ id: string }>('createApiKey', input, ada.token)).id };
      },
    ],
    [
      'submitAppVersion',
      async (ada) => {
        const { id: appId } = await service.anApp(ada, 'APPROVED');
        const input = { appId, description: 'Better.' };
        return { id: (await service.must<{ id: string }>('createAppVersion', input, ada.token)).id };
      },
    ],
  ];

  it.each(cases)('is told what is true by %s (D245)', async (name, inputFor) => {
    for (const api of apisOf(name)) {
      for (const [status, code] of [
        ['SUSPENDED', 'DEVELOPER_SUSPENDED'],
        ['UNVERIFIED', 'DEVELOPER_NOT_VERIFIED'],
      ] as const) {
        const ada = await service.aDeveloper();
        const input = await inputFor(ada);
        const commit = await beginChange(ada, status);
        const outcome = service.client.call(api, name, input, ada.key);
        await waitingFor(1);
        await commit();
        expect([api, status, (await outcome).code]).toEqual([api, status, code]);
      }
    }
  });
});

describe('a request that has waited for its turn', () => {
  it.each([
    [
      'a suspension',
      'DEVELOPER_SUSPENDED',
      (ada: Developer) => beginChange(ada, 'SUSPENDED').then((commit) => commit()),
    ],
    [
      'the revocation of its key',
      'API_KEY_REVOKED',
      (ada: Developer) =>
        service
          .sql('update api_keys set revoked_at = now() where developer_id = $1', [ada.id])
          .then(() => undefined),
    ],
  ] as const)('changes nothing after %s (D245)', async (_what, code, end) => {
    const ada = await service.aDeveloper();
    const { id } = await service.anApp(ada);
    const release = await holdRows('select from apps where id = $1 for update', [id]);
    const update = (description: string) =>
      service.client.call('rest', 'updateApp', { id, description }, ada.key);
    try {
      const first = update('First');
      await waitingFor(1);
      const second = update('Second');
      // Later requests are answered, so the second one has been admitted and waits.
      for (let i = 0; i < 5; i += 1) await service.client.call('rest', 'me', {}, ada.key);
      await end(ada);
      await release();
      expect([(await first).code, (await second).code]).toEqual([null, code]);
    } finally {
      await release();
    }
    const [row] = await service.sql('select description from apps where id = $1', [id]);
    expect(row).toEqual({ description: 'First' });
  });
});
