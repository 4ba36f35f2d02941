import { Field, Int, ObjectType } from 'type-graphql';

/** Position of a page in a list that is read by page number. */
@ObjectType({ description: 'Position of a page in its list.' })
export class Pagination {
  @Field(() => Int, { description: 'Number of this page; the first page is 1.' })
  page!: number;

  @Field(() => Int, { description: 'Maximum number of apps per page.' })
  limit!: number;

  @Field(() => Int, { description: 'Number of apps on all pages.' })
  total!: number;

  @Field(() => Int, { description: 'Number of pages; 0 if no app matches.' })
  totalPages!: number;
}
