import 'reflect-metadata';
import { GraphQLJSONObject } from 'graphql-scalars';
import { Field, GraphQLISODateTime, ID, ObjectType, registerEnumType } from 'type-graphql';
import { connectionOf } from '../../operations/connection.types.js';

export enum AuditActorKind {
  DEVELOPER = 'developer',
  ADMINISTRATOR = 'administrator',
  ACCOUNT = 'account',
  ANYONE = 'anyone',
  SYSTEM = 'system',
}
registerEnumType(AuditActorKind, {
  name: 'AuditActorKind',
  description: 'In which capacity somebody acted.',
  valuesConfig: {
    DEVELOPER: { description: 'As a developer, by account token or API key.' },
    ADMINISTRATOR: { description: 'As an administrator.' },
    ACCOUNT: { description: 'As an account that is not a developer yet.' },
    ANYONE: { description: 'As anyone who held an API key.' },
    SYSTEM: { description: 'Nobody: it came with time.' },
  },
});

/** A line of the audit log, as administrators read it. */
@ObjectType('AuditEvent', { description: 'A line of the audit log: who did what, when, in which request.' })
export class AuditLogLine {
  @Field(() => ID, { description: 'A UUID (version 7).' })
  id!: string;

  @Field(() => GraphQLISODateTime, { description: 'When.' })
  at!: Date;

  @Field(() => String, { description: 'What, such as `app.approved`.' })
  kind!: string;

  @Field(() => AuditActorKind, { description: 'In which capacity.' })
  actorKind!: AuditActorKind;

  @Field(() => String, { nullable: true, description: 'The account that acted, where it is known.' })
  actorAccount!: string | null;

  @Field(() => ID, { nullable: true, description: 'The API key that was used, if one was.' })
  actorKeyId!: string | null;

  @Field(() => ID, { nullable: true, description: 'The developer it is about.' })
  developerId!: string | null;

  @Field(() => ID, { nullable: true, description: 'The app it is about.' })
  appId!: string | null;

  @Field(() => ID, { nullable: true, description: 'The API key it is about.' })
  keyId!: string | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description:
      'What changed, as it was. A text of more than 600 characters is `{ excerpt, length, sha256 }`.',
  })
  before!: Record<string, unknown> | null;

  @Field(() => GraphQLJSONObject, {
    nullable: true,
    description: 'What changed, as it is; long texts as in `before`.',
  })
  after!: Record<string, unknown> | null;

  @Field(() => GraphQLJSONObject, {
    description:
      'What else belongs to it: reasons, notes, ids; `fields` where only the names of the changed fields were kept.',
  })
  data!: Record<string, unknown>;

  @Field(() => String, { description: 'The `X-Request-Id` of the request that did it.' })
  requestId!: string;
}

export const AuditEventConnection = connectionOf('AuditEvent', () => AuditLogLine);
