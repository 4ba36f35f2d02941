/** The reason why a fetch failed. */
export type FetchProblemCode =
  /** Not a URL, not http or https, or with credentials. */
  | 'invalid_url'
  /** The URL itself names a host that is not public. */
  | 'not_public'
  /** No response of a public host. A name that resolves to a private address looks the same, so that callers cannot map our network. */
  | 'unreachable'
  | 'timeout'
  /** Not tried: too many other fetches were running. */
  | 'busy'
  | 'too_many_redirects'
  | 'too_large'
  | 'http_error'
  /** The response has a content that the caller cannot use. */
  | 'unusable';

/** A rejected or failed fetch. Its message can be shown to the user who gave the URL. */
export class FetchProblem extends Error {
  constructor(
    readonly code: FetchProblemCode,
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

export const timedOut = (cause?: unknown) =>
  new FetchProblem('timeout', 'It did not answer completely in time.', { cause });
