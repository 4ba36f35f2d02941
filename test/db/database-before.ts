import { Client } from 'pg';
import { migrations } from '../../src/db/migrations/list.js';
import { migrateDatabase } from '../../src/process/migrate.js';
import { createEmptyDatabase } from '../support/database.js';

/** Creates a database with all migrations before the given one, and opens connections to it. */
export async function databaseBefore(migration: string, connections: number) {
  const database = await createEmptyDatabase();
  const clients = Array.from({ length: connections }, () => new Client({ connectionString: database.url }));
  await Promise.all(clients.map((client) => client.connect()));
  const names = migrations.map(({ name }) => name);
  await migrateDatabase(database.url, names.slice(0, names.indexOf(migration)));
  return {
    database,
    clients,
    client: clients[0]!,
    async close() {
      await Promise.all(clients.map((client) => client.end()));
      await database.drop();
    },
  };
}
