import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { ormOptions } from '../../mikro-orm.config.js';
import { Jobs } from '../jobs.js';

/** Key of the advisory lock; nothing else in the database uses this number. */
const lockId = 7_219_001;

/**
 * Runs the migrations that a database lacks, or only the named ones. Several processes may call it at once: one migrates,
 * the others wait.
 */
export async function migrateDatabase(databaseUrl: string, names?: readonly string[]): Promise<void> {
  const lock = new pg.Client({ connectionString: databaseUrl });
  await lock.connect();
  try {
    await lock.query('select pg_advisory_lock($1)', [lockId]);
    const orm = await MikroORM.init(ormOptions(databaseUrl, 2));
    try {
      await orm.migrator.up(names ? { migrations: [...names] } : {});
    } finally {
      await orm.close();
    }
    await Jobs.migrate(databaseUrl);
  } finally {
    await lock.end();
  }
}
