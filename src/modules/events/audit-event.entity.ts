import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { v7 as newId } from 'uuid';
import { BaseEntity } from '../../operations/base.entity.js';
import type { EventKind } from './event.types.js';

/** The role in which an actor acted. */
export type ActorKind = 'developer' | 'administrator' | 'account' | 'anyone' | 'system';

/** Number of events that this process has recorded: ids of one millisecond are in the order of the events. */
let recorded = 0;

/** One event of the audit log. A database trigger rejects updates and deletions. */
@Entity({ tableName: 'audit_events' })
export class AuditEvent extends BaseEntity {
  /** Contains `createdAt`, so that the month of an event is known from its id. */
  @PrimaryKey({ type: 'uuid' })
  override id: string = newId({ msecs: this.createdAt.getTime(), seq: ++recorded % 2 ** 31 });

  @Property({ type: 'text' })
  kind!: EventKind;

  @Property({ type: 'text' })
  actorKind!: ActorKind;

  /** The account of the actor; null if an API key or the system acted. */
  @Property({ type: 'text', nullable: true })
  actorAccount: string | null = null;

  /** The id of the API key that the actor used. */
  @Property({ type: 'uuid', nullable: true })
  actorKey: string | null = null;

  @Property({ type: 'uuid', nullable: true })
  developerId: string | null = null;

  @Property({ type: 'uuid', nullable: true })
  appId: string | null = null;

  @Property({ type: 'json', nullable: true })
  before: Record<string, unknown> | null = null;

  @Property({ type: 'json', nullable: true })
  after: Record<string, unknown> | null = null;

  /** Other data of the event, such as reasons, notes and ids. */
  @Property({ type: 'json' })
  data: Record<string, unknown> = {};

  @Property({ type: 'text' })
  requestId!: string;
}
