import { ServiceError } from '../errors.js';
import type { AccountCaller, Caller, DeveloperCaller, DeveloperIdentity } from './caller.js';
import { DeveloperStatus } from './developer-status.js';
import type { Scope } from './scope.js';

export type Door = 'rest' | 'graphql';

/** The kind of thing that the `id` of an administrator's operation names, where it may be the administrator's own. */
export type OwnSubject = 'developer' | 'app' | 'version' | 'submission' | 'rating';

/** How an administrator's operation treats what is the administrator's own (D104): refused, or allowed for a reason. */
export type OwnRule = { readonly notForOneself: OwnSubject } | { readonly ownAllowed: string };

interface PolicyData {
  readonly kind: 'anyone' | 'account' | 'developer' | 'admin';
  /** The scope a key needs; null: any key will do. */
  readonly scope: Scope | null;
  readonly mustBeVerified: boolean;
  /** GraphQL takes the developer's account token everywhere; REST only where SPEC shows it. */
  readonly accountTokenOverRest: boolean;
  readonly suspendedMayAsk: boolean;
  /** Every policy that admits administrators has one. */
  readonly own: OwnRule | null;
}

/** Who may run an operation, as data, and as the check that follows from it. */
export interface Policy<C = unknown> extends PolicyData {
  /** Lets the caller pass, or says why not. */
  admit(caller: Caller | null, door: Door): C;
}

const defaults: PolicyData = {
  kind: 'anyone',
  scope: null,
  mustBeVerified: false,
  accountTokenOverRest: false,
  suspendedMayAsk: false,
  own: null,
};

/** Public: a credential is not even looked at. */
export const anyone: Policy<null> = { ...defaults, admit: () => null };

/** Anyone signed in at the host platform, registered or not. */
export const account: Policy<AccountCaller> = {
  ...defaults,
  kind: 'account',
  accountTokenOverRest: true,
  admit: (caller) => {
    if (caller?.kind !== 'account')
      throw unauthenticated("an account token of the host platform's identity provider");
    return caller;
  },
};

/** A developer: by API key, and in GraphQL also by their account token, which holds every scope. */
export function developer(
  scope: Scope | null,
  options: Partial<Pick<PolicyData, 'mustBeVerified' | 'accountTokenOverRest' | 'suspendedMayAsk'>> = {},
): Policy<DeveloperCaller> {
  const policy: PolicyData = { ...defaults, ...options, kind: 'developer', scope };
  return { ...policy, admit: (caller, door) => admitDeveloper(policy, caller, door) };
}

/** An administrator, by the role in their account token. Each operation says what it means for the administrator's own (D104). */
export const admin = (own: OwnRule): Policy<AccountCaller> => ({
  ...defaults,
  kind: 'admin',
  own,
  admit: (caller) => {
    if (!caller) throw unauthenticated("an administrator's account token");
    if (caller.kind !== 'account' || !caller.isAdmin) {
      throw new ServiceError(
        'FORBIDDEN',
        'Only administrators may do this. Sign in with an account that has the administrator role.',
      );
    }
    return caller;
  },
});

/** A developer as above, or any administrator: what both sides of a review may do. */
export function developerOrAdmin(scope: Scope, own: OwnRule): Policy<Caller> {
  const policy: PolicyData = { ...defaults, kind: 'developer', scope, own };
  return {
    ...policy,
    admit: (caller, door) =>
      caller?.kind === 'account' && caller.isAdmin ? caller : admitDeveloper(policy, caller, door),
  };
}

/** Refuses an administrator who would act on what is their own: `accounts` are those whom it belongs to (D104). */
export function requireForeign(
  { own }: Pick<Policy, 'own'>,
  caller: Caller | null,
  accounts: readonly string[],
): void {
  if (!own || !('notForOneself' in own) || caller?.kind !== 'account') return;
  if (!accounts.includes(caller.accountUserId)) return;
  throw new ServiceError('FORBIDDEN', `${ownNames[own.notForOneself]}: another administrator must do this.`);
}

const ownNames: Record<OwnSubject, string> = {
  developer: 'This developer account is your own',
  app: 'This app is your own',
  version: 'This app is your own',
  submission: 'This app is your own',
  rating: 'This rating is of your own app, or you wrote it',
};

function admitDeveloper(policy: PolicyData, caller: Caller | null, door: Door): DeveloperCaller {
  const takesAccounts = door === 'graphql' || policy.accountTokenOverRest;
  if (!caller || (caller.kind === 'account' && !takesAccounts)) {
    throw caller
      ? new ServiceError(
          'UNAUTHENTICATED',
          'This takes an API key, and you sent an account token. Create a key with it: POST /api/dev/api-keys.',
        )
      : unauthenticated(takesAccounts ? 'an API key or an account token' : 'an API key');
  }
  const { developer } = caller;
  if (!developer) {
    throw new ServiceError(
      'DEVELOPER_NOT_REGISTERED',
      'This account has not registered as a developer. Call registerDeveloper (POST /api/dev/register) first.',
    );
  }
  if (!(policy.suspendedMayAsk && caller.kind === 'account')) requireNotSuspended(developer);
  if (caller.kind === 'key' && policy.scope && !caller.scopes.has(policy.scope)) {
    throw insufficientScope([policy.scope], caller.scopes);
  }
  if (policy.mustBeVerified && developer.status !== DeveloperStatus.VERIFIED) throw notVerified();
  return { ...caller, developer };
}

/** Refuses what a suspended developer does in that capacity. */
export function requireNotSuspended({ status }: DeveloperIdentity): void {
  if (status !== DeveloperStatus.SUSPENDED) return;
  throw new ServiceError(
    'DEVELOPER_SUSPENDED',
    'This developer account is suspended, and its keys do not work. Contact support.',
  );
}

export const keyRevoked = (at: Date) =>
  new ServiceError('API_KEY_REVOKED', `This API key was revoked on ${at.toISOString()}. Create a new one.`);

export const notVerified = () =>
  new ServiceError(
    'DEVELOPER_NOT_VERIFIED',
    'An administrator must verify this developer account first, usually within 24 hours. You are told by e-mail.',
  );

/** Names the scopes needed and those held. */
export const insufficientScope = (needed: Iterable<Scope>, held: Iterable<Scope>) =>
  new ServiceError(
    'INSUFFICIENT_SCOPE',
    `This needs a key with the scope ${[...needed].join(', ')}; yours holds ${[...held].join(', ')}. Create a key that has it.`,
  );

const unauthenticated = (needed: string) =>
  new ServiceError('UNAUTHENTICATED', `This needs ${needed}, sent as "Authorization: Bearer …".`);
