import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { pino } from 'pino';
import { ormOptions } from '../../mikro-orm.config.js';
import { Jobs } from '../../src/jobs.js';
import { KeyExpiryService } from '../../src/modules/notifications/key-expiry.service.js';
import { eventsOfJobs } from '../../src/worker.js';

/** The part of a worker that looks for expiring keys, with connections of its own, as another process would. */
export interface KeyExpiryWorker {
  giveNotices(): Promise<void>;
  close(): Promise<void>;
}

export async function startKeyExpiryWorker(databaseUrl: string): Promise<KeyExpiryWorker> {
  const orm = await MikroORM.init(ormOptions(databaseUrl, 2));
  const jobs = await Jobs.open(databaseUrl, pino({ level: 'silent' }));
  const expiry = new KeyExpiryService(() => orm.em.fork() as EntityManager, eventsOfJobs(jobs, []));
  return {
    giveNotices: () => expiry.recordNotices(),
    async close() {
      await jobs.close();
      await orm.close();
    },
  };
}
