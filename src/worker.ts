import type { EntityManager } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import { portalOrOwnPages } from './config/formats.js';
import type { Config } from './config.js';
import { createAuditPartitions, removeOldRows } from './db/retention.js';
import type { SecretCipher } from './db/secrets.js';
import type { Jobs } from './jobs.js';
import { EventService, type EventsOf } from './modules/events/event.service.js';
import { fillSkeletons } from './modules/names/name.queries.js';
import { KeyExpiryService } from './modules/notifications/key-expiry.service.js';
import { mailFacts } from './modules/notifications/mail.queries.js';
import { MailService } from './modules/notifications/mail.service.js';
import { scheduleReviewDigests } from './modules/notifications/review-digest.service.js';
import { AssetCheckService } from './modules/preflight/asset-check.service.js';
import { AssetChecker } from './modules/preflight/asset-checker.service.js';
import { minutesBetweenChecks, PictureCheckService } from './modules/preflight/picture-check.service.js';
import { OverdueService } from './modules/review/overdue.service.js';
import { WebhookFanOut } from './modules/webhooks/webhook-fan-out.service.js';
import { reencryptSecrets } from './modules/webhooks/webhook-secret.service.js';
import { type SenderSettings, WebhookSender } from './modules/webhooks/webhook-sender.service.js';
import { type GuardOptions, hostAndPort } from './net/address-guard.js';
import { GuardedFetcher } from './net/guarded-fetch.js';
import { currentTracer } from './tracing/tracing.js';

/** Overrides for sending webhooks. Only the tests set them; there is no such setting. */
export type WebhookOptions = Partial<SenderSettings> & GuardOptions;

interface WorkerOptions {
  fork: () => EntityManager;
  config: Config;
  log: Logger;
  cipher: SecretCipher;
  /** The service's address for clients; null if it is not known. */
  publicUrl: string | null;
  /** Addresses that image checks may reach beyond the public internet. */
  assetChecks?: GuardOptions;
  /** Only the tests set this. */
  webhooks?: WebhookOptions;
}

export interface Worker {
  /** Call after `jobs.close()`. */
  close(): Promise<void>;
}

const minuteMs = 60_000;

/**
 * Lets image checks reach the gateway itself in development, where it serves the pictures of the demo apps (D200). In
 * production they reach public hosts only.
 */
export const ownPictures = ({ production }: Pick<Config, 'production'>, publicUrl: string): GuardOptions =>
  production ? {} : { allowedHosts: [hostAndPort(new URL(publicUrl))] };

/** Returns what records the events of jobs. */
export const eventsOfJobs =
  (jobs: Jobs, reviewers: readonly string[]): EventsOf =>
  (em, job) =>
    new EventService(em, jobs, () => job, mailFacts, reviewers);

/** Runs the jobs and the periodic tasks, in the gateway's process or in a worker process. */
export async function startWorker(
  jobs: Jobs,
  { fork, config, log, cipher, publicUrl, assetChecks, webhooks }: WorkerOptions,
): Promise<Worker> {
  if (config.production && config.mail.smtpUrl === null)
    log.warn('SMTP_URL is not set: mails are stored in the database and not sent');
  const mails = await MailService.open(fork, config.mail, {
    portal: config.web && publicUrl !== null ? portalOrOwnPages(config.portal, publicUrl) : config.portal,
    reviewers: config.mail.reviewers,
    jobs,
    useDigests: config.rateLimits !== null,
  });
  await jobs.work('notifications', (job) => mails.deliver(job));
  await jobs.work('mail-digests', (job) => mails.deliverDigest(job));

  const eventsOf = eventsOfJobs(jobs, config.mail.reviewers);
  const fetcher = new GuardedFetcher(assetChecks);
  await checkAssets(jobs, fork, config, fetcher);
  const closeWebhooks = await sendWebhooks(jobs, fork, cipher, eventsOf, {
    allowedNetworks: config.webhookNetworks,
    ...webhooks,
  });

  const stopping = new AbortController();
  const { signal } = stopping;
  const tasks = startTasks({ jobs, fork, config, log, cipher, fetcher, eventsOf, signal });
  return {
    async close() {
      stopping.abort();
      await Promise.all(tasks.map((task) => task.end()));
      mails.close();
      await fetcher.close();
      await closeWebhooks();
    },
  };
}

