import { Entity, Property } from '@mikro-orm/decorators/legacy';
import { BaseEntity } from '../../operations/base.entity.js';
import type { EventKind } from './event.types.js';

/** In which capacity somebody acted. */
export type ActorKind = 'developer' | 'administrator' | 'account' | 'anyone' | 'system';

/** One line of the audit log. The database refuses to change or remove it. */
@Entity({ tableName: 'audit_events' })
export class AuditEvent extends BaseEntity {
  @Property({ type: 'text' })
  kind!: EventKind;

  @Property({ type: 'text' })
  actorKind!: ActorKind;

  /** The account that acted, where it is known. */
  @Property({ type: 'text', nullable: true })
  actorAccount: string | null = null;

  /** The API key that was used, if one was. */
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

  /** What else belongs to the event: reasons, notes, the key's id. */
  @Property({ type: 'json' })
  data: Record<string, unknown> = {};

  @Property({ type: 'text' })
  requestId!: string;
}
