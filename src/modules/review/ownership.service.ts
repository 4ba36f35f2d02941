import type { EntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import type { OwnSubject } from '../../auth/policy.js';

/** Finds the owners of apps, versions and the like, for the rule that no administrator acts in their own favour (D104). */
export class OwnershipService {
  constructor(private readonly em: EntityManager) {}

  /** Returns the accounts of the owners; empty if there is nothing with this id. */
  async accountsOf(subject: OwnSubject, { id }: { id?: unknown }): Promise<string[]> {
    if (typeof id !== 'string') throw new Error(`The input of an operation on a ${subject} must have an id`);
    const { rows } = await ownerAccounts[subject](id).execute(this.em.getKysely());
    return rows.map(({ account }) => account);
  }
}

interface OwnerRow {
  account: string;
}

const developersOf = (apps: RawBuilder<unknown>) => sql<OwnerRow>`
  select d.account_user_id as account from developers d join apps a on a.developer_id = d.id where a.id in (${apps})`;

/** The query for the owners' accounts, by the type of thing that the id belongs to. */
const ownerAccounts: Record<OwnSubject, (id: string) => RawBuilder<OwnerRow>> = {
  developer: (id) => sql`select account_user_id as account from developers where id = ${id}`,
  app: (id) => developersOf(sql`${id}`),
  version: (id) => developersOf(sql`select app_id from app_versions where id = ${id}`),
  // The id can be that of the submission, of its app or of its version (D59).
  submission: (id) =>
    developersOf(sql`
      select ${id}::uuid union all select app_id from app_versions where id = ${id}
      union all select app_id from submissions where id = ${id}`),
  // The app's developer, and the author of the rating.
  rating: (id) => sql`
    ${developersOf(sql`select app_id from ratings where id = ${id}`)}
    union all select account_user_id from ratings where id = ${id}`,
};
