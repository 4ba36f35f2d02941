import type { EntityManager } from '@mikro-orm/postgresql';
import { fromKysely, PgBoss } from 'pg-boss';

const queues = ['notifications'] as const;
type Queue = (typeof queues)[number];

/** Work to be done after a transaction, recorded inside it: a rollback takes the job along. */
export class Jobs {
  private constructor(private readonly boss: PgBoss) {}

  /** Creates pg-boss's tables and our queues; part of the migrations. */
  static async migrate(databaseUrl: string): Promise<void> {
    const boss = new PgBoss({ connectionString: databaseUrl, max: 2, supervise: false, schedule: false });
    await boss.start();
    for (const queue of queues) await boss.createQueue(queue);
    await boss.stop({ graceful: false });
  }

  static async open(databaseUrl: string, onError: (error: unknown) => void): Promise<Jobs> {
    const boss = new PgBoss({
      connectionString: databaseUrl,
      max: 2,
      migrate: false,
      supervise: false,
      schedule: false,
    });
    boss.on('error', onError);
    await boss.start();
    return new Jobs(boss);
  }

  async enqueue(em: EntityManager, queue: Queue, data: object): Promise<void> {
    await this.boss.send(queue, data, { db: fromKysely(em.getKysely()) });
  }

  async close(): Promise<void> {
    await this.boss.stop({ graceful: false });
  }
}
