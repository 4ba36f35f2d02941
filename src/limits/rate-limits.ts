import { LRUCache } from 'lru-cache';
import { Pool } from 'pg';
import type { Logger } from 'pino';
import { isWellFormedApiKey } from '../auth/api-key-token.js';
import { type Caller, callerId } from '../auth/caller.js';
import type { Door } from '../auth/policy.js';
import type { Config, LimitClass } from '../config.js';
import { isOurFault, ServiceError } from '../errors.js';
import type { AnyOperation } from '../operations/operation.js';
import { addressGroup } from '../server/client-address.js';
import type { Exchange } from '../server/request-context.js';
import { AcceptedCredentials } from './accepted-credentials.js';
import { type Charged, Limiter, windowSeconds } from './limiter.js';

/** Counted in each process, whatever the store: to count them in the database would cost more than to answer. */
const countedHere: readonly LimitClass[] = ['public', 'address', 'pages'];
/** A guess costs more than a typing error, which is refused without a query. */
const pointsOfGuess = 10;

/** Which limit an operation counts against, at either door. */
export function limitOf({ limit, policy, kind }: AnyOperation): LimitClass {
  if (limit) return limit;
  if (policy.kind === 'anyone') return kind === 'query' ? 'public' : 'install';
  return kind === 'query' ? 'read' : 'write';
}

/** Keeps every caller within the limits (D34), says in each answer what is left of them, and refuses what is too much. */
export class RateLimits {
  private readonly limiters = new Map<LimitClass, { own: Limiter; shared: Limiter; policy: string }>();
  /** Addresses from which too many bad credentials came, until when. */
  private readonly guessers = new LRUCache<string, number>({ max: 10_000 });
  private readonly accepted = new AcceptedCredentials();
  private readonly pool: Pool | null;

  constructor(
    private readonly perMinute: Config['rateLimits'],
    store: { databaseUrl: string | null; log: Logger },
  ) {
    this.pool = perMinute && store.databaseUrl !== null ? openPool(store.databaseUrl, store.log) : null;
    for (const [name, points] of Object.entries(perMinute ?? {}) as [LimitClass, number][]) {
      const own = Limiter.inMemory(points);
      const shared =
        this.pool && !countedHere.includes(name) ? Limiter.inPostgres(name, points, this.pool) : own;
      this.limiters.set(name, { own, shared, policy: `"${name}";q=${points};w=${windowSeconds}` });
    }
  }

  get areOn(): boolean {
    return this.perMinute !== null;
  }

  /** Charges the address of a request. */
  async chargeAddress(exchange: Exchange, limit: LimitClass, points = 1): Promise<void> {
    const limiter = this.limiterOfAddresses(limit);
    if (!limiter) return;
    await this.charge(exchange, limit, limiter, addressGroup(exchange.address), 'this address', points);
  }

  /** The same for whoever writes an answer's head without Express: names and values of the headers, or why not. */
  async takeFromAddress(exchange: Exchange, limit: LimitClass, points = 1): Promise<string[] | ServiceError> {
    const limiter = this.limiterOfAddresses(limit);
    if (!limiter) return [];
    const charged = await limiter.charge(addressGroup(exchange.address), points);
    if (!charged.isRefused)
      return ['ratelimit', leftOf(limit, charged), 'ratelimit-policy', this.limiters.get(limit)!.policy];
    this.announce(exchange, limit, charged);
    return this.refusal(exchange, limit, 'this address', charged.resetSeconds);
  }

  /** Charges whoever called an operation, right after it is known who that is. */
  async chargeCall(
    exchange: Exchange,
    door: Door,
    operation: AnyOperation,
    caller: Caller | null,
  ): Promise<void> {
    // In GraphQL reading is paid for by the cost of the document, and only changes by their number too.
    if (door === 'graphql' && operation.kind === 'query') return;
    if (caller) await this.chargeCaller(exchange, limitOf(operation), caller);
    // REST has charged the address when the request came.
    else if (operation.policy.kind === 'anyone' && door === 'graphql')
      await this.chargeAddress(exchange, limitOf(operation));
  }

  async chargeCaller(exchange: Exchange, limit: LimitClass, caller: Caller, points = 1): Promise<void> {
    const limiter = this.limiters.get(limit)?.shared;
    if (!limiter) return;
    const whose = caller.developer ? 'this developer' : 'this account';
    await this.charge(exchange, limit, limiter, subjectOf(caller), whose, points);
  }

