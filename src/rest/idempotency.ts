import { hash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Caller } from '../auth/caller.js';
import type { ErrorDetail } from '../errors.js';
import {
  findStoredResponse,
  lockStoredResponse,
  storeResponse,
} from '../modules/idempotency/stored-response.queries.js';
import type { AnyOperation } from '../operations/operation.js';
import {
  keyConflict,
  keyInProgress,
  type ReplayKey,
  type ReplayStore,
  type ResultOrStored,
  type StoredResponse,
} from '../operations/replay.js';
import type { RestRequest, RestResult } from './rest-request.js';
import type { Route } from './route.js';

/** Printable ASCII, which every log and proxy can handle. */
const wellFormed = /^[\x20-\x7e]{1,255}$/;

/** Stores the successful result of a POST with an Idempotency-Key for a day, by caller, path and key (D35). */
export class Idempotency implements ReplayStore<unknown, RestResult> {
  readonly problems: readonly ErrorDetail[];
  private readonly bodyHash: Buffer;

  constructor(
    private readonly route: Route,
    private readonly request: RestRequest,
    private readonly key: string,
    private readonly resultOf: (result: unknown) => RestResult,
  ) {
    this.problems = wellFormed.test(key)
      ? []
      : [
          {
            field: 'Idempotency-Key',
            code: 'invalid_header',
            message: 'The header Idempotency-Key must have 1 to 255 printable ASCII characters.',
          },
        ];
    this.bodyHash = sha256(request.body ?? '');
  }

  async find(em: EntityManager, caller: unknown): Promise<RestResult | null> {
    const { rows } = await findStoredResponse(this.idFor(caller)).execute(em.getKysely());
    return rows[0] ? this.replay(rows[0]) : null;
  }

  /** Of concurrent requests one gets the lock. It is held until after the commit, so the next one finds the stored result. */
  async runOnce(em: EntityManager, caller: unknown, run: () => Promise<unknown>): Promise<RestResult> {
    const id = this.idFor(caller);
    const { rows } = await lockStoredResponse(id).execute(em.getKysely());
    if (!rows[0]?.held) throw keyInProgress();
    const stored = await this.find(em, caller);
    if (stored) return stored;
    const result = await run();
    const response = this.resultOf(result);
    const { shownOnce }: AnyOperation = this.route.operation;
    const { status, etag } = response;
    const kept = { bodyHash: this.bodyHash, status, etag, developerId: this.developerOf(caller) };
    await storeResponse(
      id,
      shownOnce
        ? { ...kept, body: null, shownOnce: shownOnce(result) }
        : { ...kept, body: response.json, shownOnce: null },
    ).execute(em.getKysely());
    return response;
  }

  async runShared(
    caller: unknown,
    run: (key: ReplayKey) => Promise<ResultOrStored<unknown>>,
  ): Promise<RestResult> {
    const outcome = await run({ id: this.idFor(caller), bodyHash: this.bodyHash });
    return 'stored' in outcome ? this.replay(outcome.stored) : this.resultOf(outcome.result);
  }

  developerOf(caller: unknown): string | null {
    const known = caller as Caller | null;
    return this.route.operation.policy.kind === 'developer' ? (known?.developer?.id ?? null) : null;
  }

  private replay({ bodyHash, status, etag, body, shownOnce }: StoredResponse): RestResult {
    if (!this.bodyHash.equals(bodyHash))
      throw keyConflict(
        'other_body',
        'This Idempotency-Key was used here with another body within the last 24 hours. Use a new key for a new request.',
      );
    if (body === null)
      throw keyConflict(
        'shown_once',
        `This request was handled before, and created ${shownOnce}. Its value was shown once and is not stored: if you do not have it, revoke it and send the request with a new Idempotency-Key.`,
      );
    return { status, etag, json: body, replayed: true };
  }

  /** All API keys of a developer share their Idempotency-Keys. Each path has its own. */
  private idFor(caller: unknown): Buffer {
    const { method, path, pathFields, operation } = this.route;
    const { params, context } = this.request;
    const who = callerName(operation.policy.kind, caller as Caller | null) ?? `address ${context.address}`;
    return sha256(JSON.stringify([who, method, path, pathFields.map((field) => params[field]), this.key]));
  }
}

/** Returns whom a stored result belongs to; null for public operations. For registration it is the account. */
function callerName(kind: AnyOperation['policy']['kind'], caller: Caller | null): string | null {
  if (kind === 'anyone' || !caller) return null;
  if (caller.developer && kind === 'developer') return `developer ${caller.developer.id}`;
  return caller.kind === 'account' ? `account ${caller.accountUserId}` : `key ${caller.keyId}`;
}

const sha256 = (data: string | Buffer) => hash('sha256', data, 'buffer');
