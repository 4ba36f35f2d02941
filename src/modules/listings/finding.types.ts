import 'reflect-metadata';
import { Field, ObjectType } from 'type-graphql';
import { describeEnum } from '../../operations/enum-type.js';

export enum Severity {
  ERROR = 'ERROR',
  WARNING = 'WARNING',
}
describeEnum(Severity, 'Severity', 'Severity of a finding. An error blocks a submission.', {
  ERROR: 'Blocks the submission until it is fixed.',
  WARNING: 'Does not block the submission; the reviewer sees it too.',
});

/** All codes of findings, with their descriptions. */
const findingMeanings = {
  required: 'A required field is empty.',
  missing: 'An optional field that users expect is empty, such as the logo.',
  invalid: 'The value is not valid for another reason, which the message names.',
  invalid_type: 'The value has the wrong type.',
  invalid_value: 'The value is not one of the allowed ones.',
  invalid_characters: 'The text contains characters that are not allowed, such as invisible ones.',
  invalid_url: 'It is not an http or https URL.',
  unknown_field: 'The value has a field that does not exist.',
  too_short: 'The text is too short.',
  too_long: 'The text is too long.',
  too_small: 'The number is too small.',
  too_big: 'The number is too big.',
  too_few: 'The list has too few items, such as screenshots.',
  too_many: 'The list has too many items.',
  duplicate: 'Another developer has a public app whose name looks the same.',
  similar_name:
    'Another developer has a public app whose name is almost the same: a letter more or less, a doubled letter, a plural.',
  same_picture: 'Another developer has a public app with the same logo or banner.',
  reserved: 'The name looks like the name of the marketplace itself.',
  wrong_type: 'The image is neither a PNG nor a JPG, or is served with another content type.',
  wrong_size: 'The image has the wrong width or height.',
  unreadable: 'The width and height of the image cannot be read.',
  not_public: 'The URL names a host that is not public.',
  unreachable: 'No public host responded at the URL.',
  timeout: 'The response took too long.',
  busy: 'The URL was not fetched, because too many others were being fetched. Try again in a minute.',
  too_many_redirects: 'The URL redirects too often.',
  too_large: 'The file is too large.',
  http_error: 'The server responded with an error status.',
  unusable: 'The response has no content that can be used.',
  picture_changed: 'The picture is no longer the one that was reviewed.',
  picture_gone: 'The picture could not be fetched for three days, although the app is public.',
  picture_moved: 'The picture comes from another host than the one that was reviewed.',
  unusual_installs:
    'On one of the last seven days the app was installed at least ten times as often as usual. Only administrators see it.',
} as const;

export type FindingCode = keyof typeof findingMeanings;

/** The codes of findings as a GraphQL enum. Its values are spelt as in the details of an error. */
export const findingCodes = Object.fromEntries(Object.keys(findingMeanings).map((code) => [code, code])) as {
  readonly [Code in FindingCode]: Code;
};

describeEnum(
  findingCodes,
  'FindingCode',
  'The kind of problem that an automatic check found. `details` of errors use the same codes.',
  findingMeanings,
);

/** Returns the code of a finding for the code of an input problem. */
export const findingCode = (code: string): FindingCode =>
  Object.hasOwn(findingMeanings, code) ? (code as FindingCode) : 'invalid';

/** One problem that an automatic check found in a listing. */
@ObjectType({ description: 'One problem that the automatic checks found in a listing.' })
export class Finding {
  @Field(() => String, { description: 'The listing field that has the problem, such as `screenshots`.' })
  field!: string;

  @Field(() => Severity, { description: 'Severity: an error blocks a submission.' })
  severity!: Severity;

  @Field(() => findingCodes, { description: 'Machine-readable kind of the problem, such as `too_few`.' })
  code!: FindingCode;

  @Field(() => String, { description: 'Description of the problem.' })
  message!: string;

  @Field(() => String, { description: 'How to fix it.' })
  fix!: string;

  /** Set for a name that could deceive users: an approval must acknowledge it with a reason (D326). */
  reasonNeeded?: boolean;
  /** The app that the finding is about, besides the one that has it. */
  aboutAppId?: string;
}
