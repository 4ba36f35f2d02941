import { createHash } from 'node:crypto';
import type { DeveloperStatus } from './developer-status.js';
import type { Scope } from './scope.js';

/** The developer that a caller acts for. */
export interface DeveloperIdentity {
  readonly id: string;
  readonly status: DeveloperStatus;
}

/** A caller with a developer's API key. */
export interface KeyCaller {
  readonly kind: 'key';
  readonly keyId: string;
  readonly scopes: ReadonlySet<Scope>;
  readonly expiresAt: Date;
  readonly developer: DeveloperIdentity;
  /** The pipeline that holds the key, and the only app that it works for; null for a key of a person. */
  readonly pipeline: { readonly publisherId: string; readonly appId: string } | null;
}

/** A caller with a key that a pipeline got for its identity. */
export type PipelineCaller = KeyCaller & { readonly pipeline: NonNullable<KeyCaller['pipeline']> };

/** A caller with an account token of the host platform; `developer` is null until the account registers. */
export interface AccountCaller {
  readonly kind: 'account';
  readonly accountUserId: string;
  readonly isAdmin: boolean;
  /** The `email` claim of the token; null if it has none. */
  readonly email: string | null;
  /** True if the token says that the provider has verified the address. */
  readonly emailProven?: boolean;
  /** The `name` claim of the token; null if it has none. */
  readonly name: string | null;
  /** Expiry of the token; absent for an account that has not sent one, as in the demo data. */
  readonly expiresAt?: Date;
  readonly developer: DeveloperIdentity | null;
}

export type Caller = KeyCaller | AccountCaller;

/** A caller that acts for a developer, with an API key or an account token. */
export type DeveloperCaller = KeyCaller | (AccountCaller & { readonly developer: DeveloperIdentity });

const plainId = /^[A-Za-z0-9._|:-]{1,64}$/;

/** Returns the caller's id for the log. An account id that may be an e-mail address is hashed. */
export function callerId(caller: Caller): string {
  if (caller.kind === 'key') return `key:${caller.keyId}`;
  const { accountUserId } = caller;
  return `account:${plainId.test(accountUserId) ? accountUserId : createHash('sha256').update(accountUserId).digest('hex').slice(0, 16)}`;
}

/** Returns true for an administrator's token, which the state of a developer account does not affect. */
export const isActingAsAdmin = (caller: Caller): boolean => caller.kind === 'account' && caller.isAdmin;
