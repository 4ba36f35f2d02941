import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, Enum, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import { Scope } from '../../auth/scope.js';
import { now } from '../../db/clock.js';
import { BaseEntity } from '../../operations/base.entity.js';
import { describeEnum } from '../../operations/enum-type.js';
import { Node } from '../../operations/node.types.js';
import { NullableTimeColumn, TextColumn, TimeColumn } from '../../operations/shown-column.js';
import { Developer } from '../developers/developer.entity.js';

describeEnum(Scope, 'Scope', 'A permission of an API key.', {
  APP_CREATE: 'Create apps.',
  APP_READ: "List and read the developer's own apps, and read the webhook endpoints.",
  APP_UPDATE: "Update, submit and withdraw the developer's own apps.",
  APP_DELETE: "Delete the developer's own apps.",
  ANALYTICS_READ: "Read the analytics of the developer's own apps.",
  WEBHOOK_MANAGE:
    "Create, change, test and delete the developer's webhook endpoints, and rotate their secrets. No key has it unless it was requested.",
});

export enum ApiKeyStatus {
  ACTIVE = 'ACTIVE',
  EXPIRED = 'EXPIRED',
  REVOKED = 'REVOKED',
}
describeEnum(ApiKeyStatus, 'ApiKeyStatus', 'Whether an API key can be used.', {
  ACTIVE: 'The key can be used.',
  EXPIRED: 'The key has passed its `expiresAt` and cannot be used. Create a new one.',
  REVOKED: 'The key was revoked and cannot be used again.',
});

/** The fields of an API key, with and without its value. */
@ObjectType()
export abstract class ApiKeyFields extends BaseEntity {
  @TextColumn('Label that the developer chose, such as "CI pipeline".')
  name!: string;

  @Field(() => [Scope], { description: 'The permissions of the key.' })
  @Enum({ items: () => Scope, array: true })
  scopes!: Scope[];

  @TextColumn('The first eight and the last four characters of the key, such as `mkt_a1b2…y8z9`.')
  maskedKey!: string;

  @TimeColumn('When the key expires (UTC).')
  expiresAt!: Date;

  @NullableTimeColumn(
    'When the key was last used (UTC), accurate to about a minute; null if it was never used.',
  )
  lastUsedAt: Date | null = null;

  @NullableTimeColumn('When the key was revoked (UTC); null if it was not.')
  revokedAt: Date | null = null;

  @Property({ type: 'blob' })
  hash!: Uint8Array;

  @ManyToOne(() => Developer, { ref: true })
  developer!: Ref<Developer>;

  /** The key that replaced it in a rotation. */
  @Property({ type: 'uuid', nullable: true })
  successorId: string | null = null;

  /** The key that was used to create or rotate it; null if an account token was used. */
  @Property({ type: 'uuid', nullable: true })
  createdByKeyId: string | null = null;

  /** The only app that the key works for; null: all apps of the developer. */
  @Property({ type: 'uuid', nullable: true })
  appId: string | null = null;

  /** The pipeline that holds the key; null for a key of a person. */
  @Property({ type: 'uuid', nullable: true })
  trustedPublisherId: string | null = null;

  @Field(() => ApiKeyStatus, { description: 'Whether the key can be used now.' })
  get status(): Opt<ApiKeyStatus> {
    if (this.revokedAt) return ApiKeyStatus.REVOKED;
    return this.expiresAt <= now() ? ApiKeyStatus.EXPIRED : ApiKeyStatus.ACTIVE;
  }
}

/** An API key without its value, of which only the SHA-256 hash is stored. */
@ObjectType({
  description:
    'An API key without its full value, which is shown only once, when the key is created or rotated.',
  implements: Node,
})
@Entity({ tableName: 'api_keys' })
export class ApiKey extends ApiKeyFields {}
