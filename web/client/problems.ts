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
    details: Array.isArray(extensions?.details) ? extensions.details : [],
    extensions: extensions ?? {},
  }));
}

export const isOutage = (error: CombinedError) =>
  (error.networkError !== undefined && error.response?.status === undefined) ||
  problemsOf(error).some(({ code }) => code === OUTAGE_CODE);

export const isSignedOut = (error: CombinedError) =>
  problemsOf(error).some(({ code }) => signedOutCodes.has(code));

/** Returns the messages about one field of a form, such as `name`; `screenshots` includes `screenshots.0.url`. */
export const fieldProblems = (problems: readonly Problem[], field: string): string[] =>
  problems
    .flatMap(({ details }) => details)
    .filter((detail) => detail.field === field || detail.field.startsWith(`${field}.`))
    .map(({ message }) => message);
