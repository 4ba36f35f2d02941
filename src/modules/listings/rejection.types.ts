import 'reflect-metadata';
import { Field, GraphQLISODateTime, ObjectType } from 'type-graphql';
import { describeEnum } from '../../operations/enum-type.js';

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

/** The message of a reason if the reviewer writes none; null if the reviewer has to write one. */
const defaultMessages: Readonly<Record<RejectionCode, string | null>> = {
  INCOMPLETE: 'The listing lacks information that users need: add it.',
  MISLEADING: 'The app does not do what its listing says: correct the listing or the app.',
  BROKEN_LINK:
    'A link in the listing does not open: fix it, or use one that everybody can open without signing in.',
  IMAGE_QUALITY:
    'An image is too small, blurred or does not show the app: replace it with a sharp image of the current app.',
  INAPPROPRIATE:
    'The listing or the app contains something that this marketplace does not accept, such as offensive or unlawful content: remove it.',
  DUPLICATE:
    'This app, or one that users cannot tell apart from it, is already listed: make clear what is different about yours, or submit a new version of the listed app.',
  SECURITY:
    'The app puts its users or their data at risk: fix the problem, and tell the reviewers how you fixed it.',
  POLICY:
    'The app or its listing breaks a rule of the marketplace, which the guidance names: change what breaks the rule.',
  OTHER: null,
};

describeEnum(RejectionCode, 'RejectionCode', 'The kind of problem that a rejection reason is about.', {
  ...(defaultMessages as Record<RejectionCode, string>),
  OTHER: 'Something else: it needs a message of its own.',
});

/** A rejection code with its default message. */
@ObjectType({ description: 'A rejection code and its default message.' })
export class RejectionCatalogueEntry {
  @Field(() => RejectionCode, { description: 'The rejection code, such as `BROKEN_LINK`.' })
  code!: RejectionCode;

  @Field(() => String, {
    nullable: true,
    description:
      'The message that a reason with this code gets if the reviewer writes none; null if the reviewer has to write one.',
  })
  message!: string | null;
}

/** All codes with their default messages, in the order of the enum. */
export const rejectionCatalogue: readonly RejectionCatalogueEntry[] = Object.values(RejectionCode).map(
  (code) => ({
    code,
    message: defaultMessages[code],
  }),
);

export const hasDefaultMessage = (code: RejectionCode): boolean => defaultMessages[code] !== null;

/** One problem that has to be fixed before an app or a version can be approved. */
@ObjectType({ description: 'One reason why an app or a version was rejected.' })
export class RejectionReason {
  @Field(() => RejectionCode, { description: 'The kind of problem.' })
  code!: RejectionCode;

  @Field(() => String, {
    nullable: true,
    description:
      'The listing field that has the problem, such as `logoUrl` or `screenshots.0`; null if it is not about one field.',
  })
  field!: string | null;

  @Field(() => String, { description: 'A description of the problem for the developer.' })
  message!: string;

  /** True once the developer has called `addressReason` for it. */
  addressed?: boolean;
}

/** A reviewer's decision to reject, as the developer sees it. */
@ObjectType({ description: 'A rejection: its reasons, and what the developer should do next.' })
export class Rejection {
  @Field(() => [RejectionReason], { description: 'The reasons; at least one.' })
  reasons!: RejectionReason[];

  @Field(() => String, { description: "The reviewer's advice on what to do next." })
  guidance!: string;

  @Field(() => GraphQLISODateTime, { description: 'When the reviewer rejected it (UTC).' })
  rejectedAt!: Date;
}

/** A reason as a reviewer enters it. */
interface ReasonInput {
  code: RejectionCode;
  field?: string | null | undefined;
  message?: string | null | undefined;
}

/** Fills in the default messages before the reasons are stored, so that a later change of a default does not rewrite old decisions. */
export const withDefaultMessages = (reasons: readonly ReasonInput[]): RejectionReason[] =>
  reasons.map(({ code, field, message }) => ({
    code,
    field: field || null,
    // The input validation rejects a reason that has neither a message nor a default.
    message: message ?? defaultMessages[code] ?? '',
  }));
