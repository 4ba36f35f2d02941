import { beforeAll, describe, expect, it } from '@jest/globals';
import type { OperationName } from '../../src/contract.js';
import { HeldTables } from '../limits/held-tables.js';
import { aListing } from '../support/actors.js';
import { type Api, apis, type Input, type Outcome } from '../support/api-client.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { startService } from '../support/service.js';

const requestSeconds = 2;
/** For the response itself. Less than a lock would wait without the deadline. */
const slackMs = 2_500;
/** A busy machine may be late once; a request without the deadline is late each time. */
const tries = 4;

let tables: string[];
const service = duringTests(() =>
  startService({ REQUEST_SECONDS: String(requestSeconds), DATABASE_POOL: '64' }),
);
const ada = beforeTests(() => service.aDeveloper());
const app = beforeTests(() => service.anApp(ada, 'APPROVED'));
const draft = beforeTests(() => service.anApp(ada));
beforeAll(async () => {
  const rows = await service.sql<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename !~ 'migrations' order by 1",
  );
  tables = rows.map(({ name }) => name);
});

const calls = (): [OperationName, Input, string | null][] => [
  ['browseApps', { search: crypto.randomUUID() }, null],
  ['myApps', {}, ada.key],
  ['createApp', aListing(), ada.key],
  ['updateApp', { id: draft.id, description: 'Changed.' }, ada.key],
  ['submitApp', { id: draft.id }, ada.token],
  ['recordInstall', { slug: app.slug }, null],
  ['updateMe', { name: 'Ada' }, ada.token],
];

async function timed(api: Api, [name, input, bearer]: ReturnType<typeof calls>[number]) {
  const startedAt = performance.now();
  const outcome = await service.client.call(api, name, input, bearer);
  return { api, name, ms: performance.now() - startedAt, outcome };
}

const isLate = ({ ms }: { ms: number }) => ms > requestSeconds * 1_000 + slackMs;

async function whileHeld(table: string) {
  const held = await HeldTables.lock(service, `^${table}$`);
  const results = await Promise.all(apis.flatMap((api) => calls().map((call) => timed(api, call))));
  await held.release();
  return results;
}

const isUnavailable = ({ code, headers }: Outcome) =>
  code === 'UNAVAILABLE' && Number(headers.get('retry-after')) > 0;

describe('a request that needs a lock which somebody holds', () => {
  it('has its response in time through REST and GraphQL, whichever table is held (D329)', async () => {
    const unavailable = new Map<string, number>();
    for (const table of tables) {
      let results = await whileHeld(table);
      for (let more = tries - 1; more > 0 && results.some(isLate); more -= 1)
        results = await whileHeld(table);
      expect([table, results.filter(isLate)]).toEqual([table, []]);
      for (const { outcome } of results.filter((result) => result.outcome.code === 'UNAVAILABLE'))
        expect([table, outcome.headers.get('retry-after')]).toEqual([table, expect.stringMatching(/^\d+$/)]);
      unavailable.set(table, results.filter(({ outcome }) => isUnavailable(outcome)).length);
    }
    for (const table of ['api_keys', 'apps', 'developers'])
      expect([table, unavailable.get(table)! > 0]).toEqual([table, true]);
  }, 300_000);

  it('is served as usual when nobody holds it any more (D329)', async () => {
    for (const api of apis) {
      const { outcome } = await timed(api, ['myApps', {}, ada.key]);
      expect(outcome.code).toBeNull();
    }
  });
});
