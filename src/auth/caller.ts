import type { Scope } from '../modules/api-keys/api-key.entity.js';
import type { DeveloperStatus } from '../modules/developers/developer.entity.js';

/** What authentication knows of a developer. */
export interface DeveloperIdentity {
  readonly id: string;
  readonly status: DeveloperStatus;
}

/** Someone who holds a developer's API key. */
export interface KeyCaller {
  readonly kind: 'key';
  readonly keyId: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly expiresAt: Date;
  readonly developer: DeveloperIdentity;
}

/** Someone signed in at the host platform; `developer` is null until they register. */
export interface AccountCaller {
  readonly kind: 'account';
  readonly accountUserId: string;
  readonly isAdmin: boolean;
  /** As the token has it. */
  readonly email: string | null;
  readonly developer: DeveloperIdentity | null;
}

export type Caller = KeyCaller | AccountCaller;

/** A caller who acts for a developer, by key or signed in. */
export type DeveloperCaller = KeyCaller | (AccountCaller & { readonly developer: DeveloperIdentity });
