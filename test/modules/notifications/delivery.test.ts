import { afterEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { createApp } from '../../../src/app.js';
import { loadConfig } from '../../../src/config.js';
import { MailServer, until } from '../../support/mail-server.js';
import { type Service, startService } from '../../support/service.js';

const running: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of running.splice(0)) await part.close();
});

/** A service that sends to this server, and the lines of its log. */
async function sending(server: MailServer): Promise<{ service: Service; log: Record<string, unknown>[] }> {
  const log: Record<string, unknown>[] = [];
  const logger = pino({ level: 'info' }, { write: (line: string) => void log.push(JSON.parse(line)) });
  const service = await startService({ WORKER: 'inline', SMTP_URL: server.url }, logger);
  running.push(service, { close: () => server.stop() });
  return { service, log };
}

/** Lets what waits for its next try have it now. */
const dueNow = (service: Service) =>
  service.sql("update pgboss.job set start_after = now() where name = 'notifications' and state = 'retry'");
const jobs = (service: Service) =>
  service.sql<{ state: string; retry_count: number; wait: number }>(
    `select state, retry_count, extract(epoch from start_after - now())::float as wait
     from pgboss.job where name = 'notifications' order by id`,
  );

describe('a mail that fails (D33, D45)', () => {
  it('is retried with growing pauses, for a day in all', async () => {
    const server = await MailServer.start({ answerTo: () => '451 Greylisted, come back later' });
    const { service } = await sending(server);
    await service.anUnverifiedDeveloper().then(async ({ id }) => {
      await service.administer('verifyDeveloper', { id });
    });
    await until(async () => (await jobs(service))[0]?.state === 'retry', 'it was not tried');
    const [first] = await jobs(service);
    expect(first!.wait).toBeLessThanOrEqual(4);
    const pauses: number[] = [];
    for (let tries = 1; tries <= 35; tries += 1) pauses.push(Math.min(3600, 2 ** tries));
    const hours = pauses.reduce((sum, pause) => sum + pause, 0) / 3600;
    const [queue] = await service.sql<{ retry_limit: number; retry_delay: number; retry_delay_max: number }>(
      "select retry_limit, retry_delay, retry_delay_max from pgboss.queue where name = 'notifications'",
    );
    // pg-boss waits between this and twice as long: retry_delay × 2^(tries - 1), at most retry_delay_max.
    expect(queue).toEqual({ retry_limit: pauses.length, retry_delay: 2, retry_delay_max: 3600 });
    expect(hours).toBeGreaterThan(24);
    expect(hours).toBeLessThan(36);

    await service.sql("update pgboss.job set retry_count = 11 where name = 'notifications'");
    await dueNow(service);
    await until(async () => (await jobs(service))[0]!.wait > 60, 'the pause did not grow');
    expect((await jobs(service))[0]!.wait).toBeGreaterThan(3_500);
  });

  it('is given up after five tries where its recipient is refused permanently, and the log says so', async () => {
    const server = await MailServer.start({
      answerTo: (recipient) => (recipient.startsWith('gone-') ? '550 No such user' : null),
    });
    const { service, log } = await sending(server);
    const gone = await service.anUnverifiedDeveloper({ email: 'gone-for-good@example.com' });
    const here = await service.anUnverifiedDeveloper();
    for (const { id } of [gone, here]) await service.administer('verifyDeveloper', { id });
    await until(async () => {
      await dueNow(service);
      return (await jobs(service))[0]?.state === 'failed';
    }, 'it was not given up');
    const [refused, taken] = await jobs(service);
    expect(refused).toMatchObject({ state: 'failed', retry_count: 4 });
    expect(taken).toMatchObject({ state: 'completed', retry_count: 0 });
    expect(server.mails.map(({ recipients }) => recipients)).toEqual([[here.email]]);
    const lines = log.filter(({ msg }) => msg === 'a job failed and is given up');
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).toContain('550 No such user');
    expect(lines[0]).toMatchObject({ level: 50, queue: 'notifications', tries: 5 });
  });

  it('about an expiring key is not sent once the key is revoked', async () => {
    const server = await MailServer.start();
    const { service } = await sending(server);
    const developer = await service.aDeveloper();
    await server.has(2);
    const [key] = await service.sql<{ id: string }>('select id from api_keys');
    await service.client.must('revokeApiKey', { id: key!.id }, developer.token);
    await server.has(3);
    await service.sql(
      `insert into pgboss.job (id, name, data) select gen_random_uuid(), 'notifications',
         jsonb_build_object('kind', 'key.expiring', 'developerId', developer_id, 'keyId', $1::text, 'daysBefore', 3,
           'eventId', id) from audit_events where kind = 'key.revoked'`,
      [key!.id],
    );
    await until(
      async () => (await jobs(service)).every(({ state }) => state === 'completed'),
      'the job was not done',
    );
    expect(server.mails).toHaveLength(3);
  });
});

describe('a job that two workers run, because one was considered dead (D33)', () => {
  it('sends one mail: the second worker waits for the first, and finds it sent', async () => {
    const server = await MailServer.start({ takesMs: 1_500 });
    const { service } = await sending(server);
    const { id } = await service.anUnverifiedDeveloper();
    await service.administer('verifyDeveloper', { id });
    await until(async () => (await jobs(service))[0]?.state === 'active', 'the first worker did not take it');
    await service.sql(
      "update pgboss.job set state = 'retry', start_after = now() where name = 'notifications'",
    );
    const second = await createApp(loadConfig({ SMTP_URL: server.url }), {
      databaseUrl: service.databaseUrl,
      log: pino({ level: 'silent' }),
      publicUrl: service.url,
    });
    running.unshift(second);
    await until(async () => (await jobs(service))[0]?.state === 'completed', 'nobody has done it');
    expect((await jobs(service))[0]).toMatchObject({ retry_count: 1 });
    // Once both are closed, neither is at work on it any more.
    for (const worker of running.splice(0, 2)) await worker.close();
    expect(server.mails).toHaveLength(1);
  });
});

describe('a name that contains mail headers (D33)', () => {
  it('stays a name: it adds no header and no recipient', async () => {
    const server = await MailServer.start();
    const { service } = await sending(server);
    const developer = await service.aDeveloper();
    const app = await service.anApp(developer, 'PENDING');
    await server.has(3);
    // The API refuses such names; here they are in the database all the same.
    const evil =
      'Eve\r\nBcc: victim@example.com\r\n\r\n<script>alert(1)</script>\u2028X-Evil: 1\u202egnp.exe';
    await service.sql('update apps set name = $1', [evil]);
    await service.sql('update developers set name = $1', [`${evil}" <other@example.com>, x@example.com`]);
    await service.administer('approveApp', { id: app.id, revision: 1 });
    const mail = (await server.has(4))[3]!;
    expect(mail.recipients).toEqual([developer.email]);
    expect(mail.to).toHaveLength(1);
    expect(mail.to?.[0]?.address).toBe(developer.email);
    expect(mail.bcc).toBeUndefined();
    const head = mail.raw.slice(0, mail.raw.indexOf('\r\n\r\n'));
    expect(head).not.toMatch(/^(bcc|x-evil):/im);
    expect(mail.subject).toMatch(/^“Eve Bcc: victim@example\.com <script>/);
    expect(mail.subject).not.toMatch(/[\p{Cc}\u2028\u202e]/u);
    expect(mail.html).not.toContain('<script>');
    expect(mail.html).toContain('&lt;script&gt;');
  });
});
