import type { RequestContext } from '../server/request-context.js';

/** A request to a route. */
export interface RestRequest {
  readonly context: RequestContext;
  /** The path of the URL, as it was sent. */
  readonly path: string;
  readonly params: { readonly [field: string]: unknown };
  readonly query: { readonly [field: string]: unknown };
  /** The bytes of the body, where it was read. */
  readonly body: Buffer | undefined;
}

/** The successful result of an operation, as REST sends it and as an Idempotency-Key stores it. */
export interface RestResult {
  status: number;
  etag: string | null;
  json: string;
  /** True for a stored result. */
  replayed?: boolean;
}
