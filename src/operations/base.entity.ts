import { now } from '../db/clock.js';
import 'reflect-metadata';
import type { Opt } from '@mikro-orm/core';
import { PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, GraphQLISODateTime, ID, ObjectType } from 'type-graphql';
import { v7 as newId } from 'uuid';
import { TimeColumn } from './shown-column.js';

/** Columns of every entity: an id that sorts by age, and the time of its creation. */
@ObjectType()
export abstract class BaseEntity {
  @Field(() => ID, { description: 'A UUID (version 7).' })
  @PrimaryKey({ type: 'uuid' })
  id: string = newId();

  @TimeColumn('Creation time (UTC).')
  createdAt: Opt<Date> = now();
}

/** Adds the time of the last change, for entities that are edited. */
@ObjectType()
export abstract class EditableEntity extends BaseEntity {
  @Field(() => GraphQLISODateTime, { description: 'Time of the last change (UTC).' })
  @Property({ type: 'datetime', length: 3, onUpdate: () => now() })
  updatedAt: Opt<Date> = this.createdAt;
}
