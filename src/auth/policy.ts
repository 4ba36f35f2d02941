import { now } from '../db/clock.js';
import { ServiceError } from '../errors.js';
import type { AccountCaller, Caller, DeveloperCaller, DeveloperIdentity, PipelineCaller } from './caller.js';
import { DeveloperStatus } from './developer-status.js';
import type { Scope } from './scope.js';

export type Door = 'rest' | 'graphql';

/** The kind of resource that the `id` of an administrator's operation names, where it may belong to the administrator. */
export type OwnSubject = 'developer' | 'app' | 'version' | 'submission' | 'rating';

/** Rule for an administrator who acts on a resource of their own (D104): rejected, or allowed for the given reason. */
export type OwnRule = { readonly notForOneself: OwnSubject } | { readonly ownAllowed: string };

interface PolicyData {
  readonly kind: 'anyone' | 'optional' | 'account' | 'developer' | 'admin';
  /** The scope that an API key needs; null: any key is accepted. */
  readonly scope: Scope | null;
  readonly mustBeVerified: boolean;
  /** GraphQL accepts the developer's account token everywhere; REST only where the specification says so. */
  readonly accountTokenOverRest: boolean;
  readonly allowsSuspended: boolean;
  /** True for acts that a person must do: API keys are rejected. */
  readonly accountOnly: boolean;
  /** The scope that a key of a pipeline needs instead of `scope`, where these differ. */
  readonly pipelineScope: Scope | null;
  /** Set for every policy that admits administrators. */
  readonly own: OwnRule | null;
}

/** The callers that may run an operation, as data and as a check. */
export interface Policy<C = unknown> extends PolicyData {
  /** Returns the caller, or throws the error that explains the rejection. */
  admit(caller: Caller | null, door: Door): C;
}

const defaults: PolicyData = {
  kind: 'anyone',
  scope: null,
  mustBeVerified: false,
  accountTokenOverRest: false,
  allowsSuspended: false,
  accountOnly: false,
  pipelineScope: null,
  own: null,
};

/** Public: credentials are ignored. */
export const anyone: Policy<null> = { ...defaults, admit: () => null };

/** Anyone, with or without a credential. Unlike `anyone`, it verifies a credential that is sent. */
export const optionalCaller: Policy<Caller | null> = {
  ...defaults,
  kind: 'optional',
  allowsSuspended: true,
  admit: (caller) => {
    if (caller?.kind === 'key') requireNotSuspended(caller.developer);
    return caller;
  },
};

/** Any account of the host platform, registered as a developer or not. */
export const account: Policy<AccountCaller> = {
  ...defaults,
  kind: 'account',
  accountTokenOverRest: true,
  admit: (caller) => {
    if (caller?.kind !== 'account') throw unauthenticated(anAccountToken);
    return caller;
  },
};

/** Any account as above, except that of a suspended developer: for what others see or have to deal with (D341). */
export const activeAccount: Policy<AccountCaller> = {
  ...account,
  admit: (caller, door) => {
    const admitted = account.admit(caller, door);
    if (admitted.developer) requireNotSuspended(admitted.developer);
    return admitted;
  },
};

/** A developer: with an API key, and in GraphQL also with an account token, which has every scope. */
export function developer(
  scope: Scope | null,
  options: Partial<
    Pick<
      PolicyData,
      'mustBeVerified' | 'accountTokenOverRest' | 'allowsSuspended' | 'accountOnly' | 'pipelineScope'
    >
  > = {},
): Policy<DeveloperCaller> {
  const policy: PolicyData = { ...defaults, ...options, kind: 'developer', scope };
  return { ...policy, admit: (caller, door) => admitDeveloper(policy, caller, door) };
}

/** An administrator, by the role in the account token. `own` is the rule for the administrator's own resources (D104). */
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

/** A developer as above, or any administrator: for operations of both sides of a review. */
export function developerOrAdmin(
  scope: Scope | null,
  own: OwnRule,
  options: Partial<Pick<PolicyData, 'allowsSuspended'>> = {},
): Policy<Caller> {
  const policy: PolicyData = { ...defaults, ...options, kind: 'developer', scope, own };
  return {
    ...policy,
    admit: (caller, door) =>
      caller?.kind === 'account' && caller.isAdmin ? caller : admitDeveloper(policy, caller, door),
  };
}

