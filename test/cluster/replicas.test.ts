import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { MAX_LAG_MS } from '../../src/db/replica.js';
import { examine } from '../../src/process/doctor/examine.js';
import { migrateDatabase } from '../../src/process/migrate.js';
import type { AppJson, Developer } from '../support/actors.js';
import { beforeTests } from '../support/before-tests.js';
import { until } from '../support/mail-server.js';
import { expectVisibleWithinASecond } from '../support/send-request.js';
import { isShort, say } from './support/processes.js';
import { disturb, ReplicaHistory } from './support/replica-history.js';
import { ReplicatedGateway } from './support/replicated-gateway.js';
import { PostgresServer } from './support/streaming-replication.js';

let standbys: PostgresServer[];
let gateways: ReplicatedGateway[];
let here: ReplicatedGateway;
let there: ReplicatedGateway;
let ada: Developer;
let app: AppJson;
let edits = 0;
let installs = 0;

const primary = beforeTests(() => PostgresServer.primary('replicas-primary'));
beforeAll(async () => {
  await migrateDatabase(primary.url);
  standbys = [await primary.standby('replicas-one'), await primary.standby('replicas-two')];
  const urls = standbys.map(({ url }) => url);
  gateways = [
    await ReplicatedGateway.start('replicas-here', primary.url, urls),
    await ReplicatedGateway.start('replicas-there', primary.url, urls),
  ];
  [here, there] = gateways as [ReplicatedGateway, ReplicatedGateway];
  ada = await here.actors.aDeveloper();
  app = await here.actors.anApp(ada, 'APPROVED');
});
afterAll(async () => {
  for (const standby of standbys ?? []) standby.thaw();
  for (const gateway of gateways ?? []) await gateway.close();
});

const onStandbys = (sql: string) => Promise.all(standbys.map((standby) => standby.sql(sql)));
const untilAllUsed = () => Promise.all(gateways.map((gateway) => gateway.untilUsed([true, true])));
/** Changes the app at one gateway, and checks what both show from then on. */
async function expectChangesToBeSeen(): Promise<void> {
  edits += 1;
  const description = `Edit ${edits}.`;
  await here.edit(app.id, description);
  // The gateway that made the change shows it at once, and the other one within a second.
  expect(await here.description(app.slug)).toBe(description);
  expect(await here.cachedDescription(app.slug)).toBe(description);
  await expectVisibleWithinASecond(async () => (await there.description(app.slug)) === description);
  await expectVisibleWithinASecond(async () => (await there.cachedDescription(app.slug)) === description);
  // Reports show at once what any gateway has committed.
  for (const gateway of [there, here]) {
    edits += 1;
    installs += 1;
    await gateway.edit(app.id, `Edit ${edits}.`);
    await gateway.actors.must('recordInstall', { slug: app.slug });
    for (const reader of gateways) {
      expect(await reader.edits(app.id)).toBe(edits);
      expect(await reader.installs(app.id, ada.key)).toEqual({ total: installs, today: installs });
    }
  }
}

