import 'reflect-metadata';
import { Field, ObjectType } from 'type-graphql';
import { connectionOf } from '../../operations/connection.types.js';
import { AppVersion } from './app-version.entity.js';

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

export const AppVersionConnection = connectionOf('AppVersion', () => AppVersion);
