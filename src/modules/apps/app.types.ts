import 'reflect-metadata';
import { Field, ID, ObjectType } from 'type-graphql';

/** The result of a deletion. */
@ObjectType({ description: 'Confirms that an app was deleted.' })
export class DeletedApp {
  @Field(() => ID, { description: 'The id of the deleted app.' })
  id!: string;

  @Field(() => Boolean, { description: 'Always true.' })
  deleted!: boolean;
}
