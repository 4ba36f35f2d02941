import { Field, Int, ObjectType } from 'type-graphql';

/** Which page of how many. */
@ObjectType({ description: 'Which page of how many.' })
export class Pagination {
  @Field(() => Int, { description: 'This page, from 1.' })
  page!: number;

  @Field(() => Int, { description: 'How many apps a page holds.' })
  limit!: number;

  @Field(() => Int, { description: 'How many apps match in all.' })
  total!: number;

  @Field(() => Int, { description: 'How many pages there are; 0 when nothing matches.' })
  totalPages!: number;
}
