import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountCaller, DeveloperCaller } from '../../auth/caller.js';
import type { Jobs } from '../../jobs.js';
import { mailFacts } from '../notifications/mail.facts.js';
import { type ActorKind, AuditEvent } from './audit-event.entity.js';
import { type DomainEvent, isMailed, webhooked } from './event.types.js';

/** Who did it, and in which capacity. */
interface Actor {
  kind: ActorKind;
  account: string | null;
  key: string | null;
}

export const asDeveloper = (caller: DeveloperCaller): Actor =>
  caller.kind === 'key'
    ? { kind: 'developer', account: null, key: caller.keyId }
    : { kind: 'developer', account: caller.accountUserId, key: null };
export const asAccount = ({ accountUserId }: AccountCaller): Actor => ({
  kind: 'account',
  account: accountUserId,
  key: null,
});
export const asAdministrator = (caller: AccountCaller): Actor => ({
  kind: 'administrator',
  account: caller.accountUserId,
  key: null,
});

/** Somebody unknown, who holds a key. */
export const asAnyone = (key: string): Actor => ({ kind: 'anyone', account: null, key });

/** What nobody did: it came with time. */
export const bySystem: Actor = { kind: 'system', account: null, key: null };

/** What an event changed: the fields as they were and as they are. */
export interface Change {
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
}

/** An event of any kind: what it is about, and what else belongs to it. */
type EventFields = Pick<DomainEvent, 'kind' | 'developerId'> & { appId?: string };

/** Records what happens, in the transaction in which it happens: a line of the audit log, and who is to be told. */
export class EventService {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: Jobs,
    private readonly requestId: () => string,
  ) {}

  /** A mailed event is told to the developer; or, where `recipients` are given, to each of these addresses instead. */
  async record(
    actor: Actor,
    event: DomainEvent,
    change: Change = {},
    recipients?: readonly string[],
  ): Promise<void> {
    const { kind, developerId, appId, ...data }: EventFields = event;
    const line = this.em.create(AuditEvent, {
      kind,
      developerId,
      appId: appId ?? null,
      data,
      actorKind: actor.kind,
      actorAccount: actor.account,
      actorKey: actor.key,
      before: change.before ?? null,
      after: change.after ?? null,
      requestId: this.requestId(),
    });
    if (webhooked[kind]) await this.jobs.enqueue(this.em, 'webhook-events', { eventId: line.id });
    if (!isMailed(event)) return;
    const job = { ...event, eventId: line.id, facts: await mailFacts(this.em, event) };
    // Addresses of others are part of the job, never of the log, which developers read.
    for (const to of recipients?.map((recipient) => ({ recipient })) ?? [{}])
      await this.jobs.enqueue(this.em, 'notifications', { ...job, ...to });
  }
}
