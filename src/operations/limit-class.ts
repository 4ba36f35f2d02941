import type { LimitClass } from '../config/formats.js';
import type { AnyOperation } from './operation.js';

/** Returns the rate limit that an operation counts against, in REST and in GraphQL. */
export function limitClassOf({ limit, policy, kind }: AnyOperation): LimitClass {
  if (limit) return limit;
  if (policy.kind === 'anyone') return kind === 'mutation' ? 'install' : 'public';
  return kind === 'mutation' ? 'write' : 'read';
}
