import type { RejectionReason } from '../apps/app.types.js';

/** What happens in the marketplace, and what those who are told of it need to know. */
export type DomainEvent =
  | { kind: 'developer.registered' | 'developer.updated'; developerId: string }
  | { kind: 'developer.verified' | 'developer.reinstated'; developerId: string }
  | { kind: 'developer.unverified' | 'developer.suspended'; developerId: string; reason: string }
  | { kind: 'developer.email-changed'; developerId: string; formerEmail: string }
  | { kind: 'key.created' | 'key.revoked'; developerId: string; keyId: string }
  | {
      kind: 'app.created' | 'app.updated' | 'app.deleted' | 'app.withdrawn';
      developerId: string;
      appId: string;
    }
  | { kind: 'app.submitted' | 'app.restored'; developerId: string; appId: string }
  | { kind: 'app.approved'; developerId: string; appId: string; note: string | null }
  | { kind: 'app.rejected'; developerId: string; appId: string; reasons: RejectionReason[]; guidance: string }
  | { kind: 'app.suspended' | 'app.edited'; developerId: string; appId: string; reason: string }
  | { kind: 'app.featured' | 'app.unfeatured'; developerId: string; appId: string }
  | {
      kind: 'app.reason-addressed';
      developerId: string;
      appId: string;
      versionId: string | null;
      text: string;
    }
  | {
      kind: 'review.claimed';
      developerId: string;
      appId: string;
      submissionId: string;
      versionId: string | null;
      /** The administrator who held it until now. */
      takenFrom: string | null;
    }
  | {
      kind: 'review.released';
      developerId: string;
      appId: string;
      submissionId: string;
      versionId: string | null;
    }
  | {
      kind: 'review.message-received' | 'review.message-sent';
      developerId: string;
      appId: string;
      text: string;
    }
  | { kind: VersionAct; developerId: string; appId: string; versionId: string }
  | {
      kind: 'version.rejected';
      developerId: string;
      appId: string;
      versionId: string;
      reasons: RejectionReason[];
      guidance: string;
    };

type VersionAct = `version.${'created' | 'updated' | 'submitted' | 'withdrawn' | 'discarded' | 'approved'}`;

export type EventKind = DomainEvent['kind'];

/** The events that the developer is told of by e-mail. */
export const mailed: ReadonlySet<EventKind> = new Set<EventKind>([
  'developer.verified',
  'developer.unverified',
  'developer.suspended',
  'developer.reinstated',
  'developer.email-changed',
  'key.created',
  'key.revoked',
  'app.submitted',
  'app.approved',
  'app.rejected',
  'app.suspended',
  'app.restored',
  'app.edited',
  'review.message-received',
  'version.submitted',
  'version.approved',
  'version.rejected',
]);
