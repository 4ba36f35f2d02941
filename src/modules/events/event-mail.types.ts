import type { EntityManager } from '@mikro-orm/postgresql';
import { z } from 'zod';
import type { DomainEvent, EventKind } from './event.types.js';

/**
 * The time at which a mail is sent. `immediate`: always at once, for mails that SPEC requires and their counterparts for versions.
 * `digest`: the first mail to an address at once, those of the same kind within the next hour as one digest (D110).
 * `security`: like `digest`. It tells who can act for a developer, and also goes to the address from before a key changed it (D323).
 */
type MailTiming = 'immediate' | 'digest' | 'security';

/** The events that are mailed, and when. Each kind needs a template in notifications/mail.templates.ts. */
const mailTimings = {
  'developer.verified': 'immediate',
  'developer.unverified': 'digest',
  'developer.suspended': 'digest',
  'developer.reinstated': 'digest',
  'developer.updated': 'security',
  'developer.edited': 'digest',
  'developer.email-changed': 'security',
  'developer.email_lost': 'digest',
  'developer.change_undone': 'security',
  'key.created': 'security',
  'key.revoked': 'security',
  'key.rotated': 'security',
  'key.leaked': 'security',
  'key.expiring': 'digest',
  'publisher.added': 'security',
  'webhook.created': 'security',
  'webhook.updated': 'security',
  'webhook.deleted': 'security',
  'webhook.secret-rotated': 'security',
  'webhook.enabled': 'security',
  'webhook.disabled': 'security',
  'app.submitted': 'digest',
  'app.approved': 'immediate',
  'app.rejected': 'immediate',
  'app.suspended': 'digest',
  'app.restored': 'digest',
  'app.edited': 'digest',
  'app.pictures_changed': 'digest',
  'review.message-received': 'digest',
  'review.message-sent': 'digest',
  'version.submitted': 'digest',
  'version.approved': 'immediate',
  'version.rejected': 'immediate',
} as const satisfies { readonly [Kind in EventKind]?: MailTiming };

export type MailedKind = keyof typeof mailTimings;
export type MailedEvent = DomainEvent & { kind: MailedKind };

export const mailed: ReadonlySet<MailedKind> = new Set(Object.keys(mailTimings) as MailedKind[]);
export const isMailed = (event: DomainEvent): event is MailedEvent => Object.hasOwn(mailTimings, event.kind);
export const isDigested = (kind: MailedKind): boolean => mailTimings[kind] !== 'immediate';
export const isSecurityKind = (kind: MailedKind): boolean => mailTimings[kind] === 'security';

/** The developer, app and key of an event, as they were when the event happened (D127). They are stored in the job. */
export const MailFacts = z.object({
  /** Null where the event is about an endpoint of the administration. */
  developer: z.object({ name: z.string(), email: z.string() }).nullable(),
  /** Null where the event is not about an app. */
  app: z.object({ name: z.string(), slug: z.string(), isPublic: z.boolean() }).nullable(),
  /** Null where the event is not about an API key. */
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

/** Reads what the mails about an event need, in the transaction that records the event. */
export interface MailFactsReader {
  read(em: EntityManager, event: DomainEvent): Promise<MailFacts>;
  /** Returns the address that a developer had before API keys changed it; null if there is none. */
  addressBeforeKeyChanges(em: EntityManager, developerId: string): Promise<string | null>;
}
