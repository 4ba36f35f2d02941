import type { CombinedError } from '@urql/preact';

/** A problem as the service reports it. */
export interface Problem {
  readonly code: string;
  readonly message: string;
  readonly details: readonly { readonly field: string; readonly message: string }[];
  readonly extensions: Readonly<Record<string, unknown>>;
}

export const OUTAGE_CODE = 'UNAVAILABLE';
/** Codes of errors after which a person has to sign in again. */
export const signedOutCodes = new Set(['UNAUTHENTICATED', 'INVALID_TOKEN']);

/** Returns the problems of a failed request. One that got no response is an outage. */
export function problemsOf(error: CombinedError | undefined): Problem[] {
  if (!error) return [];
  if (error.graphQLErrors.length === 0)
    return [
      {
        code: OUTAGE_CODE,
        message: 'The service could not be reached. Try again.',
        details: [],
        extensions: {},
      },
    ];
  return error.graphQLErrors.map(({ message, extensions }) => ({
    code: String(extensions?.code ?? 'INTERNAL'),
    message,
    details: (Array.isArray(extensions?.details) ? extensions.details : []).map(
      ({ field, message: text }) => ({
        field: String(field),
        message: withoutField(String(field), String(text)),
      }),
    ),
    extensions: extensions ?? {},
  }));
}

export const isOutage = (error: CombinedError) =>
  (error.networkError !== undefined && error.response?.status === undefined) ||
  problemsOf(error).some(({ code }) => code === OUTAGE_CODE);

export const isSignedOut = (error: CombinedError) =>
  problemsOf(error).some(({ code }) => signedOutCodes.has(code));

/** Returns a message without the name of its field, because a label stands beside it: "email must be…" is "Must be…". */
export function withoutField(field: string, message: string): string {
  if (!message.startsWith(`${field} `)) return message;
  const rest = message.slice(field.length + 1);
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}

/** Returns a field in words, for messages that stand beside no label: `reasons.0.message` is "Reasons 1 message". */
export const fieldInWords = (field: string): string =>
  (field.charAt(0).toUpperCase() + field.slice(1))
    .replace(/\.(\d+)/g, (_, position) => ` ${Number(position) + 1}`)
    .replaceAll('.', ' ')
    .replace(/([a-z])([A-Z])/g, (_, before, after) => `${before} ${after.toLowerCase()}`);

/** Returns problems without the messages that fields of a form show themselves. */
export const problemsBeside = (problems: readonly Problem[], fields: readonly string[]): Problem[] =>
  problems.map((problem) => {
    const details = problem.details.filter(({ field }) => !fields.includes(field.split('.')[0] ?? ''));
    const isAtFields = problem.details.length > 0 && details.length === 0;
    return { ...problem, details, ...(isAtFields && { message: AT_FIELDS }) };
  });

const AT_FIELDS = 'Something has to be changed first: it is marked at the fields.';

/** Returns the messages about one field of a form, such as `name`; `screenshots` includes `screenshots.0.url`. */
export const fieldProblems = (problems: readonly Problem[], field: string): string[] =>
  problems
    .flatMap(({ details }) => details)
    .filter((detail) => detail.field === field || detail.field.startsWith(`${field}.`))
    .map(({ message }) => message);
