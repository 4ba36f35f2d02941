import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { migrationLock } from '../../src/process/migrate.js';
import { closedAfterEach } from '../support/before-tests.js';
import { buildOnce, connectTo, createTestDatabase } from '../support/database.js';
import { DatabaseLine } from '../support/database-line.js';
import { decide } from '../support/decisions.js';
import { MailServer, until } from '../support/mail-server.js';
import { type Service, startService } from '../support/service.js';
import { startCommand } from './command.js';
import { startWorkerProcess } from './gateway.js';
import { query } from './stage.js';

// It may have to build first.
beforeAll(buildOnce, 120_000);

const closed = closedAfterEach();
const startWorker = (settings: Record<string, string>) => closed(startWorkerProcess(settings));
const aDatabase = async () => closed(await createTestDatabase());

/** A gateway that leaves the mails to others, and a mail server. */
async function aGateway() {
  const server = closed(await MailServer.start());
  const service = closed(await startService({ WORKER: 'off', SMTP_URL: server.url }));
  // Each notice is a mail of its own.
  const settings = { DATABASE_URL: service.databaseUrl, SMTP_URL: server.url, RATE_LIMITS: 'off' };
  return { service, server, settings };
}

/** Waits until every notification is sent. */
const completed = (service: Service) =>
  until(
    async () =>
      (await service.sql("select from pgboss.job where name = 'notifications' and state <> 'completed'"))
        .length === 0,
    'not every job was completed',
  );

describe('the command of a worker', () => {
  it('explains itself, and rejects unknown options', async () => {
    expect(await startCommand('worker-main', {}, '--help').ended).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('npm run worker'),
    });
    expect(await startCommand('worker-main', {}, '--halp').ended).toMatchObject({
      code: 1,
      stderr: 'There is no option --halp. Try --help.\n',
    });
  });
});

describe('a worker that is starting', () => {
  it('stops in order when it is asked to while another process migrates', async () => {
    await using database = await createTestDatabase();
    await using other = await connectTo(database.url);
    await other.query('select pg_advisory_lock($1)', [migrationLock]);
    const worker = startWorker({ DATABASE_URL: database.url });
    const waiting = "select from pg_stat_activity where query like 'select pg_try_advisory_lock%'";
    await until(async () => (await other.query(waiting)).rowCount === 1, 'it does not wait');
    await worker.end();
    expect(worker.process.exitCode).toBe(0);
  });
});

describe('workers that are killed in the middle of 200 mails (D33)', () => {
  it('lose no mail: all arrive within two minutes, at most one twice for each kill', async () => {
    const { service, server, settings } = await aGateway();
    await decide(service, 200);
    // Jobs that have failed often would wait for an hour after another failure; being killed is none.
    await service.sql("update pgboss.job set retry_count = 12 where name = 'notifications'");

    // Twice at the worst moment: the server has the mail, the worker has not heard so. Once at any other.
    let killedAt = 0;
    for (const { after, atTheWorst } of [
      { after: 40, atTheWorst: true },
      { after: 80, atTheWorst: false },
      { after: 120, atTheWorst: true },
    ]) {
      const worker = startWorker(settings);
      const held = atTheWorst ? server.holdAnswerAfter(after) : server.has(after);
      await held;
      worker.process.kill('SIGKILL');
      killedAt = performance.now();
      expect(await worker.ended).toBe(null);
    }
    const last = startWorker(settings);
    const arrived = () => new Set(server.mails.map(({ messageId }) => messageId)).size;
    await until(
      () => arrived() === 200,
      () => `${arrived()} of 200 arrived`,
      120_000,
    );
    const retakenAfter = (performance.now() - killedAt) / 1000;
    await completed(service);
    expect(await last.end()).toBe(0);

    const duplicates = server.mails.length - 200;
    process.stdout.write(
      `3 kills in 200 mails: all arrived, ${duplicates} twice, the last ${retakenAfter.toFixed(1)} s after the last kill\n`,
    );
    expect(duplicates).toBeGreaterThanOrEqual(2);
    expect(duplicates).toBeLessThanOrEqual(3);
    expect(retakenAfter).toBeLessThan(120);
    const byId = Map.groupBy(server.mails, ({ messageId }) => messageId);
    for (const copies of byId.values()) {
      expect(new Set(copies.map(({ text, recipients }) => `${recipients}${text}`)).size).toBe(1);
    }
  }, 180_000);
});

