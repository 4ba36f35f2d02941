import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { AccountCaller } from '../../auth/caller.js';

/** Records the names in the tokens of administrators, in the background, if one is new or has changed. */
export class AdministratorNameRecorder {
  private readonly recorded = new Map<string, string>();
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly fork: () => EntityManager,
    private readonly log: Logger,
  ) {}

  record({ accountUserId, name, isAdmin }: Pick<AccountCaller, 'accountUserId' | 'name' | 'isAdmin'>): void {
    if (!isAdmin || name === null || this.recorded.get(accountUserId) === name) return;
    this.recorded.set(accountUserId, name);
    this.writing = this.writing.then(() => this.write(accountUserId, name));
  }

  private async write(accountUserId: string, name: string): Promise<void> {
    try {
      await recordAdministrator(accountUserId, name).execute(this.fork().getKysely());
    } catch (error) {
      this.recorded.delete(accountUserId);
      this.log.warn({ err: error }, 'The name of an administrator could not be recorded');
    }
  }

  /** Resolves when all names so far are written. */
  async settled(): Promise<void> {
    await this.writing;
  }
}

export const recordAdministrator = (accountUserId: string, name: string) => sql`
  insert into administrators (account_user_id, name, updated_at) values (${accountUserId}, ${name}, now())
  on conflict (account_user_id) do update set name = excluded.name, updated_at = excluded.updated_at
  where administrators.name <> excluded.name`;