  /** Rejects a credential from an address that guesses before it is verified, unless it was accepted from there lately. */
  refuseGuessers(exchange: Exchange, bearer: string): void {
    const group = addressGroup(exchange.address);
    const seconds = Math.ceil(((this.guessers.get(group) ?? 0) - Date.now()) / 1000);
    if (seconds > 0 && !this.accepted.has(group, bearer))
      throw this.refusal(exchange, 'failures', 'bad credentials from this address', seconds);
  }

  /** Remembers that a credential was accepted from this address. */
  noteAccepted(exchange: Exchange, bearer: string, caller: Caller): void {
    if (this.areOn) this.accepted.add(addressGroup(exchange.address), bearer, subjectOf(caller));
  }

  /** A credential was refused: it is charged to the address, and the refusal stays what it is. */
  async chargeFailure(exchange: Exchange, bearer: string, error: unknown): Promise<void> {
    const limiters = this.limiters.get('failures');
    if (!limiters || !(error instanceof ServiceError) || isOurFault(error.code)) return;
    const isGuess =
      error.code === 'INVALID_API_KEY' ? isWellFormedApiKey(bearer) : error.code === 'INVALID_TOKEN';
    const group = addressGroup(exchange.address);
    const { isRefused, remaining, resetSeconds } = await limiters.shared.charge(
      group,
      isGuess ? pointsOfGuess : 1,
    );
    if (isRefused || remaining === 0) this.guessers.set(group, Date.now() + resetSeconds * 1000);
  }

  async close(): Promise<void> {
    await this.pool?.end();
  }

  /** GraphQL's public reading is counted in each process, as REST's is. */
  private limiterOfAddresses(limit: LimitClass): Limiter | undefined {
    const limiters = this.limiters.get(limit);
    return limit === 'graphql' ? limiters?.own : limiters?.shared;
  }

  private async charge(
    exchange: Exchange,
    limit: LimitClass,
    limiter: Limiter,
    subject: string,
    whose: string,
    points: number,
  ): Promise<void> {
    const charged = await limiter.charge(subject, points);
    this.announce(exchange, limit, charged);
    if (charged.isRefused) throw this.refusal(exchange, limit, whose, charged.resetSeconds);
  }

  /** Where a request is counted against several limits, the headers list them all, each once. */
  private announce({ response }: Exchange, limit: LimitClass, charged: Charged): void {
    if (response.headersSent) return;
    const left = leftOf(limit, charged);
    const policy = this.limiters.get(limit)?.policy ?? '';
    const others = response.getHeader('ratelimit') as string | undefined;
    if (others === undefined) {
      response.setHeader('ratelimit', left);
      response.setHeader('ratelimit-policy', policy);
      return;
    }
    const isOther = (item: string) => !item.startsWith(`"${limit}"`);
    const policies = String(response.getHeader('ratelimit-policy')).split(', ').filter(isOther);
    response.setHeader('ratelimit', [...others.split(', ').filter(isOther), left].join(', '));
    response.setHeader('ratelimit-policy', [...policies, policy].join(', '));
  }

  private refusal({ response }: Exchange, limit: LimitClass, whose: string, seconds: number): ServiceError {
    if (!response.headersSent) response.setHeader('retry-after', String(seconds));
    return new ServiceError(
      'RATE_LIMITED',
      `The limit "${limit}" of ${this.perMinute?.[limit]} per minute for ${whose} is used up. Try again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`,
    );
  }
}

/** All keys of a developer and their account's token count together: fifty keys are not fifty times the limit. */
const subjectOf = (caller: Caller) =>
  caller.developer ? `developer:${caller.developer.id}` : callerId(caller);

const leftOf = (limit: LimitClass, { remaining, resetSeconds }: Charged) =>
  `"${limit}";r=${remaining};t=${resetSeconds}`;

const answersWithinMs = 5_000;

/** A pool of its own: counting never waits for those who work, and gives up when the ORM would. */
function openPool(connectionString: string, log: Logger): Pool {
  const pool = new Pool({
    connectionString,
    max: 2,
    connectionTimeoutMillis: answersWithinMs,
    query_timeout: answersWithinMs,
  });
  pool.on('error', (error) => log.warn({ err: error }, 'the store of the rate limits lost its connection'));
  return pool;
}