interface TaskOptions extends Pick<WorkerOptions, 'fork' | 'config' | 'log' | 'cipher'> {
  jobs: Jobs;
  fetcher: GuardedFetcher;
  eventsOf: EventsOf;
  signal: AbortSignal;
}

/** Starts the periodic tasks. */
function startTasks({ jobs, fork, config, log, cipher, fetcher, eventsOf, signal }: TaskOptions) {
  const overdue = new OverdueService(fork, eventsOf);
  const keyExpiry = new KeyExpiryService(fork, eventsOf);
  const days = config.assetChecks === 'off' ? 0 : config.pictureCheckDays;
  const pictures = new PictureCheckService(fork, eventsOf, fetcher, new AssetChecker(fetcher), { days });
  const checkPictures = () => pictures.checkDue(signal);
  const digests = () => scheduleReviewDigests(fork(), jobs, config.mail.reviewers);
  const removal = () => removeOldRows(fork(), { settings: config.retention, log, signal });
  return [
    every(1, log, 'filling in the skeletons of names', () => fillSkeletons(fork, signal)),
    every(15, log, 'sending notices of expiring keys', () => keyExpiry.recordNotices()),
    every(1, log, 'recording overdue reviews', () => overdue.recordOverdue(signal)),
    ...(days > 0
      ? [every(minutesBetweenChecks, log, 'checking the pictures of public apps', checkPictures)]
      : []),
    every(60, log, 'scheduling the daily digests of reviews', digests),
    every(60, log, 'removing old rows', removal),
    every(60, log, 'creating partitions of the audit log', () => createAuditPartitions(fork())),
    every(60, log, 'encrypting secrets with the current key', () => reencryptSecrets(fork, cipher, log)),
  ];
}

async function checkAssets(
  jobs: Jobs,
  fork: () => EntityManager,
  { assetChecks: mode }: Config,
  fetcher: GuardedFetcher,
): Promise<void> {
  const checker = new AssetChecker(fetcher);
  await jobs.workConcurrently('asset-checks', { workers: 8, perGroup: 2 }, (job) =>
    new AssetCheckService(fork(), jobs, checker, mode).work(job),
  );
}

async function sendWebhooks(
  jobs: Jobs,
  fork: () => EntityManager,
  cipher: SecretCipher,
  eventsOf: EventsOf,
  options: WebhookOptions,
): Promise<() => Promise<void>> {
  const fanOut = new WebhookFanOut(fork, jobs);
  const fetcher = new GuardedFetcher(options);
  const sender = new WebhookSender(fork, jobs, fetcher, cipher, eventsOf, options);
  await jobs.work('webhook-events', (job) => fanOut.createDeliveries(job));
  await jobs.workConcurrently('webhook-deliveries', { workers: 20, perGroup: 4 }, (job) =>
    sender.deliver(job),
  );
  return async () => {
    sender.close();
    await fetcher.close();
  };
}

/**
 * Runs a task now and at an interval, unless it still runs. Every worker does; the tasks are safe to run concurrently and
 * repeatedly.
 */
function every(minutes: number, log: Logger, name: string, task: () => Promise<void>) {
  const work = () =>
    task().catch((error: unknown) => {
      // Within the trace of the task.
      log.error({ err: error }, `${name} failed`);
      throw error;
    });
  const run = () => (currentTracer()?.inOwn(name, work) ?? work()).catch(() => undefined);
  let running: Promise<void> | null = null;
  const tick = () => {
    running ??= run().finally(() => {
      running = null;
    });
  };
  tick();
  const timer = setInterval(tick, minutes * minuteMs).unref();
  return {
    async end() {
      clearInterval(timer);
      await running;
    },
  };
}
