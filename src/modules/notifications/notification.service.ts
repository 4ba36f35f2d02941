import type { EntityManager } from '@mikro-orm/postgresql';
import type { Jobs } from '../../jobs.js';
import type { RejectionReason } from '../apps/app.types.js';

/** What people are told of, and what the message needs to know. */
export type Notification =
  | {
      kind: 'developer.verified' | 'developer.unverified' | 'developer.suspended' | 'developer.reinstated';
      developerId: string;
      reason?: string;
    }
  | { kind: 'developer.email-changed'; developerId: string; formerEmail: string }
  | { kind: 'key.created' | 'key.revoked'; developerId: string; keyId: string }
  | { kind: 'app.submitted' | 'app.restored'; developerId: string; appId: string }
  | { kind: 'app.approved'; developerId: string; appId: string; note: string | null }
  | { kind: 'app.rejected'; developerId: string; appId: string; reasons: RejectionReason[]; guidance: string }
  | { kind: 'app.suspended' | 'app.edited'; developerId: string; appId: string; reason: string };

/** Records who is to be told what, in the transaction of the change itself. */
export class NotificationService {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: Jobs,
  ) {}

  async notify(notification: Notification): Promise<void> {
    await this.jobs.enqueue(this.em, 'notifications', notification);
  }
}
