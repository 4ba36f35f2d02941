import { FieldChange } from '../listings/field-change.types.js';
import 'reflect-metadata';
import { Field, GraphQLISODateTime, ID, Int, ObjectType } from 'type-graphql';
import { describeEnum } from '../../operations/enum-type.js';
import { ApiKey } from '../api-keys/api-key.entity.js';
import type { EventKind } from '../events/event.types.js';
import { auditKinds } from '../events/event-kind.types.js';

export enum KeyChangeResult {
  OPEN = 'OPEN',
  REVERTED = 'REVERTED',
  KEPT = 'KEPT',
  EMAIL_TAKEN = 'EMAIL_TAKEN',
  LISTED = 'LISTED',
}
describeEnum(
  KeyChangeResult,
  'KeyChangeResult',
  'State of a change that was made with an API key: undone or not.',
  {
    OPEN: '`undoKeyChanges` would undo it.',
    REVERTED: 'It is undone: the fields have their former values, or the webhook endpoint is disabled.',
    KEPT: 'It is not undone, because the account has changed the same fields or enabled the endpoint since, or because another developer has the former name now.',
    EMAIL_TAKEN:
      'It is undone except for the former e-mail address, which another developer uses now. Set another one with `updateMe`.',
    LISTED: 'It cannot be undone automatically, such as a draft, a submission or a deleted endpoint.',
  },
);

/** One change that was made with an API key. */
@ObjectType({ description: 'One change that was made with an API key.' })
export class KeyChange {
  @Field(() => ID, { description: 'Id of the event in the audit log (UUID version 7).' })
  id!: string;

  @Field(() => GraphQLISODateTime, { description: 'When the change was made (UTC).' })
  at!: Date;

  @Field(() => auditKinds, { description: 'The kind of event, such as `WEBHOOK_CREATED`.' })
  eventKind!: EventKind;

  @Field(() => ID, { description: 'Id of the API key that made the change: the given key, or a descendant.' })
  keyId!: string;

  @Field(() => ID, { nullable: true, description: 'Id of the changed app; null if no app was changed.' })
  appId!: string | null;

  @Field(() => ID, {
    nullable: true,
    description: 'Id of the changed webhook endpoint; null if no endpoint was changed.',
  })
  endpointId!: string | null;

  @Field(() => [FieldChange], { description: 'The changed fields with their values.' })
  changes!: FieldChange[];

  @Field(() => KeyChangeResult, { description: 'State of the change: undone or not.' })
  result!: KeyChangeResult;
}

/** Actions with an API key and its descendants. */
@ObjectType({
  description: 'Actions with an API key, and with the keys that were created with it, in the last 7 days.',
})
export class KeyChanges {
  @Field(() => ApiKey, { description: 'The API key.' })
  key!: ApiKey;

  @Field(() => [KeyChange], {
    description:
      'The changes, newest first: the latest 100 of the profile, of webhooks, and of everything else.',
  })
  changes!: KeyChange[];

  @Field(() => [ApiKey], {
    description:
      'Keys that were created with it, directly or through other keys, and that still work. Revoke them too if the key has leaked; `undoKeyChanges` does.',
  })
  activeDescendants!: ApiKey[];
}

/** Confirms that the change of a profile was undone by the link in a mail. */
@ObjectType({
  description: 'Confirms that the change of a profile was undone, and that the API key is revoked.',
})
export class UndoneProfileChange {
  @Field(() => [String], {
    description:
      'Names of the fields that have their former values again, such as `email`. Fields that the account has changed since are not restored.',
  })
  restored!: string[];

  @Field(() => Boolean, {
    description: 'True if the former e-mail address was not restored, because another developer uses it now.',
  })
  emailTaken!: boolean;

  @Field(() => String, {
    description:
      'The revoked key that had made the change: its first eight and its last four characters, such as `mkt_a1b2…y8z9`.',
  })
  maskedKey!: string;

  @Field(() => Int, { description: 'Number of keys that were created with it and are revoked too.' })
  descendantsRevoked!: number;
}
