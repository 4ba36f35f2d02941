import 'reflect-metadata';
import { Field, ObjectType } from 'type-graphql';

/** Whether an operation would work now, and if not, what it would answer. */
@ObjectType({
  description:
    'An operation, whether it would work now, and if not, what it would answer. Rate limits and quotas are not counted.',
})
export class AllowedAction {
  @Field(() => String, { description: 'The operation, such as `submitApp`.' })
  action!: string;

  @Field(() => Boolean, { description: 'Whether it would work now.' })
  allowed!: boolean;

  @Field(() => String, { nullable: true, description: 'The code of the refusal.' })
  code!: string | null;

  @Field(() => String, { nullable: true, description: 'Its message: what to do.' })
  message!: string | null;
}
