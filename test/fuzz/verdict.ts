import type { OpenApi } from '../support/openapi.js';
import { escapePart } from '../support/openapi.js';
import { statusOfCode } from '../support/outcomes.js';
import type { Attack } from './attacks.js';
import type { Answer } from './sender.js';

/** Internals that no response may reveal. */
const insides =
  /node_modules|\.[jt]s:\d+|\bselect \S+ from\b|syntax error at or near|violates \w+|\bECONN|\bpg_/;
const ourFault = ['INTERNAL', 'UNAVAILABLE'];

/** The fault of a response to an attack; null: none. */
export function faultOf(attack: Attack, answer: Answer, openapi: OpenApi): string | null {
  const { status, headers, text } = answer;
  if (status >= 500) return `it answered ${status}`;
  if (!headers['x-request-id']) return 'it has no X-Request-Id';
  if (insides.test(text)) return `it shows its insides: ${insides.exec(text)?.[0]}`;
  if (status === 304) return text === '' ? null : 'a 304 has no body';
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return 'its body is not JSON';
  }
  const requestId = String(headers['x-request-id']);
  return attack.api === 'rest'
    ? restFault(openapi, attack, status, requestId, body)
    : graphqlFault(status, requestId, body);
}

function restFault(
  openapi: OpenApi,
  { method, route }: { method: string; route: string },
  status: number,
  requestId: string,
  body: unknown,
): string | null {
  const error = (body as { error?: { code: keyof typeof statusOfCode; requestId: string } }).error;
  if (error && (statusOfCode[error.code] !== status || error.requestId !== requestId))
    return `${error.code} does not go with ${status}, or its request id is another`;
  // Hostile characters may turn a path into that of another route, or of none.
  if ((status === 404 || status === 405) && error) return null;
  const place = ['paths', route, method.toLowerCase(), 'responses', String(status)];
  const pointer = [...place, 'content', 'application/json', 'schema'].map(escapePart).join('');
  if (!openapi.at(pointer)) return `${status} is not documented for ${method} ${route}`;
  const problems = openapi.problems(pointer, body);
  return problems.length > 0 ? `not as documented: ${JSON.stringify(problems).slice(0, 500)}` : null;
}

interface GraphQLAnswer {
  data?: unknown;
  errors?: {
    message: string;
    extensions: { code: keyof typeof statusOfCode; details: unknown; requestId: string };
  }[];
}

function graphqlFault(status: number, requestId: string, body: unknown): string | null {
  const { data, errors = [] } = body as GraphQLAnswer;
  if (data === undefined && errors.length === 0) return 'it has neither data nor errors';
  for (const { message, extensions } of errors) {
    if (!(extensions?.code in statusOfCode)) return `${extensions?.code} is no code of the contract`;
    if (ourFault.includes(extensions.code)) return `it blames itself: ${message}`;
    if (extensions.requestId !== requestId) return 'an error carries another request id';
    if (!Array.isArray(extensions.details)) return `${extensions.code} has no details`;
    // 406 is GraphQL over HTTP's own: the caller accepts nothing that could be sent.
    if (![200, 406, statusOfCode[extensions.code]].includes(status))
      return `${extensions.code} does not go with ${status}`;
  }
  return null;
}
