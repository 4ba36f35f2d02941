import 'reflect-metadata';
import { Field, ObjectType } from 'type-graphql';
import { Finding } from '../apps/finding.types.js';

/** The result of `preflight`. */
@ObjectType({ description: 'The result of all automatic checks of a listing.' })
export class Preflight {
  @Field(() => Boolean, {
    description: 'True if a submission would pass the checks: no finding has the severity ERROR.',
  })
  ready!: boolean;

  @Field(() => [Finding], {
    description:
      'Everything that the checks found: errors and warnings. Empty if there is nothing to improve.',
  })
  findings!: Finding[];
}
