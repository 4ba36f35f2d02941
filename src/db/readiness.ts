import type { MikroORM } from '@mikro-orm/postgresql';
import { ServiceError } from '../errors.js';
import { inTime } from './in-time.js';
import { migrationState } from './migration-state.js';
import { chargedTo } from './payer.js';
import type { Reader } from './reader.js';

/** A load balancer asks every second or two, and takes a late response for none. */
const timeoutMs = 2_000;
/** The time after which the schema is checked again. */
const recheckMs = 5_000;

/** Checks whether the database can serve requests of this release. */
export class Readiness {
  /** The time until which a complete schema is not checked again. Somebody may restore a backup, or connect another database. */
  private completeUntil = 0;
  private missingCount = 0;
  private running: Promise<void> | null = null;

  constructor(
    private readonly reader: Reader,
    private readonly orm: MikroORM,
  ) {}

  /** Rejects if the database does not respond in time, accepts no writes, or lacks migrations of this release. */
  async check(): Promise<void> {
    // At most one check waits for a database that does not respond.
    this.running ??= chargedTo(null, () => this.examine()).finally(() => {
      this.running = null;
    });
    await inTime(this.running, timeoutMs, () => Promise.reject(tooSlow()));
  }

  /** Returns the result of the check for the metrics, and the number of missing migrations or columns at the last check. */
  async figures(): Promise<{ isReady: boolean; missing: number }> {
    const isReady = await this.check().then(
      () => true,
      () => false,
    );
    return { isReady, missing: this.missingCount };
  }

  private async examine(): Promise<void> {
    const [state] = await this.reader.rows<{ isReadOnly: boolean }>({
      name: 'readiness',
      text: `select current_setting('transaction_read_only') = 'on' as "isReadOnly"`,
      values: [],
      timeoutMs,
    });
    if (state?.isReadOnly) throw readOnly();
    if (performance.now() < this.completeUntil) return;
    const missing = await this.missing();
    this.missingCount = missing.length;
    if (missing.length > 0) throw incomplete(missing);
    this.completeUntil = performance.now() + recheckMs;
  }

  /** Returns the migrations that have not run. If all have, returns the columns that are not there all the same. */
  private async missing(): Promise<readonly string[]> {
    const { pending } = await migrationState((text) =>
      this.reader.rows({ name: 'readiness-migrations', text, values: [], timeoutMs }),
    );
    return pending.length > 0 ? pending : await this.missingColumns();
  }

  private async missingColumns(): Promise<string[]> {
    const columns = columnsOf(this.orm);
    const rows = await this.reader.rows<{ name: string }>({
      name: 'readiness-columns',
      text: `
        select n.table_name || '.' || n.column_name as name
        from unnest($1::text[], $2::text[]) as n (table_name, column_name)
        where not exists (select from pg_attribute a where a.attrelid = to_regclass(quote_ident(n.table_name))
          and a.attname = n.column_name and not a.attisdropped)`,
      values: [columns.map(({ table }) => table), columns.map(({ column }) => column)],
      timeoutMs,
    });
    return rows.map(({ name }) => name);
  }
}

/** Lists the columns of all entities. */
const columnsOf = (orm: MikroORM) =>
  [...orm.getMetadata().getAll().values()].flatMap(({ tableName: table, props }) =>
    props
      .filter(({ persist }) => persist !== false)
      .flatMap(({ fieldNames = [] }) => fieldNames.map((column) => ({ table, column }))),
  );

const tooSlow = () =>
  new ServiceError(
    'UNAVAILABLE',
    `The database does not respond within ${timeoutMs / 1000} seconds. Check that it runs and that this machine reaches it.`,
  );

const readOnly = () =>
  new ServiceError(
    'UNAVAILABLE',
    'The database accepts no writes: DATABASE_URL leads to a standby, or the primary is read-only. Connect the gateway to the primary.',
  );

const maxNamed = 5;

const incomplete = (missing: readonly string[]) => {
  const others = missing.length - maxNamed;
  const names = missing.slice(0, maxNamed).join(', ') + (others > 0 ? ` and ${others} more` : '');
  return new ServiceError(
    'UNAVAILABLE',
    `The database does not have the schema of this release: it lacks ${names}. Restart the gateway, which runs missing migrations when it starts; if nothing changes, the data is of an unreleased version: restore a backup.`,
  );
};
