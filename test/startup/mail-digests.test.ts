import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { createApp } from '../../src/app.js';
import { loadConfig } from '../../src/config.js';
import { type Developer, unique } from '../support/actors.js';
import { buildOnce } from '../support/database.js';
import { MailServer, type ReceivedMail, until } from '../support/mail-server.js';
import { type Service, startService } from '../support/service.js';
import { type Gateway, startWorkerProcess } from './gateway.js';

// It may have to build first.
beforeAll(buildOnce, 120_000);

const running: { close(): Promise<void> }[] = [];
const processes: Gateway[] = [];
afterEach(async () => {
  for (const each of processes.splice(0)) await each.end('SIGKILL');
  for (const part of running.splice(0)) await part.close();
});

/** A gateway that leaves the mails to others, and a mail server. */
async function aGateway(settings: Record<string, string> = {}) {
  const server = await MailServer.start();
  const service = await startService({ RATE_LIMITS: 'on', ...settings });
  running.push(service, { close: () => server.stop() });
  return { service, server };
}

const startWorkers = async (service: Service, server: MailServer, count = 1, settings = {}) => {
  for (let n = 0; n < count; n += 1) {
    const config = loadConfig({ WORKER: 'inline', SMTP_URL: server.url, ...settings });
    const log = pino({ level: 'silent' });
    const { databaseUrl, url: publicUrl } = service;
    running.unshift(await createApp(config, { databaseUrl, log, publicUrl }));
  }
};
const startProcess = (service: Service, server: MailServer) => {
  const settings = { DATABASE_URL: service.databaseUrl, SMTP_URL: server.url, PUBLIC_URL: service.url };
  const worker = startWorkerProcess(settings);
  processes.push(worker);
  return worker;
};

/** Lets an administrator write this many messages to a developer, all at once. */
async function write(service: Service, appId: string, texts: readonly string[]): Promise<void> {
  const acts = texts.map((text, at) => `m${at}: messageDeveloper(id: "${appId}", text: "${text}") { id }`);
  const { errors } = await service.client.graphql(
    `mutation { ${acts.join(' ')} }`,
    {},
    await service.admin(),
  );
  if (errors) throw new Error(JSON.stringify(errors));
}
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `Message No. ${at + 1}.`);

const done = async (service: Service, queue = 'notifications') => {
  let left: object[] = [];
  await until(
    async () => {
      left = await service.sql(
        "select state, data->>'kind' as kind, output from pgboss.job where name = $1 and state <> 'completed'",
        [queue],
      );
      return left.length === 0;
    },
    () => `not every job of ${queue} was completed: ${JSON.stringify(left.slice(0, 2))}`,
  );
};

/** Moves all that is known of mails into the past, and with it the time at which digests are due. */
async function passes(service: Service, minutes: number): Promise<void> {
  const past = `interval '${minutes} minutes'`;
  await service.sql(
    `update mails set created_at = created_at - ${past}, digest_due_at = digest_due_at - ${past}`,
  );
  await service.sql(
    `update pgboss.job set start_after = start_after - ${past} where name = 'mail-digests' and state = 'created'`,
  );
}

const about = (server: MailServer, { email }: Pick<Developer, 'email'>, subject: RegExp) =>
  server.mails.filter((mail) => mail.recipients[0] === email && subject.test(mail.subject ?? ''));
const messagesIn = ({ text = '' }: ReceivedMail) => text.match(/Message No\. \d+\./g) ?? [];

