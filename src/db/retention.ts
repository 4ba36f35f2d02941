import type { EntityManager } from '@mikro-orm/postgresql';
import type { Logger } from 'pino';
import type { Config } from '../config.js';
import { now as databaseNow } from './clock.js';

/** Why the rows of a table do not become ever more, or why they may. */
export type RetentionRule =
  /** They stay, for this reason. */
  | { readonly kept: string }
  /** There are at most so many for each row of another table, and they are deleted with it. */
  | { readonly perRowOf: string; readonly atMost: string }
  /** Rows older than a time are removed by the worker. */
  | { readonly days: keyof Config['retention'] | number; readonly remove: string }
  /** The library that owns the table removes them. */
  | { readonly removedBy: string };

/** Rows that one statement removes, so that locks are short. */
const BATCH_SIZE = 5_000;

/** Deletes one batch of the rows that match; skips rows that another worker is deleting. */
const deleteRows = (table: string, condition: string) => `
  , removed as (
    delete from ${table} where ctid = any(array(
      select ctid from ${table} where ${condition} limit ${BATCH_SIZE} for update skip locked))
    returning 1)
  select count(*)::int as count from removed`;

/** The same for rows whose time is before the oldest that is kept. */
const deleteOlder = (table: string, column: string) =>
  deleteRows(table, `${column} < (select oldest from batch)`);

/**
 * Prunes one batch of installs; their counts stay in `installs_daily` (D74). Installs without an installationId are
 * deleted. The others keep the app and the installationId, so that the same installation is not counted again.
 */
const pruneInstalls = `
  , old as (
    select id, installation_id from installations
    where created_at < (select oldest from batch)
      and (installation_id is null or account_user_id is not null or version is not null)
    order by created_at limit ${BATCH_SIZE} for update skip locked),
  removed as (
    delete from installations where id in (select id from old where installation_id is null) returning id),
  reduced as (
    update installations set account_user_id = null, version = null
    where id in (select id from old where installation_id is not null) returning id)
  select ((select count(*) from removed) + (select count(*) from reduced))::int as count`;

/** Adds one batch of the counts by version to the count of their day. Clients choose the versions, so there may be many. */
const mergeVersions = `
  , removed as (
    delete from installs_daily where ctid = any(array(
      select ctid from installs_daily where version <> '' and day < (select oldest from batch)::date
      limit ${BATCH_SIZE} for update skip locked))
    returning *),
  merged as (
    insert into installs_daily as d (app_id, day, environment, version, installs, unique_installations)
    select app_id, day, environment, '', sum(installs), sum(unique_installations) from removed group by 1, 2, 3
    order by 1, 2, 3
    on conflict (app_id, day, environment, version) do update set installs = d.installs + excluded.installs,
      unique_installations = d.unique_installations + excluded.unique_installations)
  select count(*)::int as count from removed`;

/**
 * The time for which the rows of each table are kept (D268); a test fails for a table that is missing here. Fixed numbers of days are
 * promises of the API, or times after which nobody reads the rows.
 */
