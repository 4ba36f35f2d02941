import type { LimitClass } from '../config/formats.js';
import { ServiceError } from '../errors.js';

/** The length of a rate limit's window: a minute, or an hour. */
export const windowSeconds = (limit: LimitClass): number => (limit === 'app-install' ? 3_600 : 60);
/** Callers that are counted for each limit, which bounds the memory. */
export const maxSubjects = 50_000;

/** The result of counting points against a rate limit. */
export interface Charge {
  readonly limit: LimitClass;
  /** Points per window. */
  readonly quota: number;
  readonly remaining: number;
  /** Seconds until the window ends. */
  readonly resetSeconds: number;
  readonly isExceeded: boolean;
}

/** The part of a request that rate limits need. */
export interface ChargedRequest {
  readonly address: string;
  /** The id of the developer who has sent the request, as soon as it is known. */
  readonly developer: string | null;
  readonly charges: Charge[];
}

/** Returns the `RateLimit` headers. Each limit is listed once, with its last charge. */
export function rateLimitHeaders(charges: readonly Charge[]): { policy: string; state: string } | null {
  if (charges.length === 0) return null;
  if (charges.length === 1) return { state: stateOf(charges[0]!), policy: policyOf(charges[0]!) };
  const last = new Map<LimitClass, Charge>();
  for (const charge of charges) {
    last.delete(charge.limit);
    last.set(charge.limit, charge);
  }
  const listed = [...last.values()];
  return { state: listed.map(stateOf).join(', '), policy: listed.map(policyOf).join(', ') };
}

const stateOf = ({ limit, remaining, resetSeconds }: Charge) => `"${limit}";r=${remaining};t=${resetSeconds}`;
const policyOf = ({ limit, quota }: Charge) => `"${limit}";q=${quota};w=${windowSeconds(limit)}`;

/** The error for an exceeded rate limit. `subject` says whose limit it is, such as "this address". */
export const rateLimited = (
  { limit, quota, resetSeconds }: Pick<Charge, 'limit' | 'quota' | 'resetSeconds'>,
  subject: string,
) =>
  new ServiceError(
    'RATE_LIMITED',
    `The limit "${limit}" of ${quota}${limit === 'database' ? ' ms' : ''} per ${windowSeconds(limit) === 60 ? 'minute' : 'hour'} for ${subject} is used up. Try again in ${resetSeconds} ${resetSeconds === 1 ? 'second' : 'seconds'}.`,
    [],
    { retryAfterSeconds: resetSeconds },
  );
