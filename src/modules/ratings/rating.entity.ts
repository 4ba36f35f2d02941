import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, ManyToOne, Property } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { BaseEntity } from '../../operations/base.entity.js';
import { Node } from '../../operations/node.types.js';
import { IntegerColumn, NullableTextColumn, TimeColumn } from '../../operations/shown-column.js';
import { App } from '../listings/app.entity.js';

/** An account's rating of an app. The account is never published. */
@ObjectType({
  description:
    "A user's rating of an app. The author's account is not public, only the name that they chose.",
  implements: Node,
})
@Entity({ tableName: 'ratings' })
export class Rating extends BaseEntity {
  @ManyToOne(() => App, { ref: true, deleteRule: 'cascade' })
  app!: Ref<App>;

  @Property({ type: 'text' })
  accountUserId!: string;

  @IntegerColumn('Number of stars, from 1 (worst) to 5 (best).')
  rating!: number;

  @NullableTextColumn(
    'Name that the author chose to show, at most 100 characters. Null if they gave none. It is not verified.',
  )
  authorName: string | null = null;

  @NullableTextColumn('Headline of the rating. Null if the author wrote none.')
  title: string | null = null;

  @NullableTextColumn('Text of the rating. Null if the author wrote none.')
  text: string | null = null;

  @NullableTextColumn("The developer's public reply. Null if there is none.")
  reply: string | null = null;

  /** Set explicitly and not on every update, because hiding a rating does not change its text. */
  @TimeColumn('When the author last changed the rating or the developer last changed the reply (UTC).')
  updatedAt: Opt<Date> = this.createdAt;

  /** A hidden rating is not shown and not counted. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  hiddenAt: Date | null = null;

  @Property({ type: 'text', nullable: true })
  hiddenReason: string | null = null;

  /** The account of the administrator who hid it. Only administrators see it. */
  @Property({ type: 'text', nullable: true })
  hiddenBy: string | null = null;

  /** Time of the last report; null if no report is open. Only administrators see it. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  reportedAt: Date | null = null;

  /** Set when the author removed a hidden or reported rating. The row stays, so that the account's next rating of the app is hidden, or keeps the reports. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  removedAt: Date | null = null;
}
