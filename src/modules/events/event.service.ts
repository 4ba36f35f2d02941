import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { AccountCaller, DeveloperCaller } from '../../auth/caller.js';
import type { JobQueue } from '../../jobs.js';
import { type ActorKind, AuditEvent } from './audit-event.entity.js';
import type { DomainEvent, EventChange, EventKind } from './event.types.js';
import { isMailed, isSecurityKind, type MailFacts, type MailFactsReader } from './event-mail.types.js';
import { fieldNamesOnly, shortenLongValues } from './long-value.rules.js';
import { asAdminEvent, asDeveloperEvent, isForReviewers } from './published-event.types.js';

/** The account or API key that caused an event, and the role in which it acted. */
export interface Actor {
  kind: ActorKind;
  account: string | null;
  key: string | null;
  /** The pipeline that holds the key; absent for a person. */
  publisher?: string;
}

export const asDeveloper = (caller: DeveloperCaller): Actor =>
  caller.kind === 'account'
    ? { kind: 'developer', account: caller.accountUserId, key: null }
    : caller.pipeline
      ? asPipeline(caller.keyId, caller.pipeline.publisherId)
      : { kind: 'developer', account: null, key: caller.keyId };

/** A pipeline, which acts for its developer (D409). */
export const asPipeline = (key: string, publisher: string): Actor => ({
  kind: 'developer',
  account: null,
  key,
  publisher,
});
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

/** An unknown person who holds an API key. */
export const asAnyone = (key: string): Actor => ({ kind: 'anyone', account: null, key });

/** An unknown person who followed the link of a mail. */
export const byMailedLink: Actor = { kind: 'anyone', account: null, key: null };

/** A scheduled job, which no person started. */
export const bySystem: Actor = { kind: 'system', account: null, key: null };

/** Returns the ids that every event about an app carries. */
export const aboutApp = (app: { id: string; developer: { id: string } }) => ({
  developerId: app.developer.id,
  appId: app.id,
});

/** Events that a developer can cause in a loop, so that their values would fill the log. */
const edits: ReadonlySet<EventKind> = new Set<EventKind>([
  'app.updated',
  'version.updated',
  'developer.updated',
  'webhook.updated',
]);
/** Number of edits within 24 hours whose values are stored; of later ones only the field names. */
const maxStoredEdits = 100;
/** Number of a developer's latest events that are counted, so that the count takes the same time for every developer. */
const countedEvents = 1_000;

/** One mail about an event: to the developer, or to another recipient. */
export interface EventMail {
  recipient?: string;
  /** The link that undoes the change. */
  undoUrl?: string;
}
const toDeveloper: readonly EventMail[] = [{}];

/** The fields that events of all kinds have. */
type EventFields = Pick<DomainEvent, 'kind' | 'developerId'> & { appId?: string };

/** Creates the service that records the events of a job, in its transaction. */
export type EventsOf = (em: EntityManager, job: string) => EventService;

/** Records an event in the transaction that causes it: writes the audit log and queues mails and webhooks. */
export class EventService {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: JobQueue,
    private readonly requestId: () => string,
    private readonly mailFacts: MailFactsReader,
    /** Addresses that are told about work for administrators. */
    private readonly reviewers: readonly string[] = [],
  ) {}

  /** Records an event and returns its id. It is mailed to the developer, or as `mails` says. */
  async record(
    actor: Actor,
    event: DomainEvent,
    change: EventChange = {},
    mails: readonly EventMail[] = toDeveloper,
  ): Promise<string> {
    const { kind, developerId, appId, ...data }: EventFields = event;
    const { before, after, ...names } = await this.changeToStore(event, change);
    // Flushes the change first: inserting the event locks the developer's position in the log, which must be the last lock.
    await this.em.flush();
    const line = this.em.create(AuditEvent, {
      kind,
      developerId,
      appId: appId ?? null,
      data: { ...data, ...names, ...(actor.publisher && { actorPublisherId: actor.publisher }) },
      actorKind: actor.kind,
      actorAccount: actor.account,
      actorKey: actor.key,
      before: shortenLongValues(before ?? null),
      after: shortenLongValues(after ?? null),
      requestId: this.requestId(),
    });
    if (asDeveloperEvent(event) || asAdminEvent(event))
      await this.jobs.enqueue(this.em, 'webhook-events', { eventId: line.id });
    await this.enqueueMails(event, line.id, mails);
    return line.id;
  }

  /** Recipients are stored in the jobs only, because developers can read the log. */
  private async enqueueMails(
    event: DomainEvent,
    eventId: string,
    mails: readonly EventMail[],
  ): Promise<void> {
    // The administration has no address of its own.
    const mailed = isMailed(event) && event.developerId !== null ? mails : [];
    const notices = this.noticesAbout(event, mailed);
    if (mailed.length + notices.length === 0) return;
    const facts = await this.mailFacts.read(this.em, event);
    const jobs = [...mailed, ...(await this.copiesTo(event, mailed, facts)), ...notices];
    for (const job of jobs)
      await this.jobs.enqueue(this.em, 'notifications', { ...event, ...job, eventId, facts });
  }

  /** Returns the copy of a security mail for the address from before a key changed it, unless that address gets one anyway (D323). */
  private async copiesTo(
    event: DomainEvent,
    mails: readonly EventMail[],
    { developer }: MailFacts,
  ): Promise<EventMail[]> {
    if (mails.length === 0 || !developer || !isMailed(event) || !isSecurityKind(event.kind)) return [];
    const former = await this.mailFacts.addressBeforeKeyChanges(this.em, event.developerId!);
    const own = event.kind === 'developer.email-changed' ? event.formerEmail : developer.email;
    const reached = mails.map(({ recipient }) => (recipient ?? own).toLowerCase());
    if (former === null || reached.includes(former.toLowerCase())) return [];
    return [{ ...mails[0], recipient: former }];
  }

  /** Returns the notices to the addresses of REVIEWERS_EMAIL, except to those that get a mail about the event anyway. */
  private noticesAbout(event: DomainEvent, mails: readonly EventMail[]) {
    const others = new Set(mails.map(({ recipient }) => recipient?.toLowerCase()));
    const addresses = isForReviewers(event) ? this.reviewers : [];
    return addresses
      .filter((address) => !others.has(address.toLowerCase()))
      .map((recipient) => ({ recipient, audience: 'reviewers' }));
  }

  /** Drops the values of frequent edits, such as those of a script, and keeps the field names (D116). */
  private async changeToStore({ kind, developerId, appId }: EventFields, change: EventChange) {
    if (!edits.has(kind)) return change;
    const { rows } = await recentEdits(developerId, appId ?? null, kind).execute(this.em.getKysely());
    return rows[0]!.count < maxStoredEdits ? change : fieldNamesOnly(change);
  }
}

/** Counts the edits of one kind within 24 hours, of one app or of what belongs to no app. */
const recentEdits = (developerId: string | null, appId: string | null, kind: string) => sql<{
  count: number;
}>`
  select count(*)::int as count from (
    select kind, app_id from audit_events
    where developer_id = ${developerId} and created_at > now() - interval '24 hours'
    order by created_at desc, id desc limit ${countedEvents}) latest
  where kind = ${kind} and app_id is not distinct from ${appId}`;
