import type { CombinedError } from '@urql/preact';
import { inPlainWords, withoutField } from './words.ts';

/** A problem as the service reports it. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly details: readonly { readonly field: string; readonly message: string }[];
  readonly extensions: Readonly<Record<string, unknown>>;
}

export const OUTAGE_CODE = 'UNAVAILABLE';
/** Codes of details about an Idempotency-Key: the first request with it has no response yet, or there are too many keys. */
const STILL_RUNNING = 'in_progress';
const TOO_MANY_KEYS = 'too_many_keys';
/** Codes of errors after which a person has to sign in again. */
export const signedOutCodes = new Set(['UNAUTHENTICATED', 'INVALID_TOKEN']);

/** Returns the problems of a failed request. One that got no response is an outage. */
export function problemsOf(error: CombinedError | undefined): Problem[] {
  if (!error) return [];
  if (error.graphQLErrors.length === 0) return [outage];
  return error.graphQLErrors.map(({ message, extensions }) => problemOf(message, extensions ?? {}));
}

/** A request that got no response. */
const outage: Problem = {
  code: OUTAGE_CODE,
  message: 'The service could not be reached. Try again.',
  details: [],
  extensions: {},
};

function problemOf(message: string, extensions: Readonly<Record<string, unknown>>): Problem {
  const details = Array.isArray(extensions.details) ? extensions.details : [];
  const code = codeOfKey(details) ?? String(extensions.code ?? 'INTERNAL');
  return {
    code,
    message: messageOf(code, message),
    details: details.map(({ field, message: text }) => ({
      field: String(field),
      message: withoutField(String(field), String(text)),
    })),
    extensions,
  };
}

const codeOfKey = (details: readonly { code?: unknown }[]): string | undefined =>
  [STILL_RUNNING, TOO_MANY_KEYS].find((code) => details.some((detail) => detail.code === code));

export const hasTooManyKeys = ({ code }: Problem): boolean => code === TOO_MANY_KEYS;

/** Returns whether an earlier request with the same Idempotency-Key has succeeded. */
export const isDoneBefore = ({ code }: Problem): boolean => code === 'IDEMPOTENCY_CONFLICT';

/** A response that has neither data nor errors, as a server in between may send. */
export const emptyResponse: Problem = {
  code: 'INTERNAL',
  message: 'The service has sent an empty response. Try again.',
  details: [],
  extensions: {},
};

/** Codes of errors whose message is about the API; a page says what it means for the person. */
const messages: Record<string, string> = {
  VALIDATION_FAILED: 'Please correct this first.',
  NOT_FOUND: 'This was not found. It may have been deleted.',
  REVIEW_CLAIMED: 'Another administrator has claimed this submission.',
  DEVELOPER_NOT_REGISTERED: 'Register as a developer first.',
  INSUFFICIENT_SCOPE: 'You are not allowed to do this.',
  UNAUTHENTICATED: 'Please sign in first.',
  INVALID_TOKEN: 'Your sign-in has expired. Please sign in again.',
  IDEMPOTENCY_CONFLICT:
    'This was done before, but the page got no answer. Reload the page to see it; replace a secret that you have not seen.',
  [STILL_RUNNING]: 'The same request is still running. Try again in a moment.',
  RATE_LIMITED: 'There are too many requests. Try again in a moment.',
  QUERY_TOO_COMPLEX: 'This page asks for too much at once. Please tell support.',
};

const messageOf = (code: string, message: string) => messages[code] ?? inPlainWords(message);

/** Codes of errors that may be gone at the next attempt. */
const passingCodes = new Set([
  OUTAGE_CODE,
  STILL_RUNNING,
  'INTERNAL',
  'RATE_LIMITED',
  'REQUEST_TIMEOUT',
  'CONFLICT',
]);

/** Returns whether a limit was exceeded, which is over within a minute. */
export const isLimited = ({ code }: Problem): boolean => code === 'RATE_LIMITED';

/** Returns whether it makes sense to try again without changing anything. */
export const isPassing = ({ code }: Problem): boolean => passingCodes.has(code);

export const isOutage = (error: CombinedError) =>
  (error.networkError !== undefined && error.response?.status === undefined) ||
  problemsOf(error).some(({ code }) => code === OUTAGE_CODE);

export const isSignedOut = (error: CombinedError) =>
  problemsOf(error).some(({ code }) => signedOutCodes.has(code));

/** Returns problems without the messages that fields of a form show themselves. */
export const problemsBeside = (problems: readonly Problem[], fields: readonly string[]): Problem[] =>
  problems.map((problem) => {
    const details = problem.details.filter(({ field }) => !fields.includes(field.split('.')[0] ?? ''));
    const isAtFields = problem.details.length > 0 && details.length === 0;
    return { ...problem, details, ...(isAtFields && { message: AT_FIELDS }) };
  });

const AT_FIELDS = 'Some fields need to be corrected. They are marked below.';

/** Returns the messages about one field of a form, such as `name`; `screenshots` includes `screenshots.0.url`. */
export const fieldProblems = (problems: readonly Problem[], field: string): string[] =>
  problems
    .flatMap(({ details }) => details)
    .filter((detail) => detail.field === field || detail.field.startsWith(`${field}.`))
    .map(({ message }) => message);