describe('npm run worker', () => {
  it('says in a sentence that it needs DATABASE_URL', async () => {
    const worker = startWorker({});
    expect(await worker.ended).toBe(1);
    expect(worker.output()).toMatch(/^DATABASE_URL is needed: [^\n]+\.\n$/);
  });

  it('reports all wrong settings at once, and misspelt ones, as the gateway does (D253)', async () => {
    const worker = startWorker({ SMTP_URL: 'mail', LOG_LEVEL: 'loud', OIDC_ISUER: 'https://id.example.com' });
    expect(await worker.ended).toBe(1);
    expect(worker.output()).toMatch(
      /^The configuration is not valid:\n {2}- SMTP_URL .*\n {2}- LOG_LEVEL .*\nNot settings, and without effect: OIDC_ISUER \(OIDC_ISSUER\?\)\.\n$/,
    );
  });

  it('says in a sentence that the database cannot be used', async () => {
    const worker = startWorker({ DATABASE_URL: 'postgres://someone:secret@127.0.0.1:1/shop' });
    expect(await worker.ended).toBe(1);
    expect(worker.output()).toMatch(/^The database shop on 127\.0\.0\.1:1 cannot be used .*\n$/);
    expect(worker.output()).not.toContain('secret');
  });

  it('exits with 1 and a message if it cannot start for any other reason (D253)', async () => {
    const { url } = await aDatabase();
    // The database can be reached, and then refuses every change.
    await query(
      url,
      `alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = on`,
    );
    const worker = startWorker({ DATABASE_URL: url });
    expect(await worker.ended).toBe(1);
    expect(worker.output()).toContain('the worker could not start');
  });

  it('warns about a name that is almost that of a setting (D253)', async () => {
    const { url } = await aDatabase();
    const worker = startWorker({ DATABASE_URL: url, SMTPURL: 'smtp://127.0.0.1:1' });
    await worker.says('the worker is ready');
    expect(worker.output()).toContain('Not settings, and without effect: SMTPURL (SMTP_URL?).');
  });

  it('needs no identity provider in production', async () => {
    const { url } = await aDatabase();
    const worker = startWorker({ NODE_ENV: 'production', DATABASE_URL: url });
    await worker.says('the worker is ready');
    expect(worker.output()).toMatch(/"version":"\d+\.\d+\.\d+"/);
  });

  it.each([/schema_migrations/, /clock_timestamp/, /pgboss/])(
    'tries again if the connection to the database is lost at %s while it starts (D253)',
    async (statement) => {
      const { url } = await aDatabase();
      const line = await DatabaseLine.to(url);
      closed({ [Symbol.asyncDispose]: () => line.cut() });
      line.dieBy(statement);
      const worker = startWorker({ DATABASE_URL: line.url });
      await worker.says('trying again');
      expect(worker.output()).not.toContain('is ready');
      line.dieBy(null);
      await worker.says('the worker is ready');
      expect(await worker.end()).toBe(0);
    },
  );

  it('finishes the current mail on SIGTERM, and leaves the others to the next worker, none twice', async () => {
    const { service, server, settings } = await aGateway();
    await decide(service, 100);
    const first = startWorker(settings);
    await server.has(33);
    expect(await first.end()).toBe(0);
    expect(server.mails.length).toBeLessThan(100);
    startWorker(settings);
    await completed(service);
    expect(server.mails).toHaveLength(100);
    expect(new Set(server.mails.map(({ messageId }) => messageId)).size).toBe(100);
  });

  it('sends what a gateway with WORKER=off has recorded, and ends in order on SIGTERM', async () => {
    const { service, server, settings } = await aGateway();
    const developer = await service.aDeveloper();
    await delay(700);
    expect(server.mails).toHaveLength(0);
    const worker = startWorker({
      ...settings,
      NODE_ENV: 'production',
      PORTAL_URL: 'https://product.example/marketplace',
    });
    await worker.says('the worker is ready');
    const mails = await server.has(2);
    expect(mails.map(({ recipients }) => recipients)).toEqual([[developer.email], [developer.email]]);
    expect(mails[0]!.text).toContain('Create your first API key:\nhttps://product.example/marketplace\n');
    expect(await worker.end()).toBe(0);
    expect(worker.output()).toContain('"msg":"stopped"');
  });
});
