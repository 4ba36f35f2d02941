import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { pino } from 'pino';
import { ormOptions } from '../../mikro-orm.config.js';
import { Jobs } from '../../src/jobs.js';
import { OverdueService } from '../../src/modules/review/overdue.service.js';
import { eventsOfJobs } from '../../src/worker.js';
import type { Service } from './service.js';

/** The part of a worker that looks for overdue reviews, with connections of its own, as another process would. */
export interface OverdueWorker {
  look(): Promise<void>;
  close(): Promise<void>;
}

export async function startOverdueWorker(
  databaseUrl: string,
  reviewers: readonly string[] = [],
): Promise<OverdueWorker> {
  const orm = await MikroORM.init(ormOptions(databaseUrl, 2));
  const jobs = await Jobs.open(databaseUrl, pino({ level: 'silent' }));
  const overdue = new OverdueService(() => orm.em.fork() as EntityManager, eventsOfJobs(jobs, reviewers));
  return {
    look: () => overdue.recordOverdue(new AbortController().signal),
    async close() {
      await jobs.close();
      await orm.close();
    },
  };
}

/** Lets the open submission of an app be due a minute ago. */
export const becomesOverdue = (service: Pick<Service, 'sql'>, appId: string) =>
  service.sql(
    `update submissions set queued_at = now() - interval '2 days 1 minute', due_at = now() - interval '1 minute'
     where app_id = $1 and ended_at is null`,
    [appId],
  );
