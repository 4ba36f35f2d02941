import type { EntityManager } from '@mikro-orm/postgresql';
import type { Config } from './config.js';
import type { Jobs } from './jobs.js';
import { MailService } from './modules/notifications/mail.service.js';

/** Does the recorded work: in the gateway's own process, or alone. */
export async function startWorker(
  jobs: Jobs,
  options: { fork: () => EntityManager; config: Config; publicUrl: string },
): Promise<{ close(): void }> {
  const mails = new MailService(options.fork, options.config.mail, options.publicUrl);
  await jobs.work('notifications', (job) => mails.deliver(job));
  return { close: () => mails.close() };
}
