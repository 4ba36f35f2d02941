import 'reflect-metadata';
import { Field, ObjectType } from 'type-graphql';

/** One changed field, with both values as text. */
@ObjectType({
  description:
    'One changed field. Values that are not text are JSON. In a timeline, a text of more than 600 characters is shortened, and its length is added. After 100 edits within 24 hours, a timeline no longer stores the values: then both are null.',
})
export class FieldChange {
  @Field(() => String, { description: 'Name of the field, such as `description`.' })
  field!: string;

  @Field(() => String, {
    nullable: true,
    description: 'The value before the change; null if the field was empty or the value was not stored.',
  })
  before!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The value after the change; null if the field is empty or the value was not stored.',
  })
  after!: string | null;
}

/** One field that a version and an administrator have both changed. */
@ObjectType({
  description:
    "A field that was changed both by the version and by an administrator's edit of the live listing. If the version is approved, its value replaces the edit. Values that are not text, such as `screenshots`, are given as JSON.",
})
export class VersionConflict {
  @Field(() => String, { description: 'Name of the field, such as `description`.' })
  field!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Common value before both changes; null if it was empty or is not known.',
  })
  base!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Current value in the live listing; null if it is empty.',
  })
  live!: string | null;

  @Field(() => String, { nullable: true, description: 'Value in the version; null if it is empty.' })
  proposed!: string | null;
}
