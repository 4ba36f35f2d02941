import type { EntityManager } from '@mikro-orm/postgresql';
import type { AccountCaller, DeveloperCaller } from '../../auth/caller.js';
import type { Jobs } from '../../jobs.js';
import { readMailFacts } from '../notifications/mail.queries.js';
import { type ActorKind, AuditEvent } from './audit-event.entity.js';
import { type DomainEvent, type EventKind, isMailed, webhooked } from './event.types.js';
import { namesOnly, shortened } from './long-value.rules.js';
import { recentEdits } from './recent-edits.queries.js';

/** Who did it, and in which capacity. */
export interface Actor {
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

/** What a developer can repeat as often as the rate limit lets them, and how often within 24 hours its values are kept. */
const edits: ReadonlySet<EventKind> = new Set<EventKind>([
  'app.updated',
  'version.updated',
  'developer.updated',
  'webhook.updated',
]);
const editsKeptWhole = 100;

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
    const { before, after, ...names } = await this.kept(event, change);
    const line = this.em.create(AuditEvent, {
      kind,
      developerId,
      appId: appId ?? null,
      data: { ...data, ...names },
      actorKind: actor.kind,
      actorAccount: actor.account,
      actorKey: actor.key,
      before: shortened(before ?? null),
      after: shortened(after ?? null),
      requestId: this.requestId(),
    });
    if (webhooked[kind]) await this.jobs.enqueue(this.em, 'webhook-events', { eventId: line.id });
    if (!isMailed(event)) return;
    const job = { ...event, eventId: line.id, facts: await readMailFacts(this.em, event) };
    // Addresses of others are part of the job, never of the log, which developers read.
    for (const to of recipients?.map((recipient) => ({ recipient })) ?? [{}])
      await this.jobs.enqueue(this.em, 'notifications', { ...job, ...to });
  }

  /** The values that changed; of the many edits of a script only which fields they were (D116). */
  private async kept({ kind, developerId, appId }: EventFields, change: Change) {
    if (!edits.has(kind)) return change;
    const { rows } = await recentEdits(developerId, appId ?? null, kind).execute(this.em.getKysely());
    return rows[0]!.count < editsKeptWhole ? change : namesOnly(change);
  }
}
