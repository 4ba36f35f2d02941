import { now } from '../../db/clock.js';
import 'reflect-metadata';
import type { Opt, Ref } from '@mikro-orm/core';
import { Entity, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { Field, ID, ObjectType } from 'type-graphql';
import { v7 as newId } from 'uuid';
import { connectionOf } from '../../operations/connection.types.js';
import { describeEnum } from '../../operations/enum-type.js';
import { NullableTextColumn, TextColumn, TimeColumn } from '../../operations/shown-column.js';
import { App } from '../listings/app.entity.js';

export enum AppReportReason {
  SPAM = 'SPAM',
  MISLEADING = 'MISLEADING',
  BROKEN = 'BROKEN',
  HARMFUL = 'HARMFUL',
  COPY = 'COPY',
  OTHER = 'OTHER',
}
describeEnum(AppReportReason, 'AppReportReason', 'Why an app is reported.', {
  SPAM: 'It is an advertisement, or has no use of its own.',
  MISLEADING: 'It does not do what its listing says.',
  BROKEN: 'It cannot be installed or does not work.',
  HARMFUL: 'It harms users or their data, or is offensive or unlawful.',
  COPY: 'It copies another app, or pretends to be one.',
  OTHER: 'Something else, which the text says.',
});

/** An account's report of an app. Only the account itself and administrators see it. */
@ObjectType({ description: "An account's report of an app, for that account and administrators." })
@Entity({ tableName: 'app_reports' })
export class AppReport {
  @Field(() => ID, { description: 'Id of the report.' })
  @PrimaryKey({ type: 'uuid' })
  id: string = newId();

  @ManyToOne(() => App, { ref: true, deleteRule: 'cascade' })
  app!: Ref<App>;

  @TextColumn('Account id of the reporter.')
  accountUserId!: string;

  @Field(() => AppReportReason, { description: 'The kind of problem.' })
  @Property({ type: 'text' })
  reason!: AppReportReason;

  @NullableTextColumn('What is wrong, in the words of the reporter; null if they wrote nothing.')
  text: string | null = null;

  @TimeColumn('When the app was reported (UTC).')
  createdAt: Opt<Date> = now();

  @TimeColumn('When the report was last changed (UTC).')
  updatedAt: Opt<Date> = this.createdAt;

  /** Set when an administrator dismissed the reports of the app or took it down; null while the report is open. */
  @Property({ type: 'datetime', length: 3, nullable: true })
  closedAt: Date | null = null;
}

export const AppReportConnection = connectionOf('AppReport', () => AppReport);
