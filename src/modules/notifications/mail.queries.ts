import type { EntityManager } from '@mikro-orm/postgresql';
import { DeveloperStatus } from '../../auth/developer-status.js';
import { ApiKey } from '../api-keys/api-key.entity.js';
import { App, AppStatus } from '../apps/app.entity.js';
import type { DomainEvent } from '../audit/event.types.js';
import { Developer } from '../developers/developer.entity.js';
import type { MailFacts } from './mail.types.js';

/** Reads the facts for the mail about an event, in the transaction that records the event. */
export async function readMailFacts(em: EntityManager, event: DomainEvent): Promise<MailFacts> {
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
