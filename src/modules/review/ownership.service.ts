import type { EntityManager } from '@mikro-orm/postgresql';
import type { OwnSubject } from '../../auth/policy.js';
import { ownerAccounts } from './ownership.queries.js';

/** Tells whose something is, for the rule that no administrator favours themselves (D104). */
export class OwnershipService {
  constructor(private readonly em: EntityManager) {}

  /** The accounts that a thing belongs to; none where it does not exist. */
  async accountsOf(subject: OwnSubject, { id }: { id?: unknown }): Promise<string[]> {
    if (typeof id !== 'string') throw new Error(`An operation on a ${subject} takes no id`);
    const { rows } = await ownerAccounts[subject](id).execute(this.em.getKysely());
    return rows.map(({ account }) => account);
  }
}
