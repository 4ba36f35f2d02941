import type { ExecutionResult } from 'graphql';
import type { RequestContext } from '../server/request-context.js';

/** How an operation ended that was run without Apollo: its result, or the error that stopped it before. */
export type Outcome = { result: ExecutionResult } | { failure: unknown } | { refusal: unknown };

const outcomes = new WeakMap<RequestContext, Outcome>();

/** Hands an outcome to Apollo, which formats its errors and runs nothing again. */
export const noteOutcome = (request: RequestContext, outcome: Outcome): void =>
  void outcomes.set(request, outcome);

/** Returns how the operation of a request has ended; undefined if it has not been run. */
export const earlierOutcome = (request: RequestContext): Outcome | undefined => outcomes.get(request);
