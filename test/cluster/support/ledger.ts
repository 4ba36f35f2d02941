import type pg from 'pg';
import type { Stage } from './workload.js';

/** A change of an app that a client was told of. */
interface AcknowledgedUpdate {
  readonly revision: number;
  readonly description: string;
}

/** Everything that the clients have asked for and been told, to be compared with the database. */
export class Ledger {
  /** Names of the apps that were to be created, with the acknowledged id; null: not acknowledged. */
  readonly created = new Map<string, string | null>();
  /** Acknowledged updates of each app in order, and the number of those with an unknown outcome. */
  readonly updated = new Map<string, { acknowledged: AcknowledgedUpdate[]; unknown: number }>();
  /** Installs of one app without any key. */
  readonly installs = { acknowledged: 0, unknown: 0 };
  /** By installationId; true: acknowledged. */
  readonly installedOnce = new Map<string, boolean>();
  /** By Idempotency-Key; true: acknowledged. */
  readonly installedKeyed = new Map<string, boolean>();
  /** Stars by account; null: not acknowledged. */
  readonly rated = new Map<string, number | null>();
  /** By text; true: acknowledged. */
  readonly messages = new Map<string, boolean>();
  /** Ids of submitted apps, with the accounts whose claim was acknowledged. */
  readonly claims = new Map<string, string[]>();
}

export type Sql = <Row extends pg.QueryResultRow>(text: string) => Promise<Row[]>;

/** The differences between what was acknowledged and what the database has. */
export interface Differences {
  readonly lost: string[];
  readonly duplicated: string[];
}

/** Compares the ledger with the database. */
export async function compare(ledger: Ledger, stage: Stage, sql: Sql): Promise<Differences> {
  const differences: Differences = { lost: [], duplicated: [] };
  await compareCreated(ledger, sql, differences);
  await compareUpdated(ledger, sql, differences);
  await compareInstalls(ledger, stage, sql, differences);
  await compareRatings(ledger, stage, sql, differences);
  await compareMessages(ledger, stage, sql, differences);
  await compareClaims(ledger, sql, differences);
  return differences;
}

async function compareCreated({ created }: Ledger, sql: Sql, { lost, duplicated }: Differences) {
  const rows = await sql<{ name: string; ids: string[] }>(
    "select name, array_agg(id::text) as ids from apps where name like 'Created %' group by name",
  );
  const idsOf = new Map(rows.map(({ name, ids }) => [name, ids]));
  for (const [name, id] of created) {
    const ids = idsOf.get(name) ?? [];
    if (id !== null && !ids.includes(id)) lost.push(`app ${name}`);
    if (ids.length > 1) duplicated.push(`app ${name}`);
  }
}

async function compareUpdated({ updated }: Ledger, sql: Sql, { lost, duplicated }: Differences) {
  const rows = await sql<{ id: string; revision: number; description: string }>(
    'select id::text, revision, description from apps',
  );
  for (const [id, { acknowledged, unknown }] of updated) {
    const row = rows.find((each) => each.id === id);
    const last = acknowledged.at(-1);
    if (!row || (last && row.revision < last.revision)) lost.push(`updates of ${id}`);
    else if (last && row.revision === last.revision && row.description !== last.description)
      lost.push(`the last update of ${id}`);
    const revisions = new Set(acknowledged.map(({ revision }) => revision));
    // The first revision is that of the creation.
    const tooMany = (row?.revision ?? 1) - 1 > acknowledged.length + unknown;
    if (tooMany || revisions.size < acknowledged.length) duplicated.push(`updates of ${id}`);
  }
}

async function compareInstalls(ledger: Ledger, stage: Stage, sql: Sql, { lost, duplicated }: Differences) {
  const counts = await sql<{ id: string; count: number; rows: number }>(
    `select f.id::text, f.install_count as count,
       (select count(*)::int from installations i where i.app_id = f.id) as rows from app_figures f`,
  );
  const keyed = (entries: ReadonlyMap<string, boolean>) => {
    const acknowledged = [...entries.values()].filter(Boolean).length;
    return { acknowledged, unknown: entries.size - acknowledged };
  };
  const expected = [
    { name: 'installs', app: stage.plain, ...ledger.installs },
    { name: 'installs with installationId', app: stage.once, ...keyed(ledger.installedOnce) },
    { name: 'installs with Idempotency-Key', app: stage.keyed, ...keyed(ledger.installedKeyed) },
  ];
  for (const { name, app, acknowledged, unknown } of expected) {
    const { count = 0, rows = 0 } = counts.find(({ id }) => id === app.id) ?? {};
    for (const found of [count, rows]) {
      for (let i = found; i < acknowledged; i += 1) lost.push(`${name}: ${found} of ${acknowledged}`);
      for (let i = acknowledged + unknown; i < found; i += 1)
        duplicated.push(`${name}: ${found} instead of at most ${acknowledged + unknown}`);
    }
  }
  const ids = await sql<{ id: string }>('select installation_id as id from installations');
  const found = new Set(ids.map(({ id }) => id));
  for (const [id, isAcknowledged] of ledger.installedOnce)
    if (isAcknowledged && !found.has(id)) lost.push(`installation ${id}`);
}

async function compareRatings({ rated }: Ledger, stage: Stage, sql: Sql, { lost, duplicated }: Differences) {
  const rows = await sql<{ account: string; stars: number }>(
    `select account_user_id as account, rating::int as stars from ratings where app_id = '${stage.plain.id}'`,
  );
  for (const [account, stars] of rated) {
    const found = rows.filter((row) => row.account === account);
    if (stars !== null && found[0]?.stars !== stars) lost.push(`rating of ${account}`);
    if (found.length > 1) duplicated.push(`rating of ${account}`);
  }
  const [figures] = await sql<{ count: number }>(
    `select review_count as count from apps where id = '${stage.plain.id}'`,
  );
  if (figures?.count !== rows.length)
    duplicated.push(`reviewCount is ${figures?.count} with ${rows.length} ratings`);
}

async function compareMessages(
  { messages }: Ledger,
  stage: Stage,
  sql: Sql,
  { lost, duplicated }: Differences,
) {
  const rows = await sql<{ text: string; count: number }>(
    `select text, count(*)::int from review_messages where app_id = '${stage.talked.id}' group by text`,
  );
  const countOf = new Map(rows.map(({ text, count }) => [text, count]));
  for (const [text, isAcknowledged] of messages) {
    const count = countOf.get(text) ?? 0;
    if (isAcknowledged && count === 0) lost.push(text);
    if (count > 1) duplicated.push(text);
  }
}

async function compareClaims({ claims }: Ledger, sql: Sql, { lost, duplicated }: Differences) {
  const rows = await sql<{ id: string; account: string | null; count: number }>(
    `select app_id::text as id, max(claimed_by) as account, count(*)::int from submissions
     where ended_at is null group by app_id`,
  );
  for (const [id, accounts] of claims) {
    const row = rows.find((each) => each.id === id);
    if (!row) lost.push(`submission of ${id}`);
    if (accounts[0] !== undefined && row?.account !== accounts[0]) lost.push(`claim of ${id}`);
    if (accounts.length > 1 || (row?.count ?? 0) > 1) duplicated.push(`claim of ${id}`);
  }
}
