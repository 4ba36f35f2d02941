import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { pino } from 'pino';
import { ormOptions } from '../../mikro-orm.config.js';
import { Jobs } from '../../src/jobs.js';
import { AssetChecker } from '../../src/modules/preflight/asset-checker.service.js';
import { PictureCheckService } from '../../src/modules/preflight/picture-check.service.js';
import type { GuardOptions } from '../../src/net/address-guard.js';
import { GuardedFetcher } from '../../src/net/guarded-fetch.js';
import { eventsOfJobs } from '../../src/worker.js';
import type { Service } from './service.js';

/** The part of a worker that checks pictures of public apps, with connections of its own, as another process would. */
export interface PictureWorker {
  check(): Promise<void>;
  close(): Promise<void>;
}

export async function startPictureWorker(
  databaseUrl: string,
  guard: GuardOptions,
  reviewers: readonly string[] = [],
  options: { days?: number; timeoutMs?: number } = {},
): Promise<PictureWorker> {
  const orm = await MikroORM.init(ormOptions(databaseUrl, 6));
  const jobs = await Jobs.open(databaseUrl, pino({ level: 'silent' }));
  const fetcher = new GuardedFetcher(guard);
  const fork = () => orm.em.fork() as EntityManager;
  const checker = new AssetChecker(fetcher);
  const pictures = new PictureCheckService(fork, eventsOfJobs(jobs, reviewers), fetcher, checker, {
    days: 7,
    ...options,
  });
  return {
    check: () => pictures.checkDue(new AbortController().signal),
    async close() {
      await fetcher.close();
      await jobs.close();
      await orm.close();
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
