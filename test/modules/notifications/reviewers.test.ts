import { afterEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { createApp } from '../../../src/app.js';
import { loadConfig } from '../../../src/config.js';
import type { Json } from '../../support/actors.js';
import { MailServer, until } from '../../support/mail-server.js';
import { type Service, startService } from '../../support/service.js';
import { becomesOverdue, startOverdueWorker } from '../../support/workers.js';
import { startReceiver, status } from '../webhooks/receiver.js';

const desk = 'desk@market.example';
const settings = {
  REVIEWERS_EMAIL: `${desk}, Second@market.example, DESK@market.example`,
  SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
};

const running: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const part of running.splice(0)) await part.close();
});

/** A gateway that leaves the mails to others, and a mail server. */
async function aGateway(others: Record<string, string> = {}) {
  const server = await MailServer.start();
  const service = await startService({ ...settings, ...others });
  running.push(service, { close: () => server.stop() });
  return { service, server };
}

async function startWorkers(service: Service, server: MailServer, count: number, others = {}) {
  for (let n = 0; n < count; n += 1) {
    const config = loadConfig({ ...settings, WEB: 'off', SMTP_URL: server.url, ...others });
    const log = pino({ level: 'silent' });
    const { databaseUrl, url: publicUrl } = service;
    running.unshift(await createApp(config, { databaseUrl, log, publicUrl }));
  }
}

const done = async (service: Service, queue = 'notifications') =>
  until(
    async () => {
      const waits =
        "select from pgboss.job where name = $1 and state <> 'completed' and start_after <= now()";
      return (await service.sql(waits, [queue])).length === 0;
    },
    () => `not every job of ${queue} was completed`,
  );

/** Moves the mails and the digests that are due within the hour into the past. */
async function anHourPasses(service: Service): Promise<void> {
  const past = "interval '61 minutes'";
  await service.sql(
    `update mails set created_at = created_at - ${past}, digest_due_at = digest_due_at - ${past}`,
  );
  await service.sql(
    `update pgboss.job set start_after = start_after - ${past}
     where name = 'mail-digests' and state = 'created' and data->>'kind' = 'reviewers.notice'`,
  );
}

/** Lets the time of the daily digest come. */
const morningComes = (service: Service) =>
  service.sql(
    `update pgboss.job set start_after = now()
     where name = 'mail-digests' and state = 'created' and data->>'kind' = 'reviewers.digest'`,
  );

const to = (server: MailServer, address: string) =>
  server.mails.filter(({ recipients }) => recipients[0] === address);
const subjects = (server: MailServer, address = desk) => to(server, address).map(({ subject }) => subject);

