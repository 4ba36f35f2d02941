import 'reflect-metadata';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import { TextColumn } from '../../operations/shown-column.js';

/** An administrator by name. */
@ObjectType({ description: 'An administrator who has used the service with a token that has a name.' })
@Entity({ tableName: 'administrators' })
export class Administrator {
  @Field(() => String, { description: 'Account id, as in `AuditEvent.actorAccount` and `ReviewClaim.by`.' })
  @PrimaryKey({ type: 'text' })
  accountUserId!: string;

  @TextColumn('The name in the latest account token.')
  name!: string;

  @Property({ type: 'datetime', length: 3 })
  updatedAt!: Date;
}
