import type { EntityManager } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import type { Config } from './config.js';
import type { Jobs } from './jobs.js';
import { KeyExpiryService } from './modules/notifications/key-expiry.service.js';
import { removeOldMails } from './modules/notifications/mail.retention.js';
import { MailService } from './modules/notifications/mail.service.js';

export interface WorkerOptions {
  fork: () => EntityManager;
  config: Config;
  log: Logger;
  /** Where callers reach the service, for links. */
  publicUrl: string;
}

export interface Worker {
  /** After the jobs are closed. */
  close(): Promise<void>;
}

const minuteMs = 60_000;

/** Does the recorded work, and what comes with time: in the gateway's own process, or alone. */
export async function startWorker(
  jobs: Jobs,
  { fork, config, log, publicUrl }: WorkerOptions,
): Promise<Worker> {
  if (config.production && config.mail.smtpUrl === null)
    log.warn('SMTP_URL is not set: mails are kept in the database and reach nobody');
  const mails = new MailService(fork, config.mail, publicUrl);
  await jobs.work('notifications', (job) => mails.deliver(job));

  const keyExpiry = new KeyExpiryService(fork, jobs);
  const chores = [
    every(15 * minuteMs, log, 'notices of expiring keys', () => keyExpiry.giveNotices()),
    every(60 * minuteMs, log, 'the removal of old mails', () => removeOldMails(fork())),
  ];
  return {
    async close() {
      await Promise.all(chores.map((chore) => chore.end()));
      mails.close();
    },
  };
}

/** Does a chore now and again. Several processes may: each chore is one statement that only one of them wins. */
function every(pauseMs: number, log: Logger, name: string, chore: () => Promise<void>) {
  const run = () => chore().catch((error: unknown) => log.error({ err: error }, `${name} failed`));
  let running = run();
  const timer = setInterval(() => {
    running = run();
  }, pauseMs).unref();
  return {
    async end() {
      clearInterval(timer);
      await running;
    },
  };
}
