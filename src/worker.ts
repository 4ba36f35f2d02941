import type { EntityManager } from '@mikro-orm/postgresql';
import type { Config } from './config.js';
import type { Jobs } from './jobs.js';
import { MailService } from './modules/notifications/mail.service.js';
import { WebhookFanOut } from './modules/webhooks/webhook-fan-out.service.js';
import { type SenderSettings, WebhookSender } from './modules/webhooks/webhook-sender.service.js';
import type { GuardOptions } from './net/address-guard.js';
import { GuardedFetcher } from './net/guarded-fetch.js';

/** How webhooks are sent otherwise than usual. Only the tests say so: no setting leads here. */
export type WebhookOptions = Partial<SenderSettings> & GuardOptions;

/** Does the recorded work: in the gateway's own process, or alone. */
export async function startWorker(
  jobs: Jobs,
  options: { fork: () => EntityManager; config: Config; publicUrl: string; webhooks?: WebhookOptions },
): Promise<{ close(): Promise<void> }> {
  const mails = new MailService(options.fork, options.config.mail, options.publicUrl);
  await jobs.work('notifications', (job) => mails.deliver(job));
  const closeWebhooks = await sendWebhooks(jobs, options.fork, options.webhooks);
  return {
    close: async () => {
      mails.close();
      await closeWebhooks();
    },
  };
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
