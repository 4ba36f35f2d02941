import 'reflect-metadata';
import { Field, Int, ObjectType } from 'type-graphql';

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
