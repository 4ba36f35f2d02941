import { LRUCache } from 'lru-cache';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { isWellFormedApiKey } from '../auth/api-key-token.js';
import { type Caller, callerId } from '../auth/caller.js';
import type { LimitClass } from '../config/formats.js';
import type { Config } from '../config.js';
import { openPool } from '../db/pool.js';
import { isOurFault, ServiceError } from '../errors.js';
import { AcceptedCredentials } from './accepted-credentials.js';
import { addressGroup } from './address-group.js';
import { type Charge, type ChargedRequest, rateLimited } from './charge.js';
import { DatabaseTime } from './database-time.js';
import { Limiter } from './limiter.js';
import type { TakePoints } from './point-counts.js';

/** Always counted on this machine, so that cached responses need no database. */
const countedInProcess: readonly LimitClass[] = ['public', 'address', 'pages'];
/** Points of a guessed credential. A mistyped key, which is rejected without a query, has one. */
const pointsPerGuess = 10;

interface RateLimitOptions {
  /** Null: counted in memory only. */
  databaseUrl: string | null;
  max?: number;
  pooled?: boolean;
  log: Logger;
  /** Set if several processes of this gateway count together. */
  takePoints?: TakePoints | null;
}

/** Counts requests against the rate limits (D34) and rejects those beyond them. */
export class RateLimits {
  private readonly limiters = new Map<LimitClass, { inProcess: Limiter; shared: Limiter }>();
  /** Addresses that sent too many bad credentials, with the time until which they are blocked. */
  private readonly blocked = new LRUCache<string, number>({ max: 10_000 });
  private readonly accepted = new AcceptedCredentials();
  private readonly pool: Pool | null;
  private readonly databaseTime: DatabaseTime | null;
  /** Milliseconds of database time, by the kind of the payer. */
  readonly databaseMs = { address: 0, developer: 0 };

  constructor(
    private readonly quotas: Config['rateLimits'],
    { databaseUrl, max = 2, pooled = false, log, takePoints = null }: RateLimitOptions,
  ) {
    // A pool of its own, so that counting never waits for the connections of others.
    this.pool =
      quotas && databaseUrl !== null
        ? openPool({ url: databaseUrl, purpose: 'limits', pooled, max, log })
        : null;
    for (const [limit, points] of Object.entries(quotas ?? {}) as [LimitClass, number][]) {
      const together = limit === 'database' ? Limiter.reported : Limiter.leased;
      const inProcess = takePoints ? together(limit, points, takePoints) : Limiter.inMemory(limit, points);
      const isShared = this.pool && !countedInProcess.includes(limit);
      const shared = isShared ? Limiter.inPostgres(limit, points, this.pool!) : inProcess;
      this.limiters.set(limit, { inProcess, shared });
    }
    const limiter = this.limiters.get('database')?.shared;
    this.databaseTime =
      quotas && limiter
        ? new DatabaseTime(quotas.database, async (subject, ms) => limiter.charge(subject, ms))
        : null;
  }

  get areEnabled(): boolean {
    return this.quotas !== null;
  }

  /** Charges the client's address; returns null if it did so synchronously. Throws RATE_LIMITED when the limit is exceeded. */
  chargeAddress(request: ChargedRequest, limit: LimitClass, points = 1): Promise<void> | null {
    const limiters = this.limiters.get(limit);
    if (!limiters) return null;
    // Public GraphQL reads are counted in each process, like REST's.
    const limiter = limit === 'graphql' ? limiters.inProcess : limiters.shared;
    const charge = limiter.charge(addressGroup(request.address), points);
    if (charge instanceof Promise) return charge.then((known) => admit(request, known, 'this address'));
    admit(request, charge, 'this address');
    return null;
  }

  /** Charges the client's address for one app. Throws RATE_LIMITED when the limit is exceeded. */
  async chargeAddressFor(request: ChargedRequest, limit: LimitClass, what: string): Promise<void> {
    const limiter = this.limiters.get(limit)?.shared;
    if (!limiter) return;
    admit(
      request,
      await limiter.charge(`${addressGroup(request.address)} ${what}`, 1),
      'this app and address',
    );
  }

  /** Charges the authenticated caller. Throws RATE_LIMITED when the limit is exceeded. */
  async chargeCaller(request: ChargedRequest, limit: LimitClass, caller: Caller, points = 1): Promise<void> {
    const limiter = this.limiters.get(limit)?.shared;
    if (!limiter) return;
    const charge = await limiter.charge(limitSubject(caller), points);
    admit(request, charge, caller.developer ? 'this developer' : 'this account');
  }

  /** Charges the time of a statement, after it, to the developer, or to the address where there is none (D321). */
  chargeDatabaseTime({ address, developer }: ChargedRequest, ms: number): void {
    if (ms > 0) this.databaseMs[developer ? 'developer' : 'address'] += ms;
    this.databaseTime?.charge(timeSubject(address, developer), ms);
  }

  /** Throws RATE_LIMITED if the database time of the developer, or of the address where there is none, is used up. */
  requireDatabaseTime({ address, developer, charges }: ChargedRequest): void {
    const state = this.databaseTime?.stateOf(timeSubject(address, developer));
    if (!state) return;
    // Most callers need little of it, and their responses do not mention it.
    if (state.remaining < state.quota / 2) charges.push(state);
    if (state.isExceeded) throw rateLimited(state, developer ? 'this developer' : 'this address');
  }

  /** Rejects every credential from a blocked address before it is verified, except those accepted from there lately. */
  rejectBlockedAddress({ address }: ChargedRequest, bearer: string): void {
    const group = addressGroup(address);
    const resetSeconds = Math.ceil(((this.blocked.get(group) ?? 0) - performance.now()) / 1000);
    if (resetSeconds <= 0 || this.accepted.has(group, bearer)) return;
    const quota = this.quotas?.failures ?? 0;
    throw rateLimited({ limit: 'failures', quota, resetSeconds }, 'bad credentials from this address');
  }

  /** Records that a credential was accepted from this address. */
  noteAccepted({ address }: ChargedRequest, bearer: string, caller: Caller): void {
    if (this.areEnabled) this.accepted.add(addressGroup(address), bearer, limitSubject(caller));
  }

  /** Charges the address for a rejected credential, and blocks it when the limit is exceeded. */
  async chargeFailure({ address }: ChargedRequest, bearer: string, error: unknown): Promise<void> {
    const limiters = this.limiters.get('failures');
    if (!limiters || !(error instanceof ServiceError) || isOurFault(error.code)) return;
    const isGuess =
      error.code === 'INVALID_API_KEY' ? isWellFormedApiKey(bearer) : error.code === 'INVALID_TOKEN';
    const group = addressGroup(address);
    const charge = await limiters.shared.charge(group, isGuess ? pointsPerGuess : 1);
    if (charge.isExceeded || charge.remaining === 0)
      this.blocked.set(group, performance.now() + charge.resetSeconds * 1000);
  }

  async close(): Promise<void> {
    await this.pool?.end();
  }
}

function admit({ charges }: ChargedRequest, charge: Charge, subject: string): void {
  charges.push(charge);
  if (charge.isExceeded) throw rateLimited(charge, subject);
}

const timeSubject = (address: string, developer: string | null) =>
  developer ? developerSubject(developer) : addressGroup(address);

const developerSubject = (id: string) => `developer:${id}`;

/** All keys of a developer and their account's token are counted together, so that more keys do not mean a higher limit. */
export const limitSubject = (caller: Caller) =>
  caller.developer ? developerSubject(caller.developer.id) : callerId(caller);
