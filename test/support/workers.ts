import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { pino } from 'pino';
import { ormOptions } from '../../mikro-orm.config.js';
import { Jobs } from '../../src/jobs.js';
import { KeyExpiryService } from '../../src/modules/notifications/key-expiry.service.js';
import { MailService } from '../../src/modules/notifications/mail.service.js';
import { AssetChecker } from '../../src/modules/preflight/asset-checker.service.js';
import { PictureCheckService } from '../../src/modules/preflight/picture-check.service.js';
import { OverdueService } from '../../src/modules/review/overdue.service.js';
import type { GuardOptions } from '../../src/net/address-guard.js';
import { GuardedFetcher } from '../../src/net/guarded-fetch.js';
import { eventsOfJobs } from '../../src/worker.js';
import type { Service } from './service.js';

/** Opens what a part of a worker needs: connections of its own, as those of another process. */
async function openDatabase(databaseUrl: string, connections = 2) {
  const orm = await MikroORM.init(ormOptions(databaseUrl, connections));
  const jobs = await Jobs.open(databaseUrl, pino({ level: 'silent' }));
  const close = async () => {
    await jobs.close();
    await orm.close();
  };
  return { fork: () => orm.em.fork() as EntityManager, jobs, close };
}

/** The part of a worker that looks for expiring keys. */
export async function startKeyExpiryWorker(databaseUrl: string) {
  const { fork, jobs, close } = await openDatabase(databaseUrl);
  const expiry = new KeyExpiryService(fork, eventsOfJobs(jobs, []));
  return { giveNotices: () => expiry.recordNotices(), close };
}

/** The part of a worker that looks for overdue reviews. */
export async function startOverdueWorker(databaseUrl: string, reviewers: readonly string[] = []) {
  const { fork, jobs, close } = await openDatabase(databaseUrl);
  const overdue = new OverdueService(fork, eventsOfJobs(jobs, reviewers));
  return { look: () => overdue.recordOverdue(new AbortController().signal), close };
}

/** Lets the open submission of an app be due a minute ago. */
export const becomesOverdue = (service: Pick<Service, 'sql'>, appId: string) =>
  service.sql(
    `update submissions set queued_at = now() - interval '2 days 1 minute', due_at = now() - interval '1 minute'
     where app_id = $1 and ended_at is null`,
    [appId],
  );

/** The part of a worker that sends mails, each at once. */
export async function startMailWorker(
  databaseUrl: string,
  mailbox: Parameters<typeof MailService.open>[1],
  portal: Parameters<typeof MailService.open>[2]['portal'],
) {
  const { fork, jobs, close } = await openDatabase(databaseUrl);
  const mails = await MailService.open(fork, mailbox, { portal, jobs, useDigests: false, reviewers: [] });
  return { deliver: mails.deliver.bind(mails), close };
}

/** The part of a worker that checks pictures of public apps. */
export async function startPictureWorker(
  databaseUrl: string,
  guard: GuardOptions,
  reviewers: readonly string[] = [],
  options: { days?: number; timeoutMs?: number } = {},
) {
  const { fork, jobs, close } = await openDatabase(databaseUrl, 6);
  const fetcher = new GuardedFetcher(guard);
  const events = eventsOfJobs(jobs, reviewers);
  const pictures = new PictureCheckService(fork, events, fetcher, new AssetChecker(fetcher), {
    days: 7,
    ...options,
  });
  return {
    check: () => pictures.checkDue(new AbortController().signal),
    async close() {
      await fetcher.close();
      await close();
    },
  };
}

/** Makes the pictures of these apps due, and those of all others not. */
export async function pictureChecksAreDue(service: Pick<Service, 'sql'>, ...appIds: string[]): Promise<void> {
  await service.sql(
    `insert into picture_checks (app_id, due_at)
     select id, case when id = any($1) then now() else now() + interval '1 day' end from apps where listed
     on conflict (app_id) do update set due_at = excluded.due_at`,
    [appIds],
  );
}

/** Stores for every screenshot of an app that it was reviewed; of a later revision, so that a running check does not replace it. */
export const withReviewedPictures = (service: Pick<Service, 'sql'>, appId: string) =>
  service.sql(
    `insert into asset_checks (listing_id, app_id, revision, field, url, ok, sha256, checked_at)
     select id, id, 1000, 'screenshots.' || place - 1 || '.url', picture->>'url', true, repeat('a', 64), now()
     from apps, jsonb_array_elements(screenshots) with ordinality s (picture, place) where id = $1`,
    [appId],
  );
