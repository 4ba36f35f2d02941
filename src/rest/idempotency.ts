import type { StoredResponse } from '../operations/idempotency.js';
import { Idempotency } from '../operations/idempotency.js';
import type { RestRequest, RestResult } from './rest-request.js';
import type { Route } from './route.js';

/** Stores the response to a POST with an Idempotency-Key. Each path has its own keys. */
export class RestIdempotency extends Idempotency<RestResult> {
  constructor(
    { operation, method, path, pathFields }: Route,
    { params, body, context }: RestRequest,
    key: string,
    private readonly resultOf: (result: unknown) => RestResult,
  ) {
    super(operation, { key, address: context.address, content: body ?? '' }, [
      method,
      path,
      pathFields.map((field) => params[field]),
    ]);
  }

  protected responseTo(result: unknown) {
    const response = this.resultOf(result);
    const { status, etag, json } = response;
    return { response, status, etag, body: json };
  }

  protected async replay({ status, etag, body }: StoredResponse): Promise<RestResult> {
    return { status, etag, json: body ?? '', replayed: true };
  }
}
