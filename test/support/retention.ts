import { MikroORM } from '@mikro-orm/postgresql';
import { pino } from 'pino';
import { ormOptions } from '../../mikro-orm.config.js';
import { loadConfig } from '../../src/config.js';
import { removeOldRows } from '../../src/db/retention.js';

interface Retention {
  /** Removes what is too old at this time, with the settings of `environment`. Errors are thrown. */
  removeOldRows(now?: Date, environment?: Record<string, string>): Promise<void>;
  close(): Promise<void>;
}

/** Opens a database to remove its old rows, as the worker does. */
export async function openRetention(databaseUrl: string): Promise<Retention> {
  const orm = await MikroORM.init(ormOptions(databaseUrl, 1));
  const problems: string[] = [];
  const log = pino({ level: 'error' }, { write: (line: string) => void problems.push(line) });
  return {
    async removeOldRows(now, environment = {}) {
      const settings = loadConfig(environment).retention;
      await removeOldRows(orm.em.fork(), { settings, log, ...(now && { now }) });
      if (problems.length > 0) throw new Error(problems.join(''));
    },
    close: () => orm.close(),
  };
}

/** Removes the rows that are too old now, with the default settings. */
export async function removeOldRowsOf(databaseUrl: string): Promise<void> {
  const retention = await openRetention(databaseUrl);
  await retention.removeOldRows();
  await retention.close();
}
