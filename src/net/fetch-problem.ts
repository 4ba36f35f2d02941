/** Why something could not be fetched. */
export type FetchProblemCode =
  /** Not http or https, with credentials, or not an address at all. */
  | 'invalid_url'
  /** The address itself names something that is not public. */
  | 'not_public'
  /** No public host answered. That a name leads inside looks the same, so that nobody can map our network. */
  | 'unreachable'
  | 'timeout'
  | 'too_many_redirects'
  | 'too_large'
  | 'http_error'
  /** The answer was not of the kind that the caller can use. */
  | 'unusable';

/** A fetch that was refused, or that failed; its message is fit for those who gave the address. */
export class FetchProblem extends Error {
  constructor(
    readonly code: FetchProblemCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
