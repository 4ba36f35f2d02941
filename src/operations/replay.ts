import type { EntityManager } from '@mikro-orm/postgresql';
import { type ErrorDetail, ServiceError } from '../errors.js';

/** The response to a request with an `Idempotency-Key`, stored to be replayed. */
export interface StoredResponse {
  /** SHA-256 of the request body. */
  bodyHash: Buffer;
  status: number;
  etag: string | null;
  /** The JSON body; null if it contained a secret, which is never stored. */
  body: string | null;
  /** A description of the resource whose secret was shown once; null if there is a body. */
  shownOnce: string | null;
  /** The developer whose quota it counts against; null if it counts against none. */
  developerId: string | null;
}

/** Identifies a request with an `Idempotency-Key`, and its body. */
export interface ReplayKey {
  readonly id: Buffer;
  /** SHA-256 of the request body. */
  readonly bodyHash: Buffer;
}

/** The result of a mutation that was run, or the response of an earlier request with the same key. */
export type ResultOrStored<O> = { readonly result: O } | { readonly stored: StoredResponse };

/** Stores the responses of a mutation, so that a repeated request gets the first response and changes nothing. */
export interface ReplayStore<O, A> {
  /** Problems of the Idempotency-Key, reported together with those of the input. */
  readonly problems: readonly ErrorDetail[];
  /** Returns the developer whose quota of stored responses is charged; null where there is none. */
  developerOf(caller: unknown): string | null;
  /** Returns the stored response of an earlier call; null where there is none. */
  find(em: EntityManager, caller: unknown): Promise<A | null>;
  /** Runs the mutation and stores the response in the same transaction, or returns one that was stored meanwhile. */
  runOnce(em: EntityManager, caller: unknown, run: () => Promise<O>): Promise<A>;
  /** Runs a mutation that stores its response itself. */
  runShared(caller: unknown, run: (key: ReplayKey) => Promise<ResultOrStored<O>>): Promise<A>;
}

/** Returns the error for an Idempotency-Key that cannot be used. */
export const keyConflict = (code: string, message: string) =>
  new ServiceError('IDEMPOTENCY_CONFLICT', message, [{ field: 'Idempotency-Key', code, message }]);

/** Returns the error for a request whose Idempotency-Key another request is using right now. */
export const keyInProgress = () =>
  keyConflict('in_progress', 'A request with this Idempotency-Key is still running. Send it again later.');
