import type { EntityManager } from '@mikro-orm/postgresql';
import type { Authenticator } from './auth/authenticate.js';
import type { Caller } from './auth/caller.js';
import type { Door } from './auth/policy.js';
import type { CatalogVersion } from './cache/catalog-version.js';
import { createLoaders, type Loaders } from './graphql/loaders.js';
import type { Services } from './services.js';

/** What every request needs from the process. */
export interface Runtime {
  fork(): EntityManager;
  services(em: EntityManager): Services;
  authenticator: Authenticator;
  catalog: CatalogVersion;
}

/** One request: who asks, by which door, and what has been loaded for it. */
export class Context {
  readonly loaders: Loaders;
  /** Whether anything has asked who is calling: only then can the answer depend on it. */
  wasCallerAsked = false;
  /** Keeps the answer for those who ask next; set where that is possible. */
  keepAnswer: (() => void) | null = null;
  private knownCaller: Promise<Caller | null> | null = null;

  constructor(
    private readonly runtime: Runtime,
    readonly door: Door,
    private readonly bearer: string | null,
    /** Hears of every caller who was recognised. */
    private readonly onCaller: (caller: Caller) => void = () => undefined,
  ) {
    this.loaders = createLoaders(
      () => runtime.fork(),
      (em) => runtime.services(em),
    );
  }

  fork(): EntityManager {
    return this.runtime.fork();
  }

  services(em: EntityManager): Services {
    return this.runtime.services(em);
  }

  get catalog(): CatalogVersion {
    return this.runtime.catalog;
  }

  /** Looked up when first asked for, so that public operations never look at a credential. */
  caller(): Promise<Caller | null> {
    this.wasCallerAsked = true;
    this.knownCaller ??= this.bearer === null ? Promise.resolve(null) : this.recognise(this.bearer);
    return this.knownCaller;
  }

  private async recognise(bearer: string): Promise<Caller> {
    const caller = await this.runtime.authenticator.authenticate(this.fork(), bearer);
    this.onCaller(caller);
    return caller;
  }

  /** After a mutation the caller may no longer be who they were: registered, suspended, revoked. */
  forgetCaller(): void {
    this.knownCaller = null;
    for (const loader of Object.values(this.loaders)) loader.clearAll();
  }
}