describe('replicas', () => {
  beforeEach(untilAllUsed);

  it('answer public reads, searches, analytics and the audit log; the primary is only asked for its position (D246)', async () => {
    await Promise.all(gateways.map((gateway) => gateway.untilRead()));
    await expectChangesToBeSeen();
    await Promise.all(gateways.map((gateway) => gateway.untilRead()));
    const before = here.figures.map(({ reads }) => reads);
    const readsOnPrimary = async () => {
      const statements = await here.statementsOnPrimary(async () => {
        for (let turn = 0; turn < 10; turn += 1) {
          await here.description(app.slug);
          await here.actors.must('browseApps', { search: 'App', limit: 10 + turn });
          await here.actors.must('appRatings', { slug: app.slug, first: 10 + turn });
        }
      });
      return statements.filter((statement) => / from (apps|ratings)|app_search/.test(statement));
    };
    // On a busy machine a replica may lag for a moment, and the primary is asked meanwhile.
    let reads = await readsOnPrimary();
    for (let again = 0; again < 4 && reads.length > 0; again += 1) reads = await readsOnPrimary();
    expect(reads).toEqual([]);
    const reports = await here.statementsOnPrimary(async () => {
      await here.edits(app.id);
      await here.installs(app.id, ada.key);
    });
    expect(reports.filter((statement) => /audit_events|installs_daily|app_figures/.test(statement))).toEqual(
      [],
    );
    expect(reports.some((statement) => statement.includes('pg_current_wal_insert_lsn'))).toBe(true);
    for (const [at, { reads }] of here.figures.entries()) expect(reads).toBeGreaterThan(before[at]! + 5);
  });

  it('are shown by the metrics and checked by the doctor (D249)', async () => {
    const metrics = await (await here.actors.client.request('GET', '/metrics')).text();
    for (const { port } of standbys) {
      const label = `{replica="127.0.0.1:${port}/postgres"}`;
      expect(metrics).toContain(`marketplace_replica_used${label} 1\n`);
      expect(metrics).toContain(`marketplace_replica_lag_bytes${label} `);
      expect(metrics).toContain(`marketplace_replica_lag_seconds${label} `);
      expect(metrics).toMatch(new RegExp(`^marketplace_replica_reads_total${label} [1-9]`, 'm'));
    }
    const findings = await examine({
      DATABASE_URL: primary.url,
      DATABASE_REPLICA_URLS: standbys.map(({ url }) => url).join(','),
    });
    expect(
      findings.filter(({ message }) => /the replica on .* is a standby, 0\.0 s behind/.test(message)),
    ).toEqual([expect.objectContaining({ status: 'OK' }), expect.objectContaining({ status: 'OK' })]);
  });

  it('are not asked while they lag, and come back', async () => {
    const delayTo = (time: string) =>
      onStandbys(`alter system set recovery_min_apply_delay = '${time}'`).then(() =>
        onStandbys('select pg_reload_conf()'),
      );
    await delayTo('300ms');
    for (let turn = 0; turn < 5; turn += 1) await expectChangesToBeSeen();
    await delayTo('1h');
    for (let turn = 0; turn < 5; turn += 1) await expectChangesToBeSeen();
    await here.untilUsed([false, false]);
    expect(here.figures[0]!.lagBytes).toBeGreaterThan(0);
    expect(here.figures[0]!.lagSeconds).toBeGreaterThan(1);
    await expectChangesToBeSeen();
    await delayTo('0');
    await untilAllUsed();
    await here.untilRead();
  });

  it('are not asked while their replay is paused, and come back', async () => {
    await onStandbys('select pg_wal_replay_pause()');
    const before = here.reads;
    for (let turn = 0; turn < 10; turn += 1) await expectChangesToBeSeen();
    await here.untilUsed([false, false]);
    expect(here.reads).toBe(before);
    await onStandbys('select pg_wal_replay_resume()');
    await untilAllUsed();
    await here.untilRead();
    await expectChangesToBeSeen();
  });

  it('that are silent delay a request by less than two seconds, and are left out until they respond (D249)', async () => {
    await here.untilRead();
    standbys[0]!.freeze();
    const asked = Array.from({ length: 40 }, async () => {
      const sentAt = performance.now();
      await here.description(app.slug);
      return performance.now() - sentAt;
    });
    expect(Math.max(...(await Promise.all(asked)))).toBeLessThan(2_000);
    await here.untilUsed([false, true]);
    await expectChangesToBeSeen();
    standbys[0]!.thaw();
    await untilAllUsed();
    await expectChangesToBeSeen();
  });

  it('that crash are left out, and come back with no more than they have replayed (D249)', async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      await here.untilRead();
      await standbys[0]!.kill();
      await expectChangesToBeSeen();
      await here.untilUsed([false, true]);
      // Its lag grows from the last position that it has reported.
      await until(
        () => (here.figures[0]!.lagBytes ?? 0) > 0 && (here.figures[0]!.lagSeconds ?? 0) > 0,
        () => `the lag does not grow: ${JSON.stringify(here.figures)}`,
      );
      // It starts with a state from before the last changes, and does not go on from there.
      await standbys[0]!.start({ recovery_min_apply_delay: '1h' });
      for (let again = 0; again < 3; again += 1) await expectChangesToBeSeen();
      await standbys[0]!.kill();
      await standbys[0]!.start();
      await untilAllUsed();
    }
  });

  it('show every acknowledged change in time, whatever happens to them', async () => {
    const history = new ReplicaHistory(gateways, ada, await here.actors.anApp(ada, 'APPROVED'));
    const before = gateways.map(({ reads }) => reads);
    await history.runDuring(disturb(standbys, isShort() ? 15 : 60));
    const onReplicas = gateways.map(({ reads }, at) => reads - before[at]!);
    say(`${JSON.stringify(history.counts)}, statements on replicas: ${onReplicas}`);
    expect(history.violations).toEqual([]);
    for (const count of onReplicas) expect(count).toBeGreaterThan(10);
  });
});

describe('a server that is no replica of the primary', () => {
  beforeAll(untilAllUsed);

  it('is not asked: the primary itself, or one that was promoted', async () => {
    const startedAt = Date.now();
    const gateway = await ReplicatedGateway.start('replicas-wrong', primary.url, [
      primary.url,
      standbys[0]!.url,
    ]);
    try {
      await gateway.untilUsed([null, true]);
      await gateway.untilRead();
      expect(gateway.figures[0]!.reads).toBe(0);
      const metrics = await (await gateway.actors.client.request('GET', '/metrics')).text();
      const shown = (port: number) =>
        [
          ...metrics.matchAll(new RegExp(`^marketplace_replica_(\\w+)\\{replica="127.0.0.1:${port}/`, 'gm')),
        ].map(([, figure]) => figure);
      expect(shown(primary.port)).toEqual(['reads_total']);
      expect(shown(standbys[0]!.port)).toEqual(['used', 'lag_seconds', 'lag_bytes', 'reads_total']);
    } finally {
      await gateway.close();
    }
    // Neither the start nor the end is worth a warning; a replica that lags for a second is.
    const warnings = gateway.logged.filter(({ level, replica }) => replica && level > 30);
    expect(warnings.filter(({ time }) => time - startedAt < MAX_LAG_MS)).toEqual([]);
    expect(warnings.filter(({ problem }) => problem === 'it is closed')).toEqual([]);
    await standbys[1]!.sql('select pg_promote()');
    await expectChangesToBeSeen();
    await here.untilUsed([true, false]);
    await expectChangesToBeSeen();
  });

  it('is not asked although its position is ahead, since it has left the history of the primary', async () => {
    const [, former] = standbys as [PostgresServer, PostgresServer];
    for (let turn = 0; turn < 4; turn += 1)
      await former.sql('create table if not exists other_history (id int); select pg_switch_wal()');
    await former.makeStandbyOfNobody();
    expect(await former.position()).toBeGreaterThan(await primary.position());
    for (let turn = 0; turn < 20; turn += 1) await expectChangesToBeSeen();
    await here.untilUsed([true, false]);
  });
});
