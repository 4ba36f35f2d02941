import type { Opt } from '@mikro-orm/core';
import { Entity, Enum, Property } from '@mikro-orm/decorators/legacy';
import { Field, ObjectType } from 'type-graphql';
import { DeveloperStatus } from '../../auth/developer-status.js';
import { EditableEntity } from '../../operations/base.entity.js';
import { connectionOf } from '../../operations/connection.types.js';
import { describeEnum } from '../../operations/enum-type.js';
import { Node } from '../../operations/node.types.js';
import { NullableTextColumn, NullableTimeColumn, TextColumn } from '../../operations/shown-column.js';
import { isLostAddress } from './developer-email.rules.js';

describeEnum(DeveloperStatus, 'DeveloperStatus', 'The state of a developer account.', {
  UNVERIFIED:
    'Registered, but not verified by an administrator. It can create and edit apps, but not create API keys or submit apps.',
  VERIFIED: 'Verified by an administrator: it can create API keys and submit apps.',
  SUSPENDED: 'Suspended by an administrator: its API keys do not work and its apps are not public.',
});

export enum DeveloperSort {
  NEWEST = 'NEWEST',
  OLDEST = 'OLDEST',
}
describeEnum(DeveloperSort, 'DeveloperSort', 'Order of a list of developers.', {
  NEWEST: 'Most recently registered first.',
  OLDEST: 'Longest registered first, such as for those who wait for verification.',
});

/** A developer account with all its fields: the database row and the GraphQL type. */
@ObjectType({
  description: 'A developer account with all its fields, for the developer and administrators.',
  implements: Node,
})
@Entity({ tableName: 'developers' })
export class Developer extends EditableEntity {
  @TextColumn("The developer's account id in the host platform: the `sub` of the account token.")
  accountUserId!: string;

  @TextColumn("Name that is shown with the developer's apps.")
  name!: string;

  @TextColumn('E-mail address for notifications. It is never public. Ends with `.invalid` if it was lost.')
  email!: string;

  /** The address that an account token has proven; another one than `email` if that was changed since. */
  @Property({ type: 'text', nullable: true })
  provenEmail: string | null = null;

  @Field(() => Boolean, {
    description:
      'True if an account token of the developer has proven the e-mail address: its claim `email` with `email_verified: true`.',
  })
  get emailProven(): Opt<boolean> {
    return this.provenEmail?.toLowerCase() === this.email.toLowerCase();
  }

  @Field(() => Boolean, {
    description:
      'True if another account has proven that the e-mail address is its own. The developer gets no mails, and needs another address before the next submission.',
  })
  get emailLost(): Opt<boolean> {
    return isLostAddress(this.email);
  }

  @NullableTextColumn('Company name; null without one.')
  companyName: string | null = null;

  @NullableTextColumn("URL of the developer's website; null without one.")
  websiteUrl: string | null = null;

  @NullableTextColumn('Short text about the developer; null without one.')
  bio: string | null = null;

  @Field(() => DeveloperStatus, { description: 'The state of the account.' })
  @Enum({ items: () => DeveloperStatus, type: 'text' })
  status: Opt<DeveloperStatus> = DeveloperStatus.UNVERIFIED;

  @NullableTimeColumn(
    'When an administrator verified the account (UTC); null if it was never verified or the verification was withdrawn.',
  )
  verifiedAt: Date | null = null;

  /** The status that `reinstateDeveloper` restores. */
  @Enum({
    items: () => [DeveloperStatus.UNVERIFIED, DeveloperStatus.VERIFIED],
    type: 'text',
    nullable: true,
  })
  statusBeforeSuspension: DeveloperStatus | null = null;
}

export const DeveloperConnection = connectionOf('Developer', () => Developer);
