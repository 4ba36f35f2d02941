import { createHash } from 'node:crypto';
import type { DeveloperStatus } from './developer-status.js';
import type { Scope } from './scope.js';

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

const plainId = /^[A-Za-z0-9._|:-]{1,64}$/;

/** Who it is, for the log: an account's id may be an e-mail address, and is then hashed. */
export function callerId(caller: Caller): string {
  if (caller.kind === 'key') return `key:${caller.keyId}`;
  const { accountUserId } = caller;
  return `account:${plainId.test(accountUserId) ? accountUserId : createHash('sha256').update(accountUserId).digest('hex').slice(0, 16)}`;
}
