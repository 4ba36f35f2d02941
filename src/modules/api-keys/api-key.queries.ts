import { type RawBuilder, sql } from 'kysely';

/**
 * Blocks the creation and rotation of a developer's keys until the transaction ends, because both lock the developer's
 * row for share. Rows that reference the developer can still be inserted.
 */
export const blockNewKeys = (developerId: RawBuilder<string>) => sql<{ id: string }>`
  select id from developers where id = ${developerId} for no key update`;

/** The id of the developer that a key belongs to. */
export const ownerOfKey = (hash: Buffer) =>
  sql<string>`(select developer_id from api_keys where hash = ${hash})`;

/** Begins a statement that uses `family`: a key and its descendants, the keys that were created with it, directly or through other keys. */
export const withFamilyOf = (keyId: string) => sql`
  with recursive family (id) as (
    select id from api_keys where id = ${keyId}
    union
    select child.id from family join api_keys child on child.created_by_key_id = family.id)`;

/** The active descendants of a key. */
export const activeDescendantsOf = (keyId: string) => sql<{ id: string }>`${withFamilyOf(keyId)}
  select descendant.id from family join api_keys descendant using (id)
  where descendant.id <> ${keyId} and descendant.revoked_at is null and descendant.expires_at > now()`;

const maxEndedKeys = 100;
/** The time at which a key was revoked or expires. The index `api_keys_ended` uses the same expression. */
const end = sql`coalesce(revoked_at, expires_at)`;

/** The keys in a developer's list: all active ones, and the hundred that ended last. */
export const keysShownTo = (developerId: string) => sql<{ id: string }>`
  (select id from api_keys where developer_id = ${developerId} and ${end} > now())
  union all
  (select id from api_keys where developer_id = ${developerId} and ${end} <= now()
    order by ${end} desc limit ${maxEndedKeys})`;
