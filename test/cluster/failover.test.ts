import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ClusterGateway, startGateway } from './support/gateways.js';
import { type DatabaseProxy, startDatabaseProxy } from './support/haproxy.js';
import { compare, type Sql } from './support/ledger.js';
import { type PatroniCluster, startPatroniCluster } from './support/patroni.js';
import type { PatroniNode } from './support/patroni-node.js';
import { freePorts, isShort, say } from './support/processes.js';
import { conclude } from './support/verdict.js';
import { Workload } from './support/workload.js';

/** A former primary has to join again before the next fault. */
const WHOLE_WITHIN_MS = 90_000;
const RECOVERS_WITHIN_MS = 60_000;

describe('a failover under load', () => {
  let cluster: PatroniCluster;
  let proxy: DatabaseProxy;
  let gateways: ClusterGateway[];

  beforeAll(async () => {
    say('starting etcd, three nodes of Patroni, and HAProxy');
    cluster = await startPatroniCluster();
    proxy = await startDatabaseProxy(cluster);
    const [port = 0] = await freePorts(1);
    const settings = { DATABASE_URL: proxy.primaryUrl, PUBLIC_URL: `http://127.0.0.1:${port}` };
    gateways = [await startGateway('gateway1', settings), await startGateway('gateway2', settings)];
  });
  afterAll(async () => {
    for (const gateway of gateways ?? []) await gateway.program().end('SIGKILL');
    await cluster?.close();
  });

  const sql: Sql = async (text) => (await cluster.primary()).sql(text, 'marketplace');

  const faults: {
    fault: string;
    /** The short form has the failovers that take the least time and the most. */
    isInShort?: true;
    happen: (primary: PatroniNode) => Promise<unknown>;
    end: (primary: PatroniNode) => unknown;
  }[] = [
    {
      fault: 'primary killed (kill -9 of Patroni and PostgreSQL)',
      isInShort: true,
      happen: (primary) => primary.signal('SIGKILL'),
      end: (primary) => primary.start(),
    },
    {
      // A watchdog resets a machine whose Patroni is frozen. Without one a primary that wakes up in the middle of Patroni's
      // loop can take the lock back (Patroni 3.0.2), and what the new primary has acknowledged meanwhile is lost.
      fault: 'primary paused (SIGSTOP), then reset as by its watchdog',
      happen: (primary) => primary.signal('SIGSTOP'),
      end: async (primary) => {
        await primary.signal('SIGKILL');
        primary.start();
      },
    },
    {
      fault: 'primary partitioned from gateways, replicas and etcd',
      happen: async (primary) => primary.isolate(),
      end: (primary) => primary.rejoin(),
    },
    {
      fault: 'planned switchover (patronictl)',
      isInShort: true,
      happen: () => cluster.switchover(),
      end: () => undefined,
    },
  ];

  it.each(isShort() ? faults.filter(({ isInShort }) => isInShort) : faults)(
    'loses and repeats nothing: $fault (D259)',
    async ({ fault, happen, end }) => {
      const primary = await cluster.isWhole(WHOLE_WITHIN_MS);
      const load = await Workload.prepare(gateways.map(({ url }) => url));
      let recoverySeconds = 0;
      try {
        load.start();
        await load.history.recovered(performance.now(), [0, 1], RECOVERS_WITHIN_MS);
        say(`${fault}: ${primary.name} is the primary`);
        const since = performance.now();
        await happen(primary);
        recoverySeconds = await load.history.recovered(since, [0, 1], RECOVERS_WITHIN_MS);
        say(`writes are back after ${recoverySeconds.toFixed(1)} s on ${(await cluster.primary()).name}`);
      } finally {
        await end(primary);
        await cluster.isWhole(WHOLE_WITHIN_MS);
        await load.stop();
      }
      await conclude(load, sql, { fault, times: 1, recoverySeconds });
      expect((await cluster.primary()).name).not.toBe(primary.name);
    },
  );

  it('would be noticed if it lost or repeated a write (D259)', async () => {
    await cluster.isWhole(WHOLE_WITHIN_MS);
    const load = await Workload.prepare(gateways.map(({ url }) => url));
    load.start();
    await load.history.recovered(performance.now(), [0, 1], RECOVERS_WITHIN_MS);
    await load.history.recovered(performance.now(), [0, 1], RECOVERS_WITHIN_MS, ['rate', 'message', 'claim']);
    await load.stop();
    const { updatedApps, plain, talked, once } = load.stage;
    const names = [...load.ledger.created.keys()].slice(0, 2).map((name) => `'${name}'`);
    for (const statement of [
      `update apps set name = ${names[0]} where name = ${names[1]}`,
      `update apps set revision = revision + 5 where id = '${updatedApps[0]!.id}'`,
      `update apps set revision = 1 where id = '${updatedApps[1]!.id}'`,
      `update app_figures set install_count = install_count - 1 where id = '${plain.id}'`,
      `delete from ratings where id = (select min(id::text)::uuid from ratings where app_id = '${plain.id}')`,
      `delete from review_messages where id = (select min(id::text)::uuid from review_messages where app_id = '${talked.id}')`,
      `update submissions set claimed_by = 'nobody' where claimed_by is not null`,
      `update installations set installation_id = 'another' where id = (select min(id::text)::uuid from installations where app_id = '${once.id}')`,
    ])
      await sql(statement);
    const { lost, duplicated } = await compare(load.ledger, load.stage, sql);
    const kinds = (found: string[]) => new Set(found.map((each) => each.split(/ |:/)[0]?.toLowerCase()));
    expect(kinds(lost)).toEqual(
      new Set(['app', 'updates', 'installs', 'installation', 'rating', 'message', 'claim']),
    );
    expect(kinds(duplicated)).toEqual(new Set(['app', 'updates', 'reviewcount']));
  });
});
