import { sql } from 'kysely';
import type { StoredResponse } from './replay.js';

/** Time for which a response is stored, as an interval of PostgreSQL. */
export const storedResponseLifetime = "interval '24 hours'";
const lifetime = sql.raw(storedResponseLifetime);

/** Finds the response stored under an id, unless it has expired. */
export const findStoredResponse = (id: Buffer) => sql<StoredResponse>`
  select body_hash as "bodyHash", status, etag, body, shown_once as "shownOnce", developer_id as "developerId"
  from stored_responses where id = ${id} and created_at > now() - ${lifetime}`;

/** Locks an id until the transaction ends; `held` is false if another request holds the lock. */
export const lockStoredResponse = (id: Buffer) =>
  sql<{ held: boolean }>`select pg_try_advisory_xact_lock(${id.readBigInt64BE()}) as held`;

/** Stores a response; replaces one that has expired but is not removed yet. */
export const storeResponse = (
  id: Buffer,
  { bodyHash, status, etag, body, shownOnce, developerId }: StoredResponse,
) => sql`
  insert into stored_responses (id, body_hash, status, etag, body, shown_once, developer_id, created_at)
  values (${id}, ${bodyHash}, ${status}, ${etag}, ${body}, ${shownOnce}, ${developerId}, now())
  on conflict (id) do update set body_hash = excluded.body_hash, status = excluded.status, etag = excluded.etag,
    body = excluded.body, shown_once = excluded.shown_once, created_at = excluded.created_at
  where stored_responses.created_at <= now() - ${lifetime}`;
