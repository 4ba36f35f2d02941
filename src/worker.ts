import type { EntityManager } from '@mikro-orm/postgresql';
import type { Config } from './config.js';
import type { Jobs } from './jobs.js';
import { MailService } from './modules/notifications/mail.service.js';
import { AssetChecker } from './modules/preflight/asset.checker.js';
import { AssetCheckService } from './modules/preflight/asset-check.service.js';
import { WebhookFanOut } from './modules/webhooks/webhook-fan-out.service.js';
import { type SenderSettings, WebhookSender } from './modules/webhooks/webhook-sender.service.js';
import type { GuardOptions } from './net/address-guard.js';
import { GuardedFetcher } from './net/guarded-fetch.js';

/** How webhooks are sent otherwise than usual. Only the tests say so: no setting leads here. */
export type WebhookOptions = Partial<SenderSettings> & GuardOptions;

/** Does the recorded work: in the gateway's own process, or alone. */
export async function startWorker(
  jobs: Jobs,
  options: {
    fork: () => EntityManager;
    config: Config;
    publicUrl: string;
    assetChecks?: GuardOptions;
    webhooks?: WebhookOptions;
  },
): Promise<{ close(): Promise<void> }> {
  const mails = new MailService(options.fork, options.config.mail, options.publicUrl);
  await jobs.work('notifications', (job) => mails.deliver(job));
  const endAssetChecks = await checkAssets(jobs, options.fork, options.config, options.assetChecks);
  const endWebhooks = await sendWebhooks(jobs, options.fork, options.webhooks);
  return {
    async close() {
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
  await jobs.work('asset-checks', (job) => new AssetCheckService(fork(), jobs, checker, mode).work(job));
  return () => fetcher.close();
}

async function sendWebhooks(
  jobs: Jobs,
  fork: () => EntityManager,
  options: WebhookOptions = {},
): Promise<() => Promise<void>> {
  const fanOut = new WebhookFanOut(fork, jobs);
  const fetcher = new GuardedFetcher(options);
  const sender = new WebhookSender(fork, jobs, fetcher, options);
  await jobs.work('webhook-events', (job) => fanOut.spread(job));
  await jobs.workSideBySide('webhook-deliveries', (job) => sender.deliver(job));
  return async () => {
    sender.close();
    await fetcher.close();
  };
}
