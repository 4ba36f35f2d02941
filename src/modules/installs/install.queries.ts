import { type ReplayKey, type StoredResponse, storedResponseLifetime } from '../../operations/idempotency.js';

/** An install to be recorded. */
export interface NewInstall {
  id: string;
  slug: string;
  installationId: string | null;
  accountUserId: string | null;
  version: string | null;
}

/** The result of recording an install. */
export interface RecordedInstall {
  /** False if there is no public app with this slug. */
  isListed: boolean;
  /** The number of installs of the app after this transaction; null if its row was locked or it is not public. */
  installCount: number | null;
  /** False if the same installationId was counted before. */
  isNew: boolean;
  /** The response to an earlier request with the same Idempotency-Key; then nothing was recorded. */
  stored?: StoredResponse | null;
}

/** Key of the advisory lock by which batches take turns; nothing else in the database uses it. */
const turn = '7219, 0';

const given = 'unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[]) with ordinality';
const givenColumns = 'id, slug, installation_id, account_user_id, version, place';

const asked = `asked as (select * from ${given} as i (${givenColumns}))`;

/** Length of a SHA-256. Each install has two of them in $6: its Idempotency-Key, and its body. */
const hashBytes = 32;
const noKey = Buffer.alloc(hashBytes);
const hashAt = (index: 0 | 1) =>
  `substring($6::bytea from (place * ${2 * hashBytes} - ${(2 - index) * hashBytes - 1})::int for ${hashBytes})`;

/**
 * Looks up each key by itself, so that the plan is the same however many responses are stored: the first batch of a
 * connection is often sent when the table is empty, and its plan is used for later ones.
 */
const askedWithKeys = `
  asked as (
    select i.*, k.id is null as is_fresh, k.body_hash as stored_hash, k.status, k.body
    from (
      select i.*, nullif(${hashAt(0)}, '\\x${noKey.toString('hex')}') as key, ${hashAt(1)} as body_hash
      from ${given} as i (${givenColumns})) i
    left join lateral (
      select * from stored_responses where id = i.key and created_at > now() - ${storedResponseLifetime} limit 1) k on true)`;

/** Stores the responses that REST sends for these installs: a test compares them. */
const storing = `
  kept as (
    insert into stored_responses (id, body_hash, status, body, created_at)
    select i.key, i.body_hash, case when r.id is null then 200 else 201 end, row_to_json(receipt)::text, now()
    from asked i join held h using (slug) left join by_app b on b.app_id = h.id left join recorded r on r.id = i.id
      cross join lateral (select h.slug, h.install_count + coalesce(b.installs, 0) as "installCount") receipt
    where i.key is not null and i.is_fresh)`;

/**
 * Records any number of installs in one statement, and so in one transaction. It locks the `app_figures` rows of their
 * apps first, always in the order of their ids, so that counts are exact and two transactions never deadlock. The unique
 * index prevents counting an installationId twice, within a batch too.
 *
 * Batches of several gateways take turns by an advisory lock, which every row of `wanted` needs. So a row that a batch
 * finds locked is not locked by another batch, and may be locked for long: the batch skips it, and its results have no count.
 *
 * A keyed batch has an Idempotency-Key for some installs, and stores their responses. If another transaction has
 * stored one of them since this statement began, the primary key makes the whole statement fail, and it can be repeated.
 */
const statement = (isKeyed: boolean) => `
  with ${isKeyed ? askedWithKeys : asked},
  turn as materialized (select pg_advisory_xact_lock(${turn})),
  wanted as (select id, slug from apps cross join turn where slug = any($2) and listed),
  held as (
    select f.id, w.slug, f.environment, f.install_count from wanted w join app_figures f using (id) where f.listed
    order by f.id for no key update of f skip locked),
  recorded as (
    insert into installations (id, app_id, installation_id, account_user_id, version, created_at)
    select i.id, h.id, i.installation_id, i.account_user_id, i.version, now()
    from asked i join held h using (slug) ${isKeyed ? 'where i.is_fresh' : ''}
    on conflict on constraint installations_once_per_app do nothing
    returning id, app_id, installation_id, version),
  by_version as (
    insert into installs_daily as d (app_id, day, environment, version, installs, unique_installations)
    select h.id, (now() at time zone 'utc')::date, h.environment, coalesce(r.version, ''),
      count(*), count(r.installation_id)
    from recorded r join held h on h.id = r.app_id group by 1, 2, 3, 4
    on conflict (app_id, day, environment, version) do update set installs = d.installs + excluded.installs,
      unique_installations = d.unique_installations + excluded.unique_installations),
  by_app as (select app_id, count(*)::int as installs from recorded group by app_id),
  counted as (
    update app_figures f set install_count = install_count + by_app.installs from by_app where f.id = by_app.app_id)
  ${isKeyed ? `, ${storing}` : ''}
  select w.slug is not null as "isListed", h.install_count + coalesce(b.installs, 0) as "installCount",
    r.id is not null as "isNew"
    ${isKeyed ? ', i.stored_hash as "storedHash", i.status as "storedStatus", i.body as "storedBody"' : ''}
  from asked i left join wanted w using (slug) left join held h using (slug)
    left join by_app b on b.app_id = h.id left join recorded r on r.id = i.id
  order by i.place`;

export const recordBatch = { name: 'record-installs', text: statement(false) };

/** The same for a batch with Idempotency-Keys, which are in $6 together with the hashes of the request bodies. */
export const recordKeyedBatch = { name: 'record-keyed-installs', text: statement(true) };

/** A row of the result of a keyed batch. */
export interface KeyedRow extends Omit<RecordedInstall, 'stored'> {
  storedHash: Buffer | null;
  storedStatus: number | null;
  storedBody: string | null;
}

/** Returns the result of an install in a keyed batch. */
export const fromKeyedRow = ({
  storedHash,
  storedStatus,
  storedBody,
  ...recorded
}: KeyedRow): RecordedInstall => ({
  ...recorded,
  stored:
    storedHash === null || storedStatus === null
      ? null
      : {
          bodyHash: storedHash,
          status: storedStatus,
          body: storedBody,
          etag: null,
          shownOnce: null,
          developerId: null,
        },
});

/** Removes expired responses, so that their keys can be stored again. */
export const removeExpired = {
  name: 'remove-expired-responses',
  text: `delete from stored_responses where id = any($1::bytea[]) and created_at <= now() - ${storedResponseLifetime}`,
};

/** Converts installs to the parameters of the statements: one array per column. */
export const installColumns = (installs: readonly NewInstall[]): (string | null)[][] => [
  installs.map(({ id }) => id),
  installs.map(({ slug }) => slug),
  installs.map(({ installationId }) => installationId),
  installs.map(({ accountUserId }) => accountUserId),
  installs.map(({ version }) => version),
];

/** Converts the Idempotency-Keys of a batch to a parameter: one binary value, because an array would be sent as text. */
export const keyColumn = (keys: readonly (ReplayKey | null)[]): Buffer =>
  Buffer.concat(keys.flatMap((key) => (key ? [key.id, key.bodyHash] : [noKey, noKey])));
