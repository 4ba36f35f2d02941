import { describe, it } from '@jest/globals';
import { pino } from 'pino';
import { loadConfig } from '../../src/config.js';
import { openWorker } from '../../src/process/open-worker.js';
import { connectTo, createTestDatabase } from '../support/database.js';
import { DatabaseLine } from '../support/database-line.js';
import { until } from '../support/mail-server.js';

const others = 'select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';

describe('a worker that starts', () => {
  it('leaves no connection behind, by whichever statement it loses the database', async () => {
    await using database = await createTestDatabase();
    const line = await DatabaseLine.to(database.url);
    const config = loadConfig({ DATABASE_URL: database.url });
    const open = () => openWorker(config, { databaseUrl: line.url, log: pino({ level: 'silent' }) });
    const statements = await line.listenIn(async () => (await open())());
    const observer = await connectTo(database.url);
    for (const statement of new Set(statements)) {
      line.dieBy(new RegExp(statement.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')));
      const close = await open().catch(() => null);
      line.dieBy(null);
      await close?.();
      await until(
        async () => (await observer.query(others)).rowCount === 0,
        `A connection is open although it could not execute ${statement}`,
      );
    }
    await observer.end();
    await line.cut();
  });
});
