import { describe, expect, it } from '@jest/globals';
import type { OperationName } from '../../src/contract.js';
import { type AppJson, aListing, type Developer, type Json } from '../support/actors.js';
import type { Input } from '../support/api-client.js';
import { duringTests } from '../support/before-tests.js';
import { type Entry, fifty, race, racing, startRacingService, tally } from './race.js';

const issuer = 'https://gitlab.example';
const publisher = { issuer, repository: 'acme/notes', workflow: 'release.yml' };
const url = 'https://hooks.example/market';

/** What a case needs: it is made anew for each. */
interface World {
  ada: Developer;
  draft: AppJson;
  endpoint: Json;
}
/** An operation, its input, and the last row that it locks. The credential is the developer's, or the administrator's. */
type Case = [
  OperationName,
  'developers' | 'apps' | 'trusted_publishers' | 'webhook_deliveries' | 'webhook_endpoints',
  (world: World) => Promise<{ row: string; input: Input }>,
];

describe('writes of one developer, whose position in the audit log is the last lock', () => {
  const service = duringTests(() => startRacingService({ PUBLISHER_ISSUERS: issuer }));
  const { entry, holdRows, waitingFor } = racing(service);

  const trust = (ada: Developer, appId: string) =>
    service.must<Json>('addTrustedPublisher', { appId, ...publisher }, ada.token);
  const aWorld = async (): Promise<World> => {
    const ada = await service.aDeveloper({ bio: 'Mine.' });
    const draft = await service.anApp(ada);
    return {
      ada,
      draft,
      endpoint: await service.must<Json>('createWebhookEndpoint', { url }, ada.key),
    };
  };

  const cases: Case[] = [
    ['createApp', 'developers', async ({ ada }) => ({ row: ada.id, input: aListing() })],
    ['createWebhookEndpoint', 'developers', async ({ ada }) => ({ row: ada.id, input: { url } })],
    ['messageReviewers', 'apps', async ({ draft: { id } }) => ({ row: id, input: { id, text: 'Hello.' } })],
    [
      'suspendDeveloper',
      'apps',
      async ({ ada }) => ({
        row: (await service.anApp(ada, 'APPROVED')).id,
        input: { id: ada.id, reason: 'Suspicious.' },
      }),
    ],
    [
      'addTrustedPublisher',
      'trusted_publishers',
      async ({ ada, draft }) => ({
        row: (await trust(ada, draft.id)).id,
        input: { appId: draft.id, ...publisher, repositoryId: '1001' },
      }),
    ],
    [
      'deleteApp',
      'trusted_publishers',
      async ({ ada, draft: { id } }) => ({ row: (await trust(ada, id)).id, input: { id } }),
    ],
    [
      'deleteWebhookEndpoint',
      'webhook_deliveries',
      async ({ ada, endpoint: { id } }) => ({
        row: (await service.must<Json>('testWebhookEndpoint', { id }, ada.key)).id,
        input: { id },
      }),
    ],
    [
      'undoKeyChanges',
      'webhook_endpoints',
      async ({ ada }) => {
        const { id, key } = await service.anIssuedKey(ada);
        await service.must('createApiKey', { name: 'Another', scopes: ['APP_READ'] }, key);
        await service.must('createWebhookEndpoint', { url }, key);
        const last = await service.must<Json>('createWebhookEndpoint', { url }, key);
        await service.must('updateMe', { bio: 'Stolen.' }, key);
        await service.must('revokeApiKey', { id }, ada.token);
        return { row: last.id, input: { keyId: id } };
      },
    ],
  ];

  it.each(cases)('%s takes it after the last row of %s', async (name, table, prepare) => {
    const world = await aWorld();
    const { row, input } = await prepare(world);
    const release = await holdRows(`select from ${table} where id = $1 for update`, [row]);
    const bearer = name === 'suspendDeveloper' ? await service.admin() : world.ada.token;
    const call = service.call(name, input, bearer);
    await waitingFor(1);
    const free = await service.sql(
      "select pg_try_advisory_xact_lock(hashtextextended('events:' || $1::text, 0)) as free",
      [world.ada.id],
    );
    await release();
    expect(free).toEqual([{ free: true }]);
    expect((await call).code).toBeNull();
  });

  it('fifty at once, creating apps and changing the profile, all succeed', async () => {
    const { ada } = await aWorld();
    const create = entry('createApp', aListing(), ada.key);
    const change = (i: number): Entry => entry('updateMe', { bio: `Text ${i}` }, ada.key);
    expect(tally(await race(fifty((i) => (i % 2 ? create : change(i)))))).toEqual({ OK: 50 });
  });
});
