import { type RawBuilder, sql } from 'kysely';
import type { OwnSubject } from '../../auth/policy.js';

interface OwnerRow {
  account: string;
}

const developersOf = (apps: RawBuilder<unknown>) => sql<OwnerRow>`
  select d.account_user_id as account from developers d join apps a on a.developer_id = d.id where a.id in (${apps})`;

/** The accounts that something belongs to, by what its id names. */
export const ownerAccounts: Record<OwnSubject, (id: string) => RawBuilder<OwnerRow>> = {
  developer: (id) => sql`select account_user_id as account from developers where id = ${id}`,
  app: (id) => developersOf(sql`${id}`),
  version: (id) => developersOf(sql`select app_id from app_versions where id = ${id}`),
  // By the submission's own id, or by that of the app or version it is about (D59).
  submission: (id) =>
    developersOf(sql`
      select ${id}::uuid union all select app_id from app_versions where id = ${id}
      union all select app_id from submissions where id = ${id}`),
  // Whoever wrote it has a part in it, too.
  rating: (id) => sql`
    ${developersOf(sql`select app_id from ratings where id = ${id}`)}
    union all select account_user_id from ratings where id = ${id}`,
};
