import { type RawBuilder, sql } from 'kysely';

/**
 * Blocks the creation and rotation of a developer's keys until the transaction ends: both lock the developer's row for
 * share. Rows that refer to the developer can still be inserted. Returns no row where there is no such developer.
 */
export const blockNewKeys = (developerId: RawBuilder<string>) => sql<{ id: string }>`
  select id from developers where id = ${developerId} for no key update`;

/** The developer that a key belongs to. */
export const ownerOfKey = (hash: Buffer) =>
  sql<string>`(select developer_id from api_keys where hash = ${hash})`;

/** The working keys that descend from a key: made with it, or with a key that was. */
export const livingDescendantsOf = (keyId: string) => sql<{ id: string }>`
  with recursive family (id) as (
    select id from api_keys where id = ${keyId}
    union
    select child.id from family join api_keys child on child.created_by_key_id = family.id)
  select descendant.id from family join api_keys descendant using (id)
  where descendant.id <> ${keyId} and descendant.revoked_at is null and descendant.expires_at > now()`;

const endedShown = 100;
/** When a key stops working, or stopped: the expression of the index `api_keys_ended`. */
const end = sql`coalesce(revoked_at, expires_at)`;

/** The keys that a developer sees: all that still work, and of those that ended the latest hundred. */
export const keysShownTo = (developerId: string) => sql<{ id: string }>`
  (select id from api_keys where developer_id = ${developerId} and ${end} > now())
  union all
  (select id from api_keys where developer_id = ${developerId} and ${end} <= now()
    order by ${end} desc limit ${endedShown})`;
