import { Field, ObjectType } from 'type-graphql';

/** The account behind the credential of a request. Its `developer` is resolved through a loader. */
@ObjectType({ description: 'The account that the credential of the request belongs to.' })
export class Viewer {
  @Field(() => String, {
    description: 'Account id in the host platform: the `sub` of the account token.',
  })
  accountUserId!: string;

  @Field(() => Boolean, {
    description: 'True if the account token has the administrator role. Always false for an API key.',
  })
  isAdministrator!: boolean;

  @Field(() => String, {
    nullable: true,
    description:
      'Display name in the account token. Null if the token has none, and for an API key. The name of the developer profile is `developer.name`.',
  })
  name!: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'E-mail address in the account token. Null if the token has none or says that it is not verified, and for an API key.',
  })
  email!: string | null;

  developerId!: string | null;
  keyId!: string | null;
}
