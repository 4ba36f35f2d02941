import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, Enum, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { Field, GraphQLISODateTime, ObjectType, registerEnumType } from 'type-graphql';
import { Scope } from '../../auth/scope.js';
import { BaseEntity } from '../../operations/base.entity.js';
import { Developer } from '../developers/developer.entity.js';

registerEnumType(Scope, {
  name: 'Scope',
  description: 'What an API key may do.',
  valuesConfig: {
    APP_CREATE: { description: 'Create apps.' },
    APP_READ: { description: "List and read one's apps." },
    APP_UPDATE: { description: "Update, submit and withdraw one's apps." },
    APP_DELETE: { description: "Delete one's apps." },
    ANALYTICS_READ: { description: "Read the figures of one's apps." },
  },
});

export enum ApiKeyStatus {
  ACTIVE = 'ACTIVE',
  EXPIRED = 'EXPIRED',
  REVOKED = 'REVOKED',
}
registerEnumType(ApiKeyStatus, {
  name: 'ApiKeyStatus',
  description: 'Whether a key works.',
  valuesConfig: {
    ACTIVE: { description: 'It works.' },
    EXPIRED: { description: 'Its time is over; create a new one.' },
    REVOKED: { description: 'It was revoked, for good.' },
  },
});

/** An API key's record: everything but the key itself, of which only the SHA-256 is kept. */
@ObjectType({ description: 'An API key, masked.' })
@Entity({ tableName: 'api_keys' })
export class ApiKey extends BaseEntity {
  @Field(() => String, { description: 'The label its owner gave it.' })
  @Property({ type: 'text' })
  name!: string;

  @Field(() => [Scope], { description: 'What it may do.' })
  @Enum({ items: () => Scope, array: true })
  scopes!: Scope[];

  @Field(() => String, { description: 'The beginning and the end of the key, to recognise it by.' })
  @Property({ type: 'text' })
  maskedKey!: string;

  @Field(() => GraphQLISODateTime, { description: 'When it stops working.' })
  @Property({ type: 'datetime', length: 3 })
  expiresAt!: Date;

  @Field(() => GraphQLISODateTime, { nullable: true, description: 'When it was last used, to the minute.' })
  @Property({ type: 'datetime', length: 3, nullable: true })
  lastUsedAt: Date | null = null;

  @Field(() => GraphQLISODateTime, { nullable: true, description: 'When it was revoked.' })
  @Property({ type: 'datetime', length: 3, nullable: true })
  revokedAt: Date | null = null;

  @Property({ type: 'blob' })
  hash!: Uint8Array;

  @ManyToOne(() => Developer, { ref: true })
  developer!: Ref<Developer>;

  /** The key that a rotation put in its place. */
  @Property({ type: 'uuid', nullable: true })
  successorId: string | null = null;

  /** The key that created or rotated it; null where an account token did. */
  @Property({ type: 'uuid', nullable: true })
  createdByKeyId: string | null = null;

  @Field(() => ApiKeyStatus, { description: 'Whether it works now.' })
  get status(): Opt<ApiKeyStatus> {
    if (this.revokedAt) return ApiKeyStatus.REVOKED;
    return this.expiresAt <= new Date() ? ApiKeyStatus.EXPIRED : ApiKeyStatus.ACTIVE;
  }
}
