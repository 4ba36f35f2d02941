import 'reflect-metadata';
import { Field, GraphQLISODateTime, ID, Int, ObjectType, registerEnumType } from 'type-graphql';
import { codeDescriptions } from './rejection.catalogue.js';

/** One picture of an app. */
@ObjectType({ description: 'One picture of an app.' })
export class Screenshot {
  @Field(() => String, { description: 'A PNG or JPG of at least 1280×720 pixels, publicly reachable.' })
  url!: string;

  @Field(() => String, { nullable: true, description: 'What it shows.' })
  caption!: string | null;

  @Field(() => Int, { description: 'Its position, from zero.' })
  order!: number;
}

export enum RejectionCode {
  INCOMPLETE = 'INCOMPLETE',
  MISLEADING = 'MISLEADING',
  BROKEN_LINK = 'BROKEN_LINK',
  IMAGE_QUALITY = 'IMAGE_QUALITY',
  INAPPROPRIATE = 'INAPPROPRIATE',
  DUPLICATE = 'DUPLICATE',
  SECURITY = 'SECURITY',
  POLICY = 'POLICY',
  OTHER = 'OTHER',
}
registerEnumType(RejectionCode, {
  name: 'RejectionCode',
  description: 'The kind of a reason for a rejection.',
  valuesConfig: codeDescriptions,
});

/** A kind of reason, and what it says unless the reviewer says more. */
@ObjectType({ description: 'A kind of reason for a rejection, as the catalogue has it.' })
export class RejectionCatalogueEntry {
  @Field(() => RejectionCode, { description: 'The kind.' })
  code!: RejectionCode;

  @Field(() => String, {
    nullable: true,
    description:
      'What a reason of this kind says unless the reviewer gives a message; null where one is needed.',
  })
  message!: string | null;
}

/** One thing that stands in the way of approval. */
@ObjectType({ description: 'One reason why an app was rejected.' })
export class RejectionReason {
  @Field(() => RejectionCode, { description: 'Its kind.' })
  code!: RejectionCode;

  @Field(() => String, { nullable: true, description: 'The field it is about.' })
  field!: string | null;

  @Field(() => String, { description: 'What is wrong, in words.' })
  message!: string;

  /** Whether the developer says that it is dealt with: `addressReason`. */
  addressed?: boolean;
}

/** What a reviewer told the developer. */
@ObjectType({ description: 'Why an app was rejected, and what to do about it.' })
export class Rejection {
  @Field(() => [RejectionReason], { description: 'At least one.' })
  reasons!: RejectionReason[];

  @Field(() => String, { description: 'What to do next.' })
  guidance!: string;

  @Field(() => GraphQLISODateTime, { description: 'When the decision was made.' })
  rejectedAt!: Date;
}

/** The answer to a deletion. */
@ObjectType({ description: 'An app that is no more.' })
export class DeletedApp {
  @Field(() => ID, { description: 'The id it had.' })
  id!: string;

  @Field(() => Boolean, { description: 'Always true.' })
  deleted!: boolean;
}
