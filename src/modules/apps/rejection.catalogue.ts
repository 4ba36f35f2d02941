import type { RejectionCode, RejectionReason } from './app.types.js';

/** What each kind of reason says where the reviewer says nothing else; null where only the reviewer can know. */
const defaultTexts: Readonly<Record<RejectionCode, string | null>> = {
  INCOMPLETE: 'Something that users need to know is missing from the listing: add it.',
  MISLEADING: 'The app does not do what its listing says: correct the listing, or the app.',
  BROKEN_LINK:
    'An address of the listing does not open: mend it, or name another that opens for everybody without signing in.',
  IMAGE_QUALITY:
    'A picture is too small, blurred or of something else: replace it with a sharp one that shows the app as it is now.',
  INAPPROPRIATE:
    'Something in the listing or in the app is not fit for this marketplace, such as offensive or unlawful content: take it out.',
  DUPLICATE:
    'This app, or one that users cannot tell from it, is listed already: make plain what sets yours apart, or submit a new version of the one that is listed.',
  SECURITY:
    'The app puts its users or their data at risk: close the gap, and tell the reviewers how you have done so.',
  POLICY:
    'The app or its listing breaks a rule of the marketplace, which the guidance names: change what breaks it.',
  OTHER: null,
};

const codes = Object.keys(defaultTexts) as RejectionCode[];

/** The codes with their default texts, in the order of the enum. */
export const rejectionCatalogue = codes.map((code) => ({ code, message: defaultTexts[code] }));

/** The same as what GraphQL's documentation says of each code. */
export const codeDescriptions = Object.fromEntries(
  rejectionCatalogue.map(({ code, message }) => [
    code,
    { description: message ?? 'Something else: it needs a message of its own.' },
  ]),
);

/** Whether a reason of this kind says anything without a message of its own. */
export const hasDefaultText = (code: RejectionCode): boolean => defaultTexts[code] !== null;

/** A reason as the reviewer gave it. */
interface GivenReason {
  code: RejectionCode;
  field?: string | null | undefined;
  message?: string | null | undefined;
}

/** The reasons as they are kept: each in words, so that it reads the same when a default text changes. */
export const statedReasons = (reasons: readonly GivenReason[]): RejectionReason[] =>
  reasons.map(({ code, field, message }) => ({
    code,
    field: field || null,
    // The input lets no reason pass that has neither.
    message: message ?? defaultTexts[code] ?? '',
  }));
