import { hash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Caller } from '../auth/caller.js';
import type { ErrorDetail } from '../errors.js';
import type { AnyOperation } from './operation.js';
import {
  keyConflict,
  keyInProgress,
  type ReplayKey,
  type ReplayStore,
  type ResultOrStored,
  type StoredResponse,
} from './replay.js';
import { findStoredResponse, lockStoredResponse, storeResponse } from './stored-responses.js';

/** Printable ASCII, which every log and proxy can handle. */
const wellFormed = /^[\x20-\x7e]{1,255}$/;

/** A request with an `Idempotency-Key`. */
export interface KeyedRequest {
  readonly key: string;
  /** The client's address: public operations have no other caller. */
  readonly address: string;
  /** A request with the same key and another content is a conflict. */
  readonly content: string | Buffer;
}

/** Stores the successful result of a mutation with an Idempotency-Key for a day, by caller, kind of request and key (D35). */
export abstract class Idempotency<A> implements ReplayStore<unknown, A> {
  readonly problems: readonly ErrorDetail[];
  private readonly bodyHash: Buffer;

  constructor(
    protected readonly operation: AnyOperation,
    private readonly request: KeyedRequest,
    /** Requests of another kind have other keys. */
    private readonly kind: readonly unknown[],
  ) {
    this.problems = wellFormed.test(request.key)
      ? []
      : [
          {
            field: 'Idempotency-Key',
            code: 'invalid_header',
            message: 'The header Idempotency-Key must have 1 to 255 printable ASCII characters.',
          },
        ];
    this.bodyHash = sha256(request.content);
  }

  /** Returns the response to a result, and the part of it that is stored; `body` is not stored if it contains a secret. */
  protected abstract responseTo(
    result: unknown,
  ): Pick<StoredResponse, 'status' | 'etag' | 'body'> & { response: A };

  /** Returns the response that was stored. Without an EntityManager, the operation stores its responses itself. */
  protected abstract replay(stored: StoredResponse, em: EntityManager | null): Promise<A>;

  async find(em: EntityManager, caller: unknown): Promise<A | null> {
    const { rows } = await findStoredResponse(this.idFor(caller)).execute(em.getKysely());
    return rows[0] ? this.replay(this.checked(rows[0]), em) : null;
  }

  /** Of concurrent requests one gets the lock. It is held until after the commit, so the next one finds the stored result. */
  async runOnce(em: EntityManager, caller: unknown, run: () => Promise<unknown>): Promise<A> {
    const id = this.idFor(caller);
    const { rows } = await lockStoredResponse(id).execute(em.getKysely());
    if (!rows[0]?.held) throw keyInProgress();
    const stored = await this.find(em, caller);
    if (stored !== null) return stored;
    const result = await run();
    const { response, ...kept } = this.responseTo(result);
    const { shownOnce } = this.operation;
    await storeResponse(id, {
      ...kept,
      ...(shownOnce ? { body: null, shownOnce: shownOnce(result) } : { shownOnce: null }),
      bodyHash: this.bodyHash,
      developerId: this.developerOf(caller),
    }).execute(em.getKysely());
    return response;
  }

  async runShared(caller: unknown, run: (key: ReplayKey) => Promise<ResultOrStored<unknown>>): Promise<A> {
    const outcome = await run({ id: this.idFor(caller), bodyHash: this.bodyHash });
    return 'stored' in outcome
      ? this.replay(this.checked(outcome.stored), null)
      : this.responseTo(outcome.result).response;
  }

  developerOf(caller: unknown): string | null {
    const known = caller as Caller | null;
    return this.operation.policy.kind === 'developer' ? (known?.developer?.id ?? null) : null;
  }

  /** Rejects a stored response to another request, and one that contained a secret. */
  private checked(stored: StoredResponse): StoredResponse {
    if (!this.bodyHash.equals(stored.bodyHash))
      throw keyConflict(
        'other_body',
        'This Idempotency-Key was used here with another body within the last 24 hours. Use a new key for a new request.',
      );
    if (stored.shownOnce !== null)
      throw keyConflict(
        'shown_once',
        `This request was handled before, and created ${stored.shownOnce}. Its value was shown once and is not stored: if you do not have it, revoke it and send the request with a new Idempotency-Key.`,
      );
    return stored;
  }

  /** All API keys of a developer share their Idempotency-Keys. */
  private idFor(caller: unknown): Buffer {
    const { key, address } = this.request;
    const who = callerName(this.operation.policy.kind, caller as Caller | null) ?? `address ${address}`;
    return sha256(JSON.stringify([who, ...this.kind, key]));
  }
}

/** Returns whom a stored result belongs to; null for public operations. For registration it is the account. */
function callerName(kind: AnyOperation['policy']['kind'], caller: Caller | null): string | null {
  if (kind === 'anyone' || !caller) return null;
  if (caller.developer && kind === 'developer') return `developer ${caller.developer.id}`;
  return caller.kind === 'account' ? `account ${caller.accountUserId}` : `key ${caller.keyId}`;
}

const sha256 = (data: string | Buffer) => hash('sha256', data, 'buffer');
