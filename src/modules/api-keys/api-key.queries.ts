import { sql } from 'kysely';

const endedShown = 100;
/** When a key stops working, or stopped: the expression of the index `api_keys_ended`. */
const end = sql`coalesce(revoked_at, expires_at)`;

/** The keys that a developer sees: all that still work, and of those that ended the latest hundred. */
export const keysShownTo = (developerId: string) => sql<{ id: string }>`
  (select id from api_keys where developer_id = ${developerId} and ${end} > now())
  union all
  (select id from api_keys where developer_id = ${developerId} and ${end} <= now()
    order by ${end} desc limit ${endedShown})`;
