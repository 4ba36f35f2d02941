import type { EntityManager } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import type { Config } from './config.js';
import type { SecretCipher } from './db/secrets.js';
import type { Jobs } from './jobs.js';
import { removeOldCounts } from './limits/limiter.js';
import { removeExpiredResponses } from './modules/idempotency/stored-response.queries.js';
import { pruneInstalls } from './modules/installs/install.retention.js';
import { KeyExpiryService } from './modules/notifications/key-expiry.service.js';
import { removeOldMails } from './modules/notifications/mail.retention.js';
import { MailService } from './modules/notifications/mail.service.js';
import { AssetChecker } from './modules/preflight/asset.checker.js';
import { AssetCheckService } from './modules/preflight/asset-check.service.js';
import { fillSkeletons } from './modules/preflight/name.queries.js';
import { encryptAnew } from './modules/webhooks/webhook.secrets.js';
import { WebhookFanOut } from './modules/webhooks/webhook-fan-out.service.js';
import { type SenderSettings, WebhookSender } from './modules/webhooks/webhook-sender.service.js';
import type { GuardOptions } from './net/address-guard.js';
import { GuardedFetcher } from './net/guarded-fetch.js';

/** How webhooks are sent otherwise than usual. Only the tests say so: no setting leads here. */
export type WebhookOptions = Partial<SenderSettings> & GuardOptions;

interface WorkerOptions {
  fork: () => EntityManager;
  config: Config;
  log: Logger;
  cipher: SecretCipher;
  /** Where callers reach the service, for links. */
  publicUrl: string;
  /** Only the tests set these. */
  assetChecks?: GuardOptions;
  webhooks?: WebhookOptions;
}

interface Worker {
  /** After the jobs are closed. */
  close(): Promise<void>;
}

const minuteMs = 60_000;

/** Does the recorded work, and what comes with time: in the gateway's own process, or alone. */
export async function startWorker(
  jobs: Jobs,
  { fork, config, log, cipher, publicUrl, assetChecks, webhooks }: WorkerOptions,
): Promise<Worker> {
  if (config.production && config.mail.smtpUrl === null)
    log.warn('SMTP_URL is not set: mails are kept in the database and reach nobody');
  const mails = await MailService.open(fork, config.mail, {
    publicUrl,
    playground: config.playground,
    jobs,
    gathers: config.rateLimits !== null,
  });
  await jobs.work('notifications', (job) => mails.deliver(job));
  await jobs.work('mail-digests', (job) => mails.deliverDigest(job));

  const endAssetChecks = await checkAssets(jobs, fork, config, assetChecks);
  const endWebhooks = await sendWebhooks(jobs, fork, cipher, webhooks);

  const keyExpiry = new KeyExpiryService(fork, jobs);
  const stopping = new AbortController();
  const chores = [
    every(minuteMs, log, 'the skeletons of names', () => fillSkeletons(fork, stopping.signal)),
    every(15 * minuteMs, log, 'notices of expiring keys', () => keyExpiry.giveNotices()),
    every(60 * minuteMs, log, 'the removal of old mails', () => removeOldMails(fork())),
    every(5 * minuteMs, log, 'the removal of old counts', () => removeOldCounts(fork())),
    every(60 * minuteMs, log, 'the removal of kept answers', async () => {
      await removeExpiredResponses().execute(fork().getKysely());
    }),
    every(60 * minuteMs, log, 'the encryption of secrets', () => encryptAnew(fork, cipher, log)),
    every(60 * minuteMs, log, 'the pruning of old installs', () => pruneInstalls(fork())),
  ];
  return {
    async close() {
      stopping.abort();
      await Promise.all(chores.map((chore) => chore.end()));
      mails.close();
      await endAssetChecks();
      await endWebhooks();
    },
  };
}

async function checkAssets(
  jobs: Jobs,
  fork: () => EntityManager,
  { assetChecks: mode }: Config,
  options: GuardOptions = {},
): Promise<() => Promise<void>> {
  const fetcher = new GuardedFetcher(options);
  const checker = new AssetChecker(fetcher);
  await jobs.workSideBySide('asset-checks', (job) =>
    new AssetCheckService(fork(), jobs, checker, mode).work(job),
  );
  return () => fetcher.close();
}

async function sendWebhooks(
  jobs: Jobs,
  fork: () => EntityManager,
  cipher: SecretCipher,
  options: WebhookOptions = {},
): Promise<() => Promise<void>> {
  const fanOut = new WebhookFanOut(fork, jobs);
  const fetcher = new GuardedFetcher(options);
  const sender = new WebhookSender(fork, jobs, fetcher, cipher, options);
  await jobs.work('webhook-events', (job) => fanOut.spread(job));
  await jobs.workSideBySide('webhook-deliveries', (job) => sender.deliver(job));
  return async () => {
    sender.close();
    await fetcher.close();
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
