import { migrations } from './migrations/list.js';

const UNDEFINED_TABLE = '42P01';

/** The migrations of this release that a database lacks, and all that it has, in order. */
export interface MigrationState {
  readonly executed: readonly string[];
  readonly pending: readonly string[];
}

/** Reads which migrations have run in a database; none if it is empty. */
export async function migrationState(
  read: (sql: string) => Promise<{ name: string }[]>,
): Promise<MigrationState> {
  const rows = await read('select name from schema_migrations order by name').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === UNDEFINED_TABLE) return [];
    throw error;
  });
  const executed = rows.map(({ name }) => name);
  const pending = migrations.map(({ name }) => name).filter((name) => !executed.includes(name));
  return { executed, pending };
}
