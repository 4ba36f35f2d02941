import 'reflect-metadata';
import { Field, ID, Int, ObjectType } from 'type-graphql';

/** One screenshot of an app. */
@ObjectType({ description: 'One screenshot of an app.' })
export class Screenshot {
  @Field(() => String, {
    description: 'Public URL of the image: PNG or JPG, at least 1280×720 pixels.',
  })
  url!: string;

  @Field(() => String, { nullable: true, description: 'What the screenshot shows; null without a caption.' })
  caption!: string | null;

  @Field(() => Int, { description: 'Sort position among the screenshots; the lowest comes first.' })
  order!: number;
}

/** The result of a deletion. */
@ObjectType({ description: 'Confirms that an app was deleted.' })
export class DeletedApp {
  @Field(() => ID, { description: 'The id of the deleted app.' })
  id!: string;

  @Field(() => Boolean, { description: 'Always true.' })
  deleted!: boolean;
}