/** Rejects an administrator who acts on a resource of their own; `accounts` are the accounts it belongs to (D104). */
export function requireNotOwn(
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
  const acceptsAccountTokens = door === 'graphql' || policy.accountTokenOverRest;
  if (!caller || (caller.kind === 'account' && !acceptsAccountTokens)) {
    throw caller
      ? new ServiceError(
          'UNAUTHENTICATED',
          'This needs an API key, and you sent an account token. Use the account token to create a key: POST /api/dev/api-keys.',
        )
      : unauthenticated(neededBy(policy, acceptsAccountTokens));
  }
  if (policy.accountOnly && caller.kind === 'key') throw unauthenticated(anAccountToken);
  const { developer } = caller;
  if (!developer) {
    throw new ServiceError(
      'DEVELOPER_NOT_REGISTERED',
      'This account has not registered as a developer. Call registerDeveloper (POST /api/dev/register) first.',
    );
  }
  if (!(policy.allowsSuspended && caller.kind === 'account')) requireNotSuspended(developer);
  const scope = (caller.kind === 'key' && caller.pipeline && policy.pipelineScope) || policy.scope;
  if (caller.kind === 'key' && scope && !caller.scopes.has(scope))
    throw insufficientScope([scope], caller.scopes);
  if (policy.mustBeVerified && developer.status !== DeveloperStatus.VERIFIED) throw notVerified();
  return { ...caller, developer };
}

const neededBy = ({ accountOnly }: PolicyData, acceptsAccountTokens: boolean): string =>
  accountOnly ? anAccountToken : acceptsAccountTokens ? 'an API key or an account token' : 'an API key';

/** Rejects suspended developers. */
export function requireNotSuspended({ status }: DeveloperIdentity): void {
  if (status !== DeveloperStatus.SUSPENDED) return;
  throw new ServiceError(
    'DEVELOPER_SUSPENDED',
    'This developer account is suspended, and its keys do not work. Contact support.',
  );
}

/** Rejects a token at the very time of its expiry; a request with it passes for some seconds more, because clocks differ. */
export function requireUnexpired({ kind, expiresAt }: Caller): void {
  if (kind === 'key' || !expiresAt || expiresAt > now()) return;
  throw new ServiceError('INVALID_TOKEN', 'The account token has expired. Sign in again to get a new one.');
}

/** Returns true for a key that a pipeline got for its identity. */
export const isOfPipeline = (caller: Caller | null): caller is PipelineCaller =>
  caller?.kind === 'key' && caller.pipeline !== null;

/** Rejects keys of pipelines at an operation that does not say which app it is about (D409). */
export function requireForPipelines(
  operation: { readonly pipelineApp?: unknown },
  caller: Caller | null,
): void {
  if (!isOfPipeline(caller) || operation.pipelineApp) return;
  throw new ServiceError(
    'FORBIDDEN',
    'This key belongs to a pipeline, which may only read, change and submit the app that it publishes. Use an API key or sign in.',
  );
}

export const keyRevoked = (at: Date) =>
  new ServiceError('API_KEY_REVOKED', `This API key was revoked on ${at.toISOString()}. Create a new one.`);

export const notVerified = () =>
  new ServiceError(
    'DEVELOPER_NOT_VERIFIED',
    'An administrator must verify this developer account first, usually within 24 hours. You will get an e-mail.',
  );

/** Returns the error for a key without the needed scopes. */
export const insufficientScope = (needed: Iterable<Scope>, held: Iterable<Scope>) =>
  new ServiceError(
    'INSUFFICIENT_SCOPE',
    `This needs a key with the scope ${[...needed].join(', ')}; your key has ${[...held].join(', ')}. Create a key that has it.`,
  );

const anAccountToken = "an account token of the host platform's identity provider";

const unauthenticated = (needed: string) =>
  new ServiceError('UNAUTHENTICATED', `This needs ${needed}, sent as "Authorization: Bearer …".`);
