import type { Ref } from '@mikro-orm/core';
import { Entity, Enum, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType, registerEnumType } from 'type-graphql';
import { BaseEntity } from '../../operations/base.entity.js';
import { App } from '../apps/app.entity.js';

export enum MessageAuthor {
  DEVELOPER = 'DEVELOPER',
  REVIEWER = 'REVIEWER',
}
registerEnumType(MessageAuthor, {
  name: 'MessageAuthor',
  description: 'Which side wrote a message.',
  valuesConfig: {
    DEVELOPER: { description: "The app's developer." },
    REVIEWER: { description: 'An administrator.' },
  },
});

/** One message between a developer and the administration about an app. */
@ObjectType({ description: 'One message about an app, between its developer and the administration.' })
@Entity({ tableName: 'review_messages' })
export class ReviewMessage extends BaseEntity {
  @ManyToOne(() => App, { ref: true, deleteRule: 'cascade' })
  app!: Ref<App>;

  @Field(() => MessageAuthor, { description: 'Which side wrote it.' })
  @Enum({ items: () => MessageAuthor, type: 'text' })
  author!: MessageAuthor;

  @Field(() => String, { description: 'What it says.' })
  @Property({ type: 'text' })
  text!: string;

  /** Who exactly; for the administration only. */
  @Property({ type: 'text', nullable: true })
  authorAccount: string | null = null;

  /** Where a reviewer is told of the answers; nobody ever reads it. */
  @Property({ type: 'text', nullable: true })
  authorEmail: string | null = null;
}
