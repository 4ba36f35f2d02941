import 'reflect-metadata';
import { Field, Int, ObjectType } from 'type-graphql';
import { Environment } from '../listings/app.entity.js';
import { Category } from '../listings/listing.entity.js';

/** The number of public apps in a category. */
@ObjectType({ description: 'A category with its number of public apps.' })
export class CategoryCount {
  @Field(() => Category, { description: 'The category.' })
  category!: Category;

  @Field(() => Int, { description: 'Number of matching public apps.' })
  count!: number;
}

/** The number of public apps for an environment. */
@ObjectType({ description: 'An environment with its number of public apps.' })
export class EnvironmentCount {
  @Field(() => Environment, { description: 'The environment.' })
  environment!: Environment;

  @Field(() => Int, { description: 'Number of matching public apps.' })
  count!: number;
}

/** The number of matching apps for each value of a filter. */
@ObjectType({
  description: 'The number of matching apps for each value of a filter, while the other filters apply.',
})
export class AppFacets {
  @Field(() => [CategoryCount], {
    description: 'Counts for all categories. The `category` filter is ignored here; the other filters apply.',
  })
  categories!: CategoryCount[];

  @Field(() => [EnvironmentCount], {
    description:
      'Counts for all environments. The `environment` filter is ignored here; the other filters apply.',
  })
  environments!: EnvironmentCount[];
}
