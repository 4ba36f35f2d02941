import 'reflect-metadata';
import { Field, ObjectType } from 'type-graphql';

/** A field that both a version and an administrator's edit of the app have changed. */
@ObjectType({
  description:
    "A field that both the version and an administrator's edit of the live listing have changed. The version's value replaces the edit when it is approved. Texts are as they are; everything else is JSON.",
})
export class VersionConflict {
  @Field(() => String, { description: 'The name of the field, such as `description`.' })
  field!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The value that the version was begun from; null where there was none or it is not known.',
  })
  base!: string | null;

  @Field(() => String, { nullable: true, description: 'The value in the live listing.' })
  live!: string | null;

  @Field(() => String, { nullable: true, description: 'The value in the version.' })
  proposed!: string | null;
}
