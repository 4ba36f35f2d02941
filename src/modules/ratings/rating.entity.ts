import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { Field, GraphQLISODateTime, Int, ObjectType } from 'type-graphql';
import { BaseEntity } from '../../operations/base.entity.js';
import { App } from '../apps/app.entity.js';

/** What an account thinks of an app. Whose account it is stays in the house. */
@ObjectType({ description: 'What somebody thinks of an app.' })
@Entity({ tableName: 'ratings' })
export class Rating extends BaseEntity {
  @ManyToOne(() => App, { ref: true, deleteRule: 'cascade' })
  app!: Ref<App>;

  @Property({ type: 'text' })
  accountUserId!: string;

  @Field(() => Int, { description: 'From 1 to 5.' })
  @Property({ type: 'integer' })
  rating!: number;

  @Field(() => String, { nullable: true, description: 'It in a few words.' })
  @Property({ type: 'text', nullable: true })
  title: string | null = null;

  @Field(() => String, { nullable: true, description: 'Why.' })
  @Property({ type: 'text', nullable: true })
  text: string | null = null;

  @Field(() => String, { nullable: true, description: "The developer's answer." })
  @Property({ type: 'text', nullable: true })
  reply: string | null = null;

  /** Set by whoever writes it: hiding a rating does not change what it says. */
  @Field(() => GraphQLISODateTime, { description: 'When its author or the developer last changed it.' })
  @Property({ type: 'datetime', length: 3 })
  updatedAt: Opt<Date> = this.createdAt;

  /** Since when it is hidden: it is not shown then, and does not count. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  hiddenAt: Date | null = null;

  @Property({ type: 'text', nullable: true })
  hiddenReason: string | null = null;

  /** When its author removed it. Only hidden ratings stay after that, so that the account's next rating is hidden too. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  removedAt: Date | null = null;
}
