import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { aListing, atOnce } from '../support/actors.js';
import { until } from '../support/mail-server.js';
import { type Installation, startInstallation } from './support/installation.js';
import { isShort, say } from './support/processes.js';
import { conclude } from './support/verdict.js';
import { Workload } from './support/workload.js';

const RECOVERS_WITHIN_MS = 60_000;

describe('a bad day', () => {
  let here: Installation;

  beforeAll(async () => {
    say('starting PostgreSQL, two gateways and a worker');
    here = await startInstallation();
  });
  afterAll(() => here?.close());

  const prepare = () =>
    Workload.prepare(
      here.gateways.map(({ url }) => url),
      here.provider.token,
    );
  const subjects = async () => here.mails.mails.map(({ subject = '' }) => subject);

  /** Lets a fault happen several times under load. The fault returns the time from which writes should work again. */
  async function suffer(
    fault: string,
    times: number,
    happen: (load: Workload, i: number) => Promise<number>,
  ) {
    const load = await prepare();
    load.client.mayBreak = /killed/.test(fault);
    let recoverySeconds = 0;
    say(`${fault}: ${times} times`);
    try {
      load.start();
      await load.history.recovered(performance.now(), [0, 1], RECOVERS_WITHIN_MS);
      for (let i = 0; i < times; i += 1) {
        const since = await happen(load, i);
        const seconds = await load.history.recovered(since, [0, 1], RECOVERS_WITHIN_MS);
        recoverySeconds = Math.max(recoverySeconds, seconds);
      }
    } finally {
      await load.stop();
    }
    await conclude(load, here.sql, { fault, times, recoverySeconds }, subjects);
  }

  it.each(['fast', 'immediate'] as const)('PostgreSQL is restarted: %s', async (mode) => {
    await suffer(`PostgreSQL restarted (${mode})`, isShort() ? 2 : 20, async () => {
      await here.server.stop(mode);
      await here.server.start();
      return performance.now();
    });
  });

  it('connections are cut', async () => {
    await suffer('connections cut', isShort() ? 2 : 10, async () => {
      await here.line.cut();
      await delay(500);
      await here.line.mend();
      return performance.now();
    });
  });

  it('connections die in silence, and no request waits longer than its deadline', async () => {
    await suffer('open connections blackholed', isShort() ? 1 : 3, async () => {
      here.line.blackhole();
      return performance.now();
    });
    await suffer('network blackholed for 10 s', 1, async () => {
      here.line.isolate();
      await delay(10_000);
      await here.line.mend();
      return performance.now();
    });
  });

  it('a row is held for minutes, and nobody else waits for it', async () => {
    const seconds = isShort() ? 10 : 150;
    const client = new pg.Client({ connectionString: here.server.url });
    await client.connect();
    await suffer(`lock on an app held for ${seconds} s`, 1, async (load) => {
      const { id } = load.stage.updatedApps[0]!;
      await client.query('begin');
      await client.query('select from apps where id = $1 for update', [id]);
      const since = performance.now();
      // The second gateway updates another app, and all else goes on.
      while (performance.now() - since < seconds * 1_000) {
        await load.history.recovered(performance.now(), [1], 10_000);
        await load.history.recovered(performance.now(), [0], 10_000, ['create', 'install', 'rate']);
      }
      await client.query('rollback');
      return performance.now();
    });
    await client.end();
  });

  it('PostgreSQL has no connection left', async () => {
    await suffer('every connection of PostgreSQL taken', 1, async () => {
      const taken: pg.Client[] = [];
      const isTaken = async () => {
        const client = new pg.Client({ connectionString: here.server.url });
        client.on('error', () => undefined);
        await client.connect();
        taken.push(client);
      };
      for (const until = performance.now() + 5_000; performance.now() < until; ) {
        await isTaken().catch(() =>
          taken[0]?.query(
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'marketplace-gateway%'",
          ),
        );
      }
      await Promise.all(taken.map((client) => client.end()));
      return performance.now();
    });
  });

  it('300 apps of one name are created at once', async () => {
    const load = await prepare();
    const { developer } = load.stage;
    const name = `Created at once ${crypto.randomUUID().slice(0, 8)}`;
    const since = performance.now();
    const slugs = await atOnce(300, async (i) => {
      const headers = { 'idempotency-key': crypto.randomUUID() };
      for (let attempt = 0; ; attempt += 1) {
        const { outcome, body } = await load.client.send({
          kind: 'create',
          gateway: (i + attempt) % 2,
          path: '/api/dev/apps',
          bearer: developer.key,
          body: aListing({ name }),
          headers,
        });
        if (outcome === 'acknowledged') return body.slug;
        await delay(200);
      }
    });
    const recoverySeconds = (performance.now() - since) / 1_000;
    const [row] = await here.sql<{ count: number }>(`select count(*)::int from apps where name = '${name}'`);
    expect({ slugs: new Set(slugs).size, rows: row?.count }).toEqual({ slugs: 300, rows: 300 });
    await conclude(
      load,
      here.sql,
      { fault: '300 creations of one name at once', times: 1, recoverySeconds },
      subjects,
    );
  });

  it('the disk is full', async () => {
    if (!here.server.hasSmallDisk) return;
    await suffer('disk full for 5 s', isShort() ? 1 : 3, async (load) => {
      await here.server.fillDisk();
      await delay(5_000);
      expect(load.history.count('create', 'unknown')).toBeGreaterThan(0);
      await here.server.freeDisk();
      // Without space for its log it ends, and needs somebody to start it again.
      if (!(await here.server.isRunning())) await here.server.start();
      return performance.now();
    });
  });

  it('mails, identity provider and webhook receivers are away', async () => {
    const received: string[] = [];
    const receiver: Server = createServer((request, response) => {
      received.push(request.url ?? '');
      response.end();
    }).listen(0, '127.0.0.1');
    await once(receiver, 'listening');
    const { port } = receiver.address() as { port: number };
    const away = isShort() ? 5_000 : 15_000;
    await suffer('mail server, identity provider and webhook receivers away', 1, async (load) => {
      await load.client.mutate(
        { kind: 'message', gateway: 0, bearer: load.stage.developer.token },
        'mutation ($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) { id } }',
        { input: { url: `http://127.0.0.1:${port}/`, events: ['app.submitted'] } },
      );
      await new Promise((resolve) => receiver.close(resolve) && receiver.closeAllConnections());
      await here.mails.stop();
      here.provider.setLine('cut');
      const since = performance.now();
      await delay(away);
      // Writes need none of them.
      await load.history.recovered(since + away / 2, [0, 1], RECOVERS_WITHIN_MS);
      receiver.listen(port, '127.0.0.1');
      await here.mails.start();
      here.provider.setLine('open');
      return performance.now();
    });
    await until(() => received.length > 0, 'no webhook was sent after the receiver came back');
    receiver.closeAllConnections();
    receiver.close();
  });

  it('gateways and workers are killed', async () => {
    await suffer('gateways and workers killed (kill -9)', isShort() ? 3 : 50, async (_load, i) => {
      const since = performance.now();
      if (i % 3 === 2) await here.restartWorker();
      else await here.gateways[i % 3]!.restart('SIGKILL');
      return since;
    });
  });
});
