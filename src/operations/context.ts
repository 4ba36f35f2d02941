import type { EntityManager } from '@mikro-orm/postgresql';
import type { Authenticator } from '../auth/authenticate.js';
import { type Caller, callerId } from '../auth/caller.js';
import type { Door } from '../auth/policy.js';
import type { CatalogVersion } from '../cache/catalog-version.js';
import type { RateLimits } from '../limits/rate-limits.js';
import type { RequestContext } from '../server/request-context.js';
import type { Loaders, Services } from '../services.js';
import type { EventStream } from './event-stream.js';
import type { Idempotency } from './idempotency.js';
import { limitClassOf } from './limit-class.js';
import type { AnyOperation } from './operation.js';
import type { RawInput } from './parse-input.js';
import type { WriteQueue } from './write-queue.js';

/**
 * The server that an operation reads: the primary, or a replica that has everything of the current version of the catalog
 * or everything that was committed before.
 */
export type ReadRoute = 'primary' | 'catalog' | 'report';

/** The parts of the running service that operations use. */
export interface Runtime {
  fork(): EntityManager;
  services(em: EntityManager, route?: ReadRoute): Services;
  /** Returns the services of an operation that only reads, created as far as it uses them. */
  readServices(route: ReadRoute): Services;
  createLoaders(): Loaders;
  /** For operations that manage their own transactions: bound to no EntityManager, and shared by all requests. */
  sharedServices: Services;
  authenticator: Authenticator;
  limits: RateLimits;
  catalog: CatalogVersion;
  writes: WriteQueue;
}

/** The sources of loaders. */
export type LoaderSource = Pick<Runtime, 'fork' | 'services'>;

/** The request on whose behalf operations run. They cannot reach its response. */
export type CallerRequest = Omit<RequestContext, 'request' | 'response'>;

/** The context of the operations of one request: the caller, the API, and the loaders. */
export class Context {
  /** True once anything has looked up the caller: only then can the result depend on who it is. */
  wasCallerAsked = false;
  /** Set after execution: whether the response is the same for everyone, and whether this process may cache it. An object, since Apollo copies the context. */
  readonly caching = { isPublic: false, isAllowed: false };
  /** Makes the store of responses of a mutation that is sent with an Idempotency-Key; null without one, and for REST, which has its own. */
  replays: ((operation: AnyOperation, input: RawInput) => Idempotency<unknown>) | null = null;
  /** The names of all fields in a GraphQL document; null for REST, which sends every field. */
  selectedNames: ReadonlySet<string> | null = null;
  private knownLoaders: Loaders | null = null;
  private knownCaller: Promise<Caller | null> | null = null;

  constructor(
    private readonly runtime: Runtime,
    readonly door: Door,
    private readonly bearer: string | null,
    private readonly request: CallerRequest,
    /** The stream of a subscription; null for all other requests. */
    readonly stream: EventStream | null = null,
  ) {}

  /** Created at first use: REST needs none. */
  get loaders(): Loaders {
    this.knownLoaders ??= this.runtime.createLoaders();
    return this.knownLoaders;
  }

  fork(): EntityManager {
    return this.runtime.fork();
  }

  services(em: EntityManager): Services {
    return this.runtime.services(em);
  }

  readServices(route: ReadRoute): Services {
    return this.runtime.readServices(route);
  }

  get sharedServices(): Services {
    return this.runtime.sharedServices;
  }

  get writes(): WriteQueue {
    return this.runtime.writes;
  }

  get catalog(): CatalogVersion {
    return this.runtime.catalog;
  }

  /** Authenticates at first use, so that public operations never verify a credential. */
  caller(): Promise<Caller | null> {
    this.wasCallerAsked = true;
    this.knownCaller ??= this.bearer === null ? Promise.resolve(null) : this.authenticate(this.bearer);
    return this.knownCaller;
  }

  /** Returns whether the response may show one of these fields. */
  selectsAny(fields: readonly string[]): boolean {
    const { selectedNames } = this;
    return selectedNames === null || fields.some((field) => selectedNames.has(field));
  }

  /** True if the caller is an administrator, for fields that only administrators see. */
  async isAdministrator(): Promise<boolean> {
    const caller = await this.caller();
    return caller?.kind === 'account' && caller.isAdmin;
  }

  /** Charges a call to its caller. */
  async charge(operation: AnyOperation, caller: Caller | null): Promise<void> {
    const { limits } = this.runtime;
    limits.requireDatabaseTime(this.request);
    // GraphQL reads are charged by the document's cost; mutations by their number as well.
    if (this.door === 'graphql' && operation.kind !== 'mutation') return;
    if (caller) await limits.chargeCaller(this.request, limitClassOf(operation), caller);
    // REST has charged the address before it read the body.
    else if (operation.policy.kind === 'anyone' && this.door === 'graphql')
      await limits.chargeAddress(this.request, limitClassOf(operation));
  }

  /** Charges the address for the object that a call names. */
  async chargePer(
    { limit, field }: NonNullable<AnyOperation['limitPer']>,
    input: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    await this.runtime.limits.chargeAddressFor(this.request, limit, String(input[field]));
  }

  /** Charges the cost of a GraphQL document to the caller, or to the address where all its fields are public. */
  async chargeCost(cost: number, isPublic: boolean): Promise<void> {
    const { limits } = this.runtime;
    this.request.cost = cost;
    // A rejected credential is reported by the operation.
    const caller = isPublic ? null : await this.caller().catch(() => null);
    limits.requireDatabaseTime(this.request);
    if (caller) await limits.chargeCaller(this.request, 'graphql', caller, cost);
    else await limits.chargeAddress(this.request, 'graphql', cost);
  }

  /** To be called after a mutation, since it may have registered, suspended or revoked the caller. */
  forgetCaller(): void {
    this.knownCaller = null;
    for (const loader of Object.values(this.knownLoaders ?? {})) loader.clearAll();
  }

  /** Prepares the next event of a subscription: the credential and the data are read anew. */
  renew(): void {
    this.forgetCaller();
    this.request.charges.length = 0;
  }

  /** Charges an event of a subscription with the cost of its document. */
  chargeEvent(isPublic: boolean): Promise<void> {
    return this.chargeCost(this.request.cost, isPublic);
  }

  private async authenticate(bearer: string): Promise<Caller> {
    const { authenticator, limits } = this.runtime;
    limits.rejectBlockedAddress(this.request, bearer);
    try {
      const caller = await authenticator.authenticate(bearer);
      limits.noteAccepted(this.request, bearer, caller);
      this.request.caller = callerId(caller);
      this.request.developer = caller.developer?.id ?? null;
      if (caller.kind === 'key') this.request.keyExpiresAt = caller.expiresAt;
      return caller;
    } catch (error) {
      await limits.chargeFailure(this.request, bearer, error);
      throw error;
    }
  }
}
