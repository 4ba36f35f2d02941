import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { migrateDatabase } from '../../src/process/migrate.js';
import type { AppJson } from '../support/actors.js';
import { beforeTests } from '../support/before-tests.js';
import { until } from '../support/mail-server.js';
import { ReplicatedGateway } from './support/replicated-gateway.js';
import { PostgresServer } from './support/streaming-replication.js';

const PATIENCE_MS = 60_000;

let standbys: PostgresServer[];
let gateway: ReplicatedGateway;
let app: AppJson;

const primary = beforeTests(() => PostgresServer.primary('failover-primary'));
beforeAll(async () => {
  await migrateDatabase(primary.url);
  standbys = [];
  for (const name of ['next', 'ahead', 'follower']) standbys.push(await primary.standby(`failover-${name}`));
  gateway = await ReplicatedGateway.start(
    'failover-gateway',
    primary.url,
    standbys.map(({ url }) => url),
  );
  app = await gateway.actors.anApp(await gateway.actors.aDeveloper(), 'APPROVED');
});
afterAll(() => gateway?.close());

/** Changes the app, and reads the change back from wherever the gateway reads. */
async function expectChangesToBeSeen(stem: string): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) {
    const description = `${stem} ${turn}.`;
    await gateway.edit(app.id, description);
    expect(await gateway.description(app.slug)).toBe(description);
    await gateway.untilRead();
    expect(await gateway.description(app.slug)).toBe(description);
  }
}

const untilReplayed = (standby: PostgresServer, position: number): Promise<unknown> =>
  until(
    async () => (await standby.position()) >= position,
    () => `${standby.name} does not replay the last changes`,
    PATIENCE_MS,
  );

describe('after a failover', () => {
  it('a replica that has more than the new primary is not asked, and one that follows it is', async () => {
    const [next, ahead, follower] = standbys as [PostgresServer, PostgresServer, PostgresServer];
    await gateway.untilUsed([true, true, true]);
    await expectChangesToBeSeen('Before');

    // Only one standby gets the last changes, and another one takes over: an asynchronous failover has lost them.
    await follower.follow(next);
    // Until it is started again, it streams from the primary: it must not have more than the server that it will follow.
    await follower.stop();
    await untilReplayed(next, await primary.position());
    await next.stop();
    await gateway.edit(app.id, 'Lost.');
    for (let turn = 0; turn < 3; turn += 1)
      await primary.sql('create table if not exists more_log (id int); select pg_switch_wal()');
    await gateway.edit(app.id, 'Lost as well.');
    await untilReplayed(ahead, await primary.position());
    await primary.kill();
    await next.start();
    await next.sql('select pg_promote()');
    gateway.line.leadTo(next.url);
    await follower.start();

    await gateway.untilUsed([null, false, true]);
    expect(await ahead.position()).toBeGreaterThan(await next.position());
    await expectChangesToBeSeen('After');
    expect(await ahead.sql("select from apps where description like 'Lost%'")).toHaveLength(1);
    expect(gateway.figures.map(({ isUsed }) => isUsed)).toEqual([null, false, true]);
  });
});
