import type { Ref } from '@mikro-orm/core';
import { Entity, Enum, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import { BaseEntity } from '../../operations/base.entity.js';
import { describeEnum } from '../../operations/enum-type.js';
import { Node } from '../../operations/node.types.js';
import { TextColumn } from '../../operations/shown-column.js';
import { App } from '../listings/app.entity.js';

export enum MessageAuthor {
  DEVELOPER = 'DEVELOPER',
  REVIEWER = 'REVIEWER',
}
describeEnum(MessageAuthor, 'MessageAuthor', 'The side that wrote a message.', {
  DEVELOPER: "The app's developer.",
  REVIEWER: 'An administrator.',
});

/** A message between a developer and the administrators about an app. */
@ObjectType({
  description: 'A message about an app, between its developer and the administrators.',
  implements: Node,
})
@Entity({ tableName: 'review_messages' })
export class ReviewMessage extends BaseEntity {
  @ManyToOne(() => App, { ref: true, deleteRule: 'cascade' })
  app!: Ref<App>;

  @Field(() => MessageAuthor, { description: 'The side that wrote the message.' })
  @Enum({ items: () => MessageAuthor, type: 'text' })
  author!: MessageAuthor;

  @TextColumn('Text of the message. May contain line breaks.')
  text!: string;

  /** The author's account. Not exposed by the API. */
  @Property({ type: 'text', nullable: true })
  authorAccount: string | null = null;

  /** Address for notifications about replies, if the author is a reviewer. Not exposed by the API. */
  @Property({ type: 'text', nullable: true })
  authorEmail: string | null = null;
}