export const retentionRules: Readonly<Record<string, RetentionRule>> = {
  developers: { kept: 'one for each account of the identity provider' },
  apps: { kept: 'at most QUOTA_APPS for each developer; those that were public keep their slug for ever' },
  api_keys: { kept: 'the audit log and later keys name them; at most 120 a minute are created' },
  app_versions: { kept: 'what was public and what was reviewed; at most QUOTA_VERSIONS a day for each app' },
  submissions: { kept: 'the history of decisions; each needs a decision or a withdrawal' },
  review_messages: { kept: 'the conversation about an app; at most QUOTA_MESSAGES a day for each app' },
  ratings: { kept: 'one for each account and app' },
  audit_events: { kept: 'the audit log is never changed; it is partitioned by month' },
  administrators: { kept: 'names the administrators in the audit log' },
  webhook_endpoints: { kept: 'ten for each developer, and ten of the administration' },
  schema_migrations: { kept: 'one for each migration' },
  search_words: { kept: 'one for each word of the names that were public' },
  app_counts: { kept: 'counters by category, environment and featured' },

  app_figures: { perRowOf: 'apps', atMost: '1' },
  app_names: { perRowOf: 'apps', atMost: '1' },
  app_search: { perRowOf: 'apps', atMost: '1' },
  asset_checks: { perRowOf: 'apps', atMost: '9, and 9 for each version: those of the current revision' },
  developer_names: { perRowOf: 'developers', atMost: '2' },
  picture_checks: { perRowOf: 'apps', atMost: '1' },
  trusted_publishers: { perRowOf: 'apps', atMost: '20' },
  key_expiry_notices: { perRowOf: 'api_keys', atMost: '3' },
  webhook_attempts: { perRowOf: 'webhook_deliveries', atMost: '50' },

  mails: { days: 'mailsDays', remove: deleteOlder('mails', 'created_at') },
  webhook_deliveries: {
    days: 'deliveriesDays',
    // A delivery that should have been attempted so long ago has no job any more.
    remove: deleteRows(
      'webhook_deliveries',
      `created_at < (select oldest from batch)
       and (status <> 'PENDING' or next_attempt_at < (select oldest from batch))`,
    ),
  },
  app_reports: {
    days: 'reportsDays',
    remove: deleteOlder('app_reports', 'closed_at'),
  },
  rating_reports: {
    days: 'reportsDays',
    remove: deleteOlder('rating_reports', 'closed_at'),
  },
  // Security mails go to the address before the changes of the last 30 days (D323).
  profile_changes: {
    days: 30,
    remove: deleteOlder('profile_changes', 'created_at'),
  },
  installations: { days: 'installsDays', remove: pruneInstalls },
  installs_daily: { days: 'installsDays', remove: mergeVersions },
  // Clients rely on 24 hours (D35).
  stored_responses: {
    days: 1,
    remove: deleteRows('stored_responses', 'created_at <= (select oldest from batch)'),
  },
  // An expired token is rejected anyway.
  publisher_tokens: {
    days: 1,
    remove: deleteOlder('publisher_tokens', 'expires_at'),
  },
  rate_limits: {
    days: 0,
    remove: deleteRows('rate_limits', 'expire < extract(epoch from (select oldest from batch)) * 1000'),
  },
  // Every process writes its own again long before.
  replication_marks: {
    days: 1,
    remove: deleteOlder('replication_marks', 'written_at'),
  },
  'pgboss.job': {
    removedBy: 'pg-boss, RETENTION_JOBS_DAYS after they have ended; waiting ones after 7 days',
  },
  'pgboss.job_dependency': { removedBy: 'pg-boss, with the job; not used' },
  'pgboss.queue': { kept: 'one for each queue' },
  'pgboss.queue_stats': { removedBy: 'pg-boss; not used' },
  'pgboss.schedule': { kept: 'not used' },
  'pgboss.subscription': { kept: 'not used' },
  'pgboss.version': { kept: 'one row' },
  'pgboss.warning': { removedBy: 'pg-boss; not used' },
  'pgboss.bam': { kept: 'one for each migration of pg-boss that runs in the background' },
};

interface RemovalOptions {
  settings: Config['retention'];
  log: Logger;
  /** Ends the work after the current batch. */
  signal?: AbortSignal;
  /** Only the tests set this. */
  now?: Date;
}

/**
 * Removes the rows that are older than their rule allows, in batches. Several workers can run this at the same time. A
 * table that fails is logged and does not stop the others.
 */
export async function removeOldRows(
  em: EntityManager,
  { settings, log, signal, now = databaseNow() }: RemovalOptions,
): Promise<void> {
  for (const [table, rule] of Object.entries(retentionRules)) {
    if (!('remove' in rule)) continue;
    const days = typeof rule.days === 'number' ? rule.days : settings[rule.days];
    const oldest = new Date(now.getTime() - days * 24 * 60 * 60 * 1000);
    try {
      while (!signal?.aborted && (await removeBatch(em, rule.remove, oldest)) === BATCH_SIZE);
    } catch (error) {
      log.error({ err: error, table }, 'removing old rows failed');
    }
  }
}

async function removeBatch(em: EntityManager, statement: string, oldest: Date): Promise<number> {
  const [row] = await em.execute<{ count: number }[]>(
    `with batch as (select ?::timestamptz as oldest) ${statement}`,
    [oldest],
  );
  return row?.count ?? 0;
}

/** Months for which the audit log has partitions in advance. */
const MONTHS_AHEAD = 3;

/** Creates the partitions of the audit log for the coming months, if they do not exist (D282). */
export async function createAuditPartitions(em: EntityManager): Promise<void> {
  await em.execute('select create_audit_partitions(?)', [MONTHS_AHEAD]);
}
