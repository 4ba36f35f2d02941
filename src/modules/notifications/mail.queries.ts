import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { DeveloperStatus } from '../../auth/developer-status.js';
import { nowMs } from '../../db/clock.js';
import { ApiKey } from '../api-keys/api-key.entity.js';
import { Developer } from '../developers/developer.entity.js';
import type { DomainEvent } from '../events/event.types.js';
import type { MailFacts, MailFactsReader } from '../events/event-mail.types.js';
import { App, AppStatus } from '../listings/app.entity.js';

/** Reads the facts for the mail about an event, in the transaction that records the event. */
async function read(em: EntityManager, event: DomainEvent): Promise<MailFacts> {
  const developer = event.developerId === null ? null : await em.findOneOrFail(Developer, event.developerId);
  const app = 'appId' in event ? await em.findOne(App, event.appId) : null;
  const key = 'keyId' in event ? await em.findOne(ApiKey, event.keyId) : null;
  return {
    developer: developer && { name: developer.name, email: developer.email },
    app: app && {
      name: app.name,
      slug: app.slug,
      isPublic: app.status === AppStatus.APPROVED && developer?.status !== DeveloperStatus.SUSPENDED,
    },
    key: key && {
      name: key.name,
      maskedKey: key.maskedKey,
      scopes: [...key.scopes],
      expiresAt: key.expiresAt,
      lastUsedAt: key.lastUsedAt,
    },
  };
}

/** Days for which the address from before a change by a key gets security mails too (D323). */
const formerAddressDays = 30;
const dayMs = 24 * 60 * 60 * 1000;

/**
 * Returns the e-mail address from before the first change of it by an API key in the last 30 days; null if there was none,
 * or if another developer has proven that it is theirs.
 */
async function addressBeforeKeyChanges(em: EntityManager, developer: string): Promise<string | null> {
  const { rows } = await sql<{ email: string }>`
    select email from (
      select before ->> 'email' as email from profile_changes
      where developer_id = ${developer} and before ? 'email'
        and created_at > ${new Date(nowMs() - formerAddressDays * dayMs)}
      order by created_at, id limit 1) first
    where not exists (select from developers d where lower(d.email) = lower(first.email) and d.id <> ${developer}
      and lower(d.proven_email) = lower(d.email))`.execute(em.getKysely());
  return rows[0]?.email ?? null;
}

export const mailFacts: MailFactsReader = { read, addressBeforeKeyChanges };
