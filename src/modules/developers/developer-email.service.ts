import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Caller } from '../../auth/caller.js';
import { asAccount, type EventMail, type EventService } from '../events/event.service.js';
import { Developer } from './developer.entity.js';
import { isLostAddress, lostAddress } from './developer-email.rules.js';

/** Decides who has an e-mail address: one that an account's token proves wins over one that was typed (D327). */
export class DeveloperEmailService {
  constructor(
    private readonly em: EntityManager,
    private readonly events: EventService,
  ) {}

  /**
   * Returns whether the caller's token proves the address. If it does, an account that has typed the address without proof
   * loses it; one that has proven it keeps it, and the unique index rejects the caller.
   */
  async claim(caller: Caller, email: string, ownId: string | null): Promise<boolean> {
    const address = email.toLowerCase();
    // Requests about one address run one after the other, so that an account that types it meanwhile loses it, too.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`email:${address}`}, 0))`.execute(
      this.em.getKysely(),
    );

    if (caller.kind !== 'account' || !caller.emailProven || caller.email?.toLowerCase() !== address)
      return false;
    const { rows } = await holderOf(address).execute(this.em.getKysely());
    const holder = rows[0] && rows[0].id !== ownId ? await this.lock(rows[0].id) : null;
    if (holder && holder.email.toLowerCase() === address && !holder.emailProven) {
      holder.email = lostAddress();
      await this.em.flush();
      await this.events.record(
        asAccount(caller),
        { kind: 'developer.email_lost', developerId: holder.id },
        { before: { email }, after: { email: null } },
        await this.mailsToFormer(holder.id, address),
      );
    }
    return true;
  }

  private async lock(id: string): Promise<Developer | null> {
    return this.em.findOne(Developer, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
  }

  /** Returns the mail to the address before the lost one, if no other developer has it now: the lost one belongs to somebody else. */
  private async mailsToFormer(developerId: string, lost: string): Promise<EventMail[]> {
    const { rows } = await formerAddressOf(developerId).execute(this.em.getKysely());
    const former = rows[0]?.email;
    if (!former || isLostAddress(former) || former.toLowerCase() === lost) return [];
    const { rows: others } = await holderOf(former.toLowerCase()).execute(this.em.getKysely());
    return others.length === 0 ? [{ recipient: former }] : [];
  }
}

const holderOf = (address: string) => sql<{ id: string }>`
  select id from developers where lower(email) = ${address}`;

const formerAddressOf = (developerId: string) => sql<{ email: string | null }>`
  select data ->> 'formerEmail' as email from audit_events
  where developer_id = ${developerId} and kind = 'developer.email-changed'
  order by created_at desc, id desc limit 1`;
