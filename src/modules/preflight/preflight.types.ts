import 'reflect-metadata';
import { Field, ObjectType } from 'type-graphql';
import { Finding } from '../apps/finding.types.js';

/** Everything that a machine can say of a listing, at once. */
@ObjectType({ description: 'Everything that the automatic checks say of a listing, at once.' })
export class Preflight {
  @Field(() => Boolean, { description: 'Whether a submission would be accepted: no finding is an ERROR.' })
  ready!: boolean;

  @Field(() => [Finding], { description: 'All that was found.' })
  findings!: Finding[];
}
