import type { EntityManager } from '@mikro-orm/postgresql';
import type { Authenticator } from '../auth/authenticate.js';
import { type Caller, callerId } from '../auth/caller.js';
import type { Door } from '../auth/policy.js';
import type { CatalogVersion } from '../cache/catalog-version.js';
import type { RateLimits } from '../limits/rate-limits.js';
import { createLoaders, type Loaders } from '../loaders.js';
import type { Exchange } from '../server/request-context.js';
import type { Services } from '../services.js';
import type { AnyOperation } from './operation.js';

/** What every request needs from the process. */
export interface Runtime {
  fork(): EntityManager;
  services(em: EntityManager): Services;
  /** For what sees to its transactions by itself: bound to none, and so the same for everybody. */
  sharedServices: Services;
  authenticator: Authenticator;
  limits: RateLimits;
  catalog: CatalogVersion;
}

/** One request: who asks, by which door, and what has been loaded for it. */
export class Context {
  /** Whether anything has asked who is calling: only then can the answer depend on it. */
  wasCallerAsked = false;
  /** Keeps the answer for those who ask next; set where that is possible. */
  keepAnswer: (() => void) | null = null;
  private knownLoaders: Loaders | null = null;
  private knownCaller: Promise<Caller | null> | null = null;

  constructor(
    private readonly runtime: Runtime,
    readonly door: Door,
    private readonly bearer: string | null,
    private readonly exchange: Exchange,
    /** Hears of every caller who was recognised. */
    private readonly onCaller: (caller: Caller) => void = () => undefined,
  ) {}

  /** Made when first asked for: REST never does. */
  get loaders(): Loaders {
    this.knownLoaders ??= createLoaders(
      () => this.runtime.fork(),
      (em) => this.runtime.services(em),
    );
    return this.knownLoaders;
  }

  fork(): EntityManager {
    return this.runtime.fork();
  }

  services(em: EntityManager): Services {
    return this.runtime.services(em);
  }

  get sharedServices(): Services {
    return this.runtime.sharedServices;
  }

  get catalog(): CatalogVersion {
    return this.runtime.catalog;
  }

  /** Looked up when first asked for, so that public operations never look at a credential. */
  caller(): Promise<Caller | null> {
    this.wasCallerAsked = true;
    this.knownCaller ??= this.bearer === null ? Promise.resolve(null) : this.authenticated(this.bearer);
    return this.knownCaller;
  }

  /** Counts a call against the limits of whoever makes it. */
  charge(operation: AnyOperation, caller: Caller | null): Promise<void> {
    return this.runtime.limits.chargeCall(this.exchange, this.door, operation, caller);
  }

  /** Counts the cost of a GraphQL document: against the caller, or where it asks for nothing of theirs, the address. */
  async chargeCost(cost: number): Promise<void> {
    const { limits } = this.runtime;
    this.exchange.cost = cost;
    // A credential that is refused is the operation's to report.
    const caller = this.exchange.isPublic ? null : await this.caller().catch(() => null);
    if (caller) await limits.chargeCaller(this.exchange, 'graphql', caller, cost);
    else await limits.chargeAddress(this.exchange, 'graphql', cost);
  }

  /** After a mutation the caller may no longer be who they were: registered, suspended, revoked. */
  forgetCaller(): void {
    this.knownCaller = null;
    for (const loader of Object.values(this.knownLoaders ?? {})) loader.clearAll();
  }

  private async authenticated(bearer: string): Promise<Caller> {
    const { authenticator, limits } = this.runtime;
    limits.refuseGuessers(this.exchange, bearer);
    try {
      const caller = await authenticator.authenticate(bearer);
      limits.noteAccepted(this.exchange, bearer, caller);
      this.exchange.caller = callerId(caller);
      this.onCaller(caller);
      return caller;
    } catch (error) {
      await limits.chargeFailure(this.exchange, bearer, error);
      throw error;
    }
  }
}
