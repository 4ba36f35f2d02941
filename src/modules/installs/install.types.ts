import 'reflect-metadata';
import { Field, Int, ObjectType } from 'type-graphql';

/** The result of recording an install. */
@ObjectType({ description: 'Confirms that an install is stored.' })
export class InstallReceipt {
  @Field(() => String, { description: 'The slug of the app.' })
  slug!: string;

  @Field(() => Int, { description: 'Total number of installs of the app, including this one.' })
  installCount!: number;

  /** False if the same installationId was counted before; REST then responds with 200 instead of 201. */
  isNew!: boolean;
}
