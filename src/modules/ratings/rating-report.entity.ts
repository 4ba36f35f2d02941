import { now } from '../../db/clock.js';
import 'reflect-metadata';
import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { ObjectType } from 'type-graphql';
import { v7 as newId } from 'uuid';
import { connectionOf } from '../../operations/connection.types.js';
import { TextColumn, TimeColumn } from '../../operations/shown-column.js';
import { Rating } from './rating.entity.js';

/** An account's report of a rating. Only the account itself and administrators see it. */
@ObjectType({ description: "An account's report of a rating, for that account and administrators." })
@Entity({ tableName: 'rating_reports' })
export class RatingReport {
  @PrimaryKey({ type: 'uuid' })
  id: string = newId();

  @ManyToOne(() => Rating, { ref: true, deleteRule: 'cascade' })
  rating!: Ref<Rating>;

  @TextColumn('Account id of the reporter.')
  accountUserId!: string;

  @TextColumn('Why the rating should be hidden, in the words of the reporter.')
  reason!: string;

  @TimeColumn('When the rating was reported (UTC).')
  createdAt: Opt<Date> = now();

  @TimeColumn('When the reason was last changed (UTC).')
  updatedAt: Opt<Date> = this.createdAt;

  /** Set when an administrator dismissed the reports of the rating or hid it; null while the report is open. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  closedAt: Date | null = null;
}

export const RatingReportConnection = connectionOf('RatingReport', () => RatingReport);
