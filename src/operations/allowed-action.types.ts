import 'reflect-metadata';
import { Field, ObjectType } from 'type-graphql';
import type { ErrorCode } from '../errors.js';
import { errorCodes } from './error-code.types.js';

/** An operation, and whether the caller could call it now. */
@ObjectType({
  description: 'An operation, and whether you could call it now. Rate limits and quotas are not considered.',
})
export class AllowedAction {
  @Field(() => String, { description: 'Name of the operation, such as `submitApp`.' })
  action!: string;

  @Field(() => Boolean, { description: 'Whether a call would succeed now.' })
  allowed!: boolean;

  @Field(() => errorCodes, {
    nullable: true,
    description:
      'Error code that a call would fail with, such as `INVALID_TRANSITION`; null if it is allowed.',
  })
  code!: ErrorCode | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Error message that a call would fail with: the reason, and what to do. Null if it is allowed.',
  })
  message!: string | null;
}