describe('notices of one kind to one address (D110)', () => {
  it('are one mail at once and one digest of the other 49, on two workers', async () => {
    const { service, server } = await aGateway();
    const ada = await service.aDeveloper();
    const { id } = await service.anApp(ada, 'DRAFT', { name: 'Counter' });
    await write(service, id, numbered(50));
    await startWorkers(service, server, 2);
    await done(service);
    const [first, ...others] = about(server, ada, /Counter/);
    expect(others).toEqual([]);
    expect(messagesIn(first!)).toHaveLength(1);
    // Of other kinds each has its own first.
    expect(about(server, ada, /verified|An API key was created/)).toHaveLength(2);

    await passes(service, 58);
    const early = "select from pgboss.job where name = 'mail-digests' and start_after <= now()";
    expect(await service.sql(early)).toEqual([]);
    expect(about(server, ada, /Counter/)).toHaveLength(1);
    await passes(service, 3);
    await done(service, 'mail-digests');
    const [, digest, ...more] = about(server, ada, /Counter/);
    expect(more).toEqual([]);
    expect(digest!.subject).toBe('49 notices: A message about “Counter”');
    const listed = messagesIn(digest!);
    expect(listed).toHaveLength(49);
    expect([...messagesIn(first!), ...listed].sort()).toEqual(numbered(50).sort());
    expect(digest!.html).toContain('Message No. 50.');
    const kept = await service.sql('select from mails where notice is not null');
    expect(kept).toHaveLength(0);
  });

  it('start again an hour after the last mail: a single notice is an ordinary mail, not a digest', async () => {
    const { service, server } = await aGateway();
    const ada = await service.aDeveloper();
    const { id } = await service.anApp(ada, 'DRAFT', { name: 'Counter' });
    await startWorkers(service, server);
    const send = async (text: string) => {
      await write(service, id, [text]);
      await done(service);
    };
    await send('One');
    await send('Two');
    await passes(service, 61);
    await done(service, 'mail-digests');
    await send('Three');
    expect(about(server, ada, /Counter/)).toHaveLength(2);
    await passes(service, 61);
    await done(service, 'mail-digests');
    await passes(service, 61);
    await send('Four');
    const mails = about(server, ada, /Counter/);
    expect(mails.map(({ text }) => /One|Two|Three|Four/.exec(text ?? '')?.[0])).toEqual([
      'One',
      'Two',
      'Three',
      'Four',
    ]);
    expect(new Set(mails.map(({ subject }) => subject))).toEqual(new Set(['A message about “Counter”']));
  });

  it('are collected per address, whatever its case, across developers', async () => {
    const { service, server } = await aGateway();
    const victim = `${unique('victim')}@example.com`;
    await startWorkers(service, server);
    for (const email of [victim, victim.toUpperCase(), victim.replace('victim', 'VicTim')]) {
      const eve = await service.anUnverifiedDeveloper({ email });
      await service.must('updateMe', { email: `${unique('eve')}@example.com` }, eve.token);
      await done(service);
    }
    const toVictim = () => server.mails.filter(({ recipients }) => recipients[0]!.toLowerCase() === victim);
    expect(toVictim()).toHaveLength(1);
    await passes(service, 61);
    await done(service, 'mail-digests');
    expect(toVictim()).toHaveLength(2);
    expect(toVictim()[1]!.subject).toBe('2 notices: Your e-mail address was changed');
  });

  it('to administrators are collected too', async () => {
    const { service, server } = await aGateway();
    const ada = await service.aDeveloper();
    const { id } = await service.anApp(ada, 'PENDING', { name: 'Counter' });
    const reviewer = await service.anAdministrator();
    await service.must('claimReview', { id }, reviewer.token);
    for (const text of numbered(5)) await service.must('messageReviewers', { id, text }, ada.token);
    await startWorkers(service, server, 2);
    await done(service);
    expect(about(server, reviewer, /wrote about/)).toHaveLength(1);
    await passes(service, 61);
    await done(service, 'mail-digests');
    const [, digest] = about(server, reviewer, /wrote about/);
    expect(messagesIn(digest!)).toHaveLength(4);
    expect(digest!.text).toContain('you have claimed this app for review');
  });

  it('that SPEC requires are never delayed', async () => {
    const { service, server } = await aGateway();
    const { id, email } = await service.anUnverifiedDeveloper();
    for (let n = 0; n < 4; n += 1) {
      await service.administer('verifyDeveloper', { id });
      await service.administer('unverifyDeveloper', { id, reason: `No. ${n}` });
    }
    await startWorkers(service, server, 2);
    await done(service);
    expect(about(server, { email }, /^You are verified$/)).toHaveLength(4);
    expect(about(server, { email }, /withdrawn/)).toHaveLength(1);
  });

  it('are all sent at once with RATE_LIMITS=off', async () => {
    const { service, server } = await aGateway();
    const ada = await service.aDeveloper();
    const { id } = await service.anApp(ada, 'DRAFT', { name: 'Counter' });
    await write(service, id, numbered(5));
    await startWorkers(service, server, 1, { RATE_LIMITS: 'off' });
    await done(service);
    expect(about(server, ada, /Counter/)).toHaveLength(5);
  });

  it('survive a kill of the worker that sends the first mail, and of the one that sends the digest', async () => {
    const { service, server } = await aGateway();
    const ada = await service.aDeveloper();
    const { id } = await service.anApp(ada, 'DRAFT', { name: 'Counter' });
    await service.sql("delete from pgboss.job where name = 'notifications'");
    await write(service, id, numbered(20));
    // At the worst moment: the server has the mail, the worker has not heard so.
    const kill = async (after: number) => {
      const held = server.holdAnswerAfter(after);
      const worker = startProcess(service, server);
      await held;
      await worker.end('SIGKILL');
      // As if the time of its last heartbeat had passed; worker.test.ts waits for that.
      await service.sql(
        "update pgboss.job set heartbeat_on = heartbeat_on - interval '1 minute' where state = 'active'",
      );
    };
    await kill(0);
    await startWorkers(service, server);
    await done(service);
    const before = about(server, ada, /Counter/);
    // The one that was killed, and the first of the others.
    expect(before).toHaveLength(2);
    await running.shift()?.close();
    await passes(service, 61);
    await kill(2);
    await startWorkers(service, server);
    await done(service, 'mail-digests');
    const [, , digest, again, ...more] = about(server, ada, /Counter/);
    expect(more).toEqual([]);
    expect(again!.messageId).toBe(digest!.messageId);
    expect(again!.text).toBe(digest!.text);
    expect(messagesIn(again!)).toHaveLength(19);
    const all = new Set(server.mails.flatMap(messagesIn));
    expect(all.size).toBe(20);
  }, 120_000);

  it('are listed up to a hundred, with the number of the others', async () => {
    const { service, server } = await aGateway();
    const ada = await service.aDeveloper();
    const { id } = await service.anApp(ada, 'DRAFT', { name: 'Counter' });
    for (let n = 0; n < 3; n += 1) await write(service, id, numbered(45));
    await startWorkers(service, server, 2);
    await done(service);
    await passes(service, 61);
    await done(service, 'mail-digests');
    const [, digest] = about(server, ada, /Counter/);
    expect(digest!.subject).toMatch(/^134 notices: /);
    expect(messagesIn(digest!)).toHaveLength(100);
    expect(digest!.text).toContain('There are 34 more notices of this kind');
  });
});
