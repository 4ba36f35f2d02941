import 'reflect-metadata';
import { Field, Int, ObjectType } from 'type-graphql';

/** The answer to an install. */
@ObjectType({ description: 'That an install was recorded, durably.' })
export class InstallReceipt {
  @Field(() => String, { description: 'The app.' })
  slug!: string;

  @Field(() => Int, { description: 'Its installs, this one included.' })
  installCount!: number;

  /** False for an installation that was counted before: REST then answers 200 instead of 201. */
  isNew!: boolean;
}
