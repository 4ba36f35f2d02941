import { hash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Caller } from '../auth/caller.js';
import { type ErrorDetail, ServiceError } from '../errors.js';
import type { AnyOperation } from './operation.js';

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
export type ReplayKey = { readonly id: Buffer } & Readonly<Pick<StoredResponse, 'bodyHash'>>;

/** The result of a mutation that was run, or the response of an earlier request with the same key. */
export type ResultOrStored<O> = { readonly result: O } | { readonly stored: StoredResponse };

/** Printable ASCII, which every log and proxy can handle. */
const wellFormed = /^[\x20-\x7e]{1,255}$/;

interface KeyedRequest {
  /** The value of the header `Idempotency-Key`. */
  readonly key: string;
  /** The client's address: public operations have no other caller. */
  readonly address: string;
  /** A request with the same key and another content is a conflict. */
  readonly content: string | Buffer;
}

/** Stores the successful result of a mutation with an Idempotency-Key for a day, by caller, kind of request and key (D35). */
export abstract class Idempotency<A> {
  /** Problems of the key, reported together with those of the input. */
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

  /** Returns the response to an earlier request with the key; null if there is none. */
  async find(em: EntityManager, caller: Caller | null): Promise<A | null> {
    const { rows } = await findStoredResponse(this.idFor(caller)).execute(em.getKysely());
    return rows[0] ? this.replay(this.checked(rows[0]), em) : null;
  }

  /**
   * Runs the mutation and stores the response in its transaction. Of concurrent requests one gets the lock. It is held until
   * after the commit, so the next one finds the stored result.
   */
  async runOnce(em: EntityManager, caller: Caller | null, run: () => Promise<unknown>): Promise<A> {
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

  /** Runs a mutation that stores its response itself. */
  async runShared(
    caller: Caller | null,
    run: (key: ReplayKey) => Promise<ResultOrStored<unknown>>,
  ): Promise<A> {
    const outcome = await run({ id: this.idFor(caller), bodyHash: this.bodyHash });
    return 'stored' in outcome
      ? this.replay(this.checked(outcome.stored), null)
      : this.responseTo(outcome.result).response;
  }

  /** Returns the developer whose quota of stored responses is charged; null where there is none. */
  developerOf(caller: Caller | null): string | null {
    return this.operation.policy.kind === 'developer' ? (caller?.developer?.id ?? null) : null;
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
  private idFor(caller: Caller | null): Buffer {
    const { key, address } = this.request;
    const who = callerName(this.operation.policy.kind, caller) ?? `address ${address}`;
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

/** Returns the error for an Idempotency-Key that cannot be used. */
export const keyConflict = (code: string, message: string) =>
  new ServiceError('IDEMPOTENCY_CONFLICT', message, [{ field: 'Idempotency-Key', code, message }]);

/** Returns the error for a request whose Idempotency-Key another request is using right now. */
export const keyInProgress = () =>
  keyConflict('in_progress', 'A request with this Idempotency-Key is still running. Send it again later.');

/** Time for which a response is stored, as an interval of PostgreSQL. */
export const storedResponseLifetime = "interval '24 hours'";
const lifetime = sql.raw(storedResponseLifetime);

/** Finds the response stored under an id, unless it has expired. */
const findStoredResponse = (id: Buffer) => sql<StoredResponse>`
  select body_hash as "bodyHash", status, etag, body, shown_once as "shownOnce", developer_id as "developerId"
  from stored_responses where id = ${id} and created_at > now() - ${lifetime}`;

/** Locks an id until the transaction ends; `held` is false if another request holds the lock. */
const lockStoredResponse = (id: Buffer) =>
  sql<{ held: boolean }>`select pg_try_advisory_xact_lock(${id.readBigInt64BE()}) as held`;

/** Stores a response; replaces one that has expired but is not removed yet. */
const storeResponse = (
  id: Buffer,
  { bodyHash, status, etag, body, shownOnce, developerId }: StoredResponse,
) => sql`
  insert into stored_responses (id, body_hash, status, etag, body, shown_once, developer_id, created_at)
  values (${id}, ${bodyHash}, ${status}, ${etag}, ${body}, ${shownOnce}, ${developerId}, now())
  on conflict (id) do update set body_hash = excluded.body_hash, status = excluded.status, etag = excluded.etag,
    body = excluded.body, shown_once = excluded.shown_once, created_at = excluded.created_at
  where stored_responses.created_at <= now() - ${lifetime}`;
