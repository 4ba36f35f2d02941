import type { RejectionReason } from '../apps/app.types.js';

/** What happens in the marketplace, and what those who are told of it need to know. */
export type DomainEvent =
  | { kind: 'developer.registered' | 'developer.updated'; developerId: string }
  | { kind: 'developer.verified' | 'developer.reinstated'; developerId: string }
  | { kind: 'developer.unverified' | 'developer.suspended'; developerId: string; reason: string }
  | { kind: 'developer.email-changed'; developerId: string; formerEmail: string }
  | { kind: 'key.created' | 'key.revoked'; developerId: string; keyId: string }
  | { kind: 'key.expiring'; developerId: string; keyId: string; daysBefore: number }
  | {
      kind: 'app.created' | 'app.updated' | 'app.deleted' | 'app.withdrawn';
      developerId: string;
      appId: string;
    }
  | { kind: 'app.submitted' | 'app.restored'; developerId: string; appId: string }
  | { kind: 'app.approved'; developerId: string; appId: string; note: string | null }
  | { kind: 'app.rejected'; developerId: string; appId: string; reasons: RejectionReason[]; guidance: string }
  | { kind: 'app.suspended' | 'app.edited'; developerId: string; appId: string; reason: string }
  | { kind: 'app.featured' | 'app.unfeatured'; developerId: string; appId: string };

export type EventKind = DomainEvent['kind'];

const kinds = <const K extends EventKind>(names: readonly K[]): ReadonlySet<K> => new Set(names);

/** The events that the developer is told of by e-mail. Each needs its template: see notifications/mail.templates.ts. */
export const mailed = kinds([
  'developer.verified',
  'developer.unverified',
  'developer.suspended',
  'developer.reinstated',
  'developer.email-changed',
  'key.created',
  'key.revoked',
  'key.expiring',
  'app.submitted',
  'app.approved',
  'app.rejected',
  'app.suspended',
  'app.restored',
  'app.edited',
]);

export type MailedKind = typeof mailed extends ReadonlySet<infer K> ? K : never;
export type MailedEvent = DomainEvent & { kind: MailedKind };

export const isMailed = (event: DomainEvent): event is MailedEvent => {
  const all: ReadonlySet<EventKind> = mailed;
  return all.has(event.kind);
};
