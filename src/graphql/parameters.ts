import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { ServiceError } from '../errors.js';
import { jsonBody } from '../server/body.js';

/** The names of the parameters in a query string. */
const names = new Set(['query', 'operationName', 'variables', 'extensions']);
/** Proxies often reject longer URLs. */
const maxSearchLength = 8 * 1024;

/** Reads the parameters of a GET. A parameter that is given twice stays so, and is rejected later. */
export function searchOf(url: string): URLSearchParams {
  const search = /\?([^#]*)/.exec(url)?.[1] ?? '';
  if (search.length > maxSearchLength) throw longSearch(search.length);
  return new URLSearchParams([...new URLSearchParams(search)].filter(([name]) => names.has(name)));
}

function longSearch(length: number): ServiceError {
  const message = `The query string has ${length} characters, and at most ${maxSearchLength} are possible. Send the document by POST, or its hash as a persisted query.`;
  return new ServiceError('QUERY_TOO_COMPLEX', message, [
    { field: 'queryString', code: 'limit_exceeded', message },
  ]);
}

const Parameters = z.object({
  query: z.string().min(1),
  operationName: z.string().nullish(),
  variables: z.record(z.string(), z.unknown()).nullish(),
});

export interface GraphQLParameters {
  query: string;
  operationName?: string;
  variables?: Record<string, unknown>;
}

/** Reads the parameters of a request that Apollo does not handle, from its body or its query string. */
export function parametersOf(
  request: IncomingMessage,
  bytes: Buffer | undefined,
  url: string,
): GraphQLParameters {
  const given = request.method === 'POST' ? jsonBody(request, bytes) : fromSearch(searchOf(url));
  const { data } = Parameters.safeParse(given);
  if (!data)
    throw new ServiceError(
      'VALIDATION_FAILED',
      'The request needs "query", a string, and may have "variables", an object, and "operationName", a string.',
    );
  const { query, operationName, variables } = data;
  return { query, ...(operationName && { operationName }), ...(variables && { variables }) };
}

function fromSearch(search: URLSearchParams): Record<string, unknown> {
  const { variables, ...others } = Object.fromEntries(search);
  if (variables === undefined) return others;
  try {
    return { ...others, variables: JSON.parse(variables) as unknown };
  } catch {
    throw new ServiceError('MALFORMED_JSON', 'The parameter "variables" is not valid JSON.');
  }
}