describe('the addresses of REVIEWERS_EMAIL (D167)', () => {
  it('get the first notice at once and all others of the hour in one mail, whatever they are about, on two workers', async () => {
    const { service, server } = await aGateway();
    const ada = await service.aDeveloper({ name: 'Ada' });
    const names = Array.from({ length: 6 }, (_, at) => `Counter ${at}`);
    const apps = [];
    for (const name of names) apps.push(await service.anApp(ada, 'PENDING', { name }));
    const { id } = apps[0]!;
    await service.client.must('withdrawApp', { id }, ada.token);
    await service.client.must('submitApp', { id }, ada.token);
    await service.client.must('messageReviewers', { id, text: 'Please be quick.' }, ada.token);
    await becomesOverdue(service, id);
    const worker = await startOverdueWorker(service.databaseUrl, [desk]);
    await worker.look();
    await worker.close();
    // Notices to developers are not collected, those to reviewers are.
    await startWorkers(service, server, 2, { RATE_LIMITS: 'off' });
    await done(service);
    expect(subjects(server)).toHaveLength(1);
    expect(subjects(server, 'Second@market.example')).toHaveLength(1);
    expect(subjects(server, ada.email).length).toBeGreaterThan(6);

    await anHourPasses(service);
    await done(service, 'mail-digests');
    const [first, digest, ...more] = to(server, desk);
    expect(more).toEqual([]);
    expect(digest!.subject).toMatch(/^8 notices: /);
    const text = `${first!.text}${digest!.text}`;
    for (const words of [
      ...names.map((name) => `Ada submitted “${name}”`),
      'Ada submitted “Counter 0” again',
      'Please be quick.',
      'The review of “Counter 0” is overdue',
    ])
      expect(text).toContain(words);
    expect(text).toContain(`call claimReview (GraphQL) with its id, ${id}`);
    expect(digest!.text).toContain('this address is set to be told about reviews');
  });

  it('get no second mail about a message to a reviewer who has the same address', async () => {
    const { service, server } = await aGateway();
    const ada = await service.aDeveloper({ name: 'Ada' });
    const { id } = await service.anApp(ada, 'PENDING', { name: 'Counter' });
    const token = await service.token('a-reviewer', { admin: true, email: 'DESK@market.example' });
    await service.client.must('claimReview', { id }, token);
    await service.client.must('messageReviewers', { id, text: 'Hello.' }, ada.token);
    const notices = await service.sql<{ recipient: string }>(
      "select data->>'recipient' as recipient from pgboss.job where data->>'kind' = 'review.message-sent' and data->>'audience' = 'reviewers'",
    );
    expect(notices).toEqual([{ recipient: 'Second@market.example' }]);
    await startWorkers(service, server, 1);
    await done(service);
    expect(subjects(server, 'DESK@market.example')).toEqual(['Ada wrote about “Counter”']);
    expect(subjects(server)).toEqual(['“Counter” was submitted']);
  });

  it('are told that an endpoint of the administration was disabled, with a link to it', async () => {
    const receiver = await startReceiver();
    running.push(receiver);
    const { service, server } = await aGateway();
    const { url } = receiver.address(status(410));
    const { id } = await service.administer<Json>('createAdminWebhook', { url });
    await service.anApp(await service.aDeveloper(), 'PENDING');
    await service.sql("delete from pgboss.job where name = 'notifications'");
    await startWorkers(service, server, 1, { WEB: 'on' });
    const subject = `The administration's webhook to ${receiver.host} was disabled`;
    await until(
      () => subjects(server).includes(subject),
      () => `the mails are ${subjects(server)}`,
    );
    expect(to(server, desk)[0]!.html).toContain(`/desk/webhooks/${id}"`);
  });

  it('get one digest a day with what waits, from two workers; an address that was removed gets none', async () => {
    const { service, server } = await aGateway({ REVIEWERS_EMAIL: '' });
    const ada = await service.aDeveloper({ name: 'Ada' });
    for (const name of ['Abacus', 'Counter', 'Sums']) await service.anApp(ada, 'PENDING', { name });
    const [{ id }] = (await service.sql("select id from apps where name = 'Counter'")) as [{ id: string }];
    await becomesOverdue(service, id);
    const rating = await service.aRating(await service.anApp(ada, 'APPROVED'));
    const reporter = await service.token('a-reporter');
    await service.client.must('reportRating', { id: rating.id, reason: 'Spam.' }, reporter);
    await startWorkers(service, server, 2, {
      PORTAL_URLS: 'queue=https://desk.example/queue',
      REVIEWERS_EMAIL: `${desk},former@market.example`,
    });
    const scheduled = () =>
      service.sql<{ start_after: Date }>(
        "select start_after from pgboss.job where data->>'kind' = 'reviewers.digest'",
      );
    await until(async () => (await scheduled()).length === 2, 'no digest is scheduled');
    for (const { start_after } of await scheduled())
      expect(start_after.toISOString()).toMatch(/T07:00:00\.000Z$/);
    for (const worker of running.splice(0, 2)) await worker.close();
    await startWorkers(service, server, 2, { PORTAL_URLS: 'queue=https://desk.example/queue' });
    await done(service);
    // The second of the present addresses is new, so its digest may be scheduled only now.
    await until(
      async () => (await scheduled()).length === 3,
      'the digest of the new address is not scheduled',
    );
    await morningComes(service);
    await done(service, 'mail-digests');
    const digests = server.mails.filter(({ subject }) => /wait/.test(subject ?? ''));
    expect(digests.map(({ recipients }) => recipients[0]).sort()).toEqual(['Second@market.example', desk]);
    const [digest] = to(server, desk).slice(-1);
    expect(digest!.subject).toBe('3 submissions wait for review, 1 overdue');
    expect(digest!.text).toMatch(/1 of them is overdue\. The oldest has waited since .* UTC\./);
    expect(digest!.text).toContain('1 reported rating waits for a decision');
    expect(digest!.text).toMatch(/1\. Counter \(overdue\)\n {3}By Ada, since /);
    expect(digest!.html).toContain('href="https://desk.example/queue"');
  });

  it('get no digest if nothing waits', async () => {
    const { service, server } = await aGateway();
    await startWorkers(service, server, 1);
    const states = () =>
      service.sql<{ state: string }>("select state from pgboss.job where data->>'kind' = 'reviewers.digest'");
    await until(async () => (await states()).length === 2, 'no digest is scheduled');
    await morningComes(service);
    await until(
      async () => (await states()).every(({ state }) => state === 'completed'),
      'the digests were not handled',
    );
    expect(server.mails).toEqual([]);
  });
});
