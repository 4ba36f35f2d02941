import 'reflect-metadata';
import { Field, Int, ObjectType } from 'type-graphql';

/** The decisions of one day. */
@ObjectType({ description: 'Number of decisions on one day.' })
export class DailyDecisions {
  @Field(() => String, { description: 'The day (UTC), such as `2026-01-31`.' })
  date!: string;

  @Field(() => Int, { description: 'Number of approvals.' })
  approved!: number;

  @Field(() => Int, { description: 'Number of rejections.' })
  rejected!: number;
}

/** The decisions of one administrator. */
@ObjectType({ description: 'Number of decisions of one administrator in the period.' })
export class ReviewerDecisions {
  @Field(() => String, {
    nullable: true,
    description: 'Account id of the administrator; null for decisions whose administrator was not recorded.',
  })
  reviewer!: string | null;

  @Field(() => Int, { description: 'Number of approvals.' })
  approved!: number;

  @Field(() => Int, { description: 'Number of rejections.' })
  rejected!: number;
}

/** Figures of the queue now, and of the decisions in a period. */
@ObjectType({ description: 'Figures of the review queue now, and of the decisions in a period.' })
export class ReviewStats {
  @Field(() => Int, { description: 'Submissions that wait for a decision now.' })
  waiting!: number;

  @Field(() => Int, { description: 'Submissions that wait now and whose `dueAt` has passed.' })
  overdue!: number;

  @Field(() => Int, { description: 'Number of approvals in the period.' })
  approved!: number;

  @Field(() => Int, { description: 'Number of rejections in the period.' })
  rejected!: number;

  @Field(() => Int, {
    nullable: true,
    description:
      'Median time from entering the queue to the decision, in seconds, of the decisions in the period; null if there were none.',
  })
  medianWaitSeconds!: number | null;

  @Field(() => [DailyDecisions], {
    description: 'Decisions by day, oldest first: every day of the period, those without decisions included.',
  })
  days!: DailyDecisions[];

  @Field(() => [ReviewerDecisions], {
    description:
      'Decisions by administrator, those with the most decisions first; at most 100 administrators.',
  })
  reviewers!: ReviewerDecisions[];
}
