import 'reflect-metadata';
import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, GraphQLISODateTime, ID, ObjectType } from 'type-graphql';
import { connectionOf } from '../../operations/connection.types.js';
import { describeEnum } from '../../operations/enum-type.js';
import { GraphQLOnly } from '../../operations/graphql-only.js';
import { Node } from '../../operations/node.types.js';
import type { EventKind } from '../events/event.types.js';
import { auditKinds } from '../events/event-kind.types.js';

export enum AuditActorKind {
  DEVELOPER = 'developer',
  ADMINISTRATOR = 'administrator',
  ACCOUNT = 'account',
  ANYONE = 'anyone',
  SYSTEM = 'system',
}
describeEnum(AuditActorKind, 'AuditActorKind', 'The role in which the actor of an audit event acted.', {
  DEVELOPER: 'A developer, signed in with an account token or an API key.',
  ADMINISTRATOR: 'An administrator.',
  ACCOUNT:
    'A signed-in account that acts in neither role, such as one that registers as a developer or rates an app.',
  ANYONE:
    'An unknown person who presented an API key, such as one who reported it as leaked, or who followed the link of a mail.',
  SYSTEM: 'The marketplace, automatically.',
});

/** An entry of the audit log, as administrators read it. */
@ObjectType('AuditEvent', {
  description: 'An entry of the audit log: the actor, the event, its time and the request that caused it.',
  implements: Node,
})
export class AuditLogEntry {
  @Field(() => ID, { description: 'Unique id (UUID version 7).' })
  id!: string;

  @Field(() => GraphQLISODateTime, { description: 'When the event was recorded (UTC).' })
  at!: Date;

  @Field(() => String, { description: 'The kind of event, such as `app.approved`.' })
  kind!: string;

  @GraphQLOnly()
  @Field(() => auditKinds, { description: 'The same as `kind`, as an enum: `APP_APPROVED`.' })
  eventKind!: EventKind;

  @Field(() => AuditActorKind, { description: 'The role in which the actor acted.' })
  actorKind!: AuditActorKind;

  @Field(() => String, {
    nullable: true,
    description: 'The account id of the actor; null if an API key or the system acted.',
  })
  actorAccount!: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'The id of the API key that the actor used; null if none was used.',
  })
  actorKeyId!: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'The id of the developer that the event is about; null if it is about none.',
  })
  developerId!: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'The id of the app that the event is about; null if it is about none.',
  })
  appId!: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'The id of the API key that the event is about; null if it is about none.',
  })
  keyId!: string | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'The old values of the changed fields, such as `{"status": "PENDING"}`; null if there were none. A text of more than 600 characters is stored as `{ excerpt, length, sha256 }`.',
  })
  before!: Record<string, unknown> | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'The new values of the changed fields; null if there are none. Long texts are stored as in `before`.',
  })
  after!: Record<string, unknown> | null;

  @Field(() => GraphQLJSONObject, {
    description:
      'Other data of the event, such as reasons, notes and ids. `fields` lists the names of the changed fields if their values were not stored.',
  })
  data!: Record<string, unknown>;

  @Field(() => String, { description: 'The `X-Request-Id` of the request that caused the event.' })
  requestId!: string;
}

export const AuditEventConnection = connectionOf('AuditEvent', () => AuditLogEntry);
