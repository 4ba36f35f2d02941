import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import { DeveloperStatus } from '../../auth/developer-status.js';
import { ApiKey } from '../api-keys/api-key.entity.js';
import { App, AppStatus } from '../apps/app.entity.js';
import type { MailedEvent } from '../audit/event.types.js';
import { Developer } from '../developers/developer.entity.js';

/** What a mail says of people and things besides its event: as they were when it happened (D127). */
export const MailFacts = z.object({
  developer: z.object({ name: z.string(), email: z.string() }),
  /** Null where the event is not about one. */
  app: z.object({ name: z.string(), slug: z.string(), isPublic: z.boolean() }).nullable(),
  key: z
    .object({
      name: z.string(),
      maskedKey: z.string(),
      scopes: z.array(z.string()),
      expiresAt: z.coerce.date(),
      lastUsedAt: z.coerce.date().nullable(),
    })
    .nullable(),
});
export type MailFacts = z.output<typeof MailFacts>;

/** Reads the facts of an event that is being recorded: in its transaction, with all that it has changed so far. */
export async function mailFacts(em: EntityManager, event: MailedEvent): Promise<MailFacts> {
  const developer = await em.findOneOrFail(Developer, event.developerId);
  const app = 'appId' in event ? await em.findOne(App, event.appId) : null;
  const key = 'keyId' in event ? await em.findOne(ApiKey, event.keyId) : null;
  return {
    developer: { name: developer.name, email: developer.email },
    app: app && {
      name: app.name,
      slug: app.slug,
      isPublic: app.status === AppStatus.APPROVED && developer.status !== DeveloperStatus.SUSPENDED,
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
