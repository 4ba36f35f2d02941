import type { Scope } from '../../src/auth/scope.js';
import type { OperationName } from '../../src/contract.js';
import type { Api } from '../support/api-client.js';
import type { Developer, Key } from './records.js';

/** Permissions of each act, by D7 to D13 of the contract. */
interface Rule {
  who: 'anyone' | 'optional' | 'account' | 'developer' | 'admin';
  /** False: GraphQL alone has it. */
  rest: boolean;
  scope?: `${Scope}`;
  verified?: true;
  tokenOverRest?: true;
  suspendedMayAsk?: true;
}

const byKey = { who: 'developer', rest: true } as const;
const byAdmin = { who: 'admin', rest: false } as const;
const byAnyone = { who: 'anyone', rest: true } as const;

export const rules = {
  registerDeveloper: { who: 'account', rest: true },
  me: { ...byKey, suspendedMayAsk: true },
  viewer: { who: 'optional', rest: false },
  updateMe: byKey,
  createApiKey: { ...byKey, verified: true, tokenOverRest: true },
  myApiKeys: byKey,
  revokeApiKey: byKey,
  createApp: { ...byKey, scope: 'APP_CREATE' },
  myApps: { ...byKey, scope: 'APP_READ' },
  myApp: { ...byKey, scope: 'APP_READ' },
  updateApp: { ...byKey, scope: 'APP_UPDATE' },
  deleteApp: { ...byKey, scope: 'APP_DELETE' },
  submitApp: { ...byKey, scope: 'APP_UPDATE', verified: true },
  withdrawApp: { ...byKey, scope: 'APP_UPDATE', rest: false },
  appAnalytics: { ...byKey, scope: 'ANALYTICS_READ' },
  developer: byAdmin,
  verifyDeveloper: byAdmin,
  unverifyDeveloper: byAdmin,
  suspendDeveloper: byAdmin,
  reinstateDeveloper: byAdmin,
  adminApps: byAdmin,
  adminApp: byAdmin,
  reviewQueue: byAdmin,
  claimNext: byAdmin,
  decisions: byAdmin,
  approveApp: byAdmin,
  rejectApp: byAdmin,
  suspendApp: byAdmin,
  restoreApp: byAdmin,
  featureApp: byAdmin,
  editApp: byAdmin,
  browseApps: byAnyone,
  app: byAnyone,
  publicDeveloper: { who: 'anyone', rest: false },
  featuredApps: byAnyone,
  categories: byAnyone,
  recordInstall: byAnyone,
} satisfies Partial<Record<OperationName, Rule>>;

export type Operation = keyof typeof rules;
export const ruleOf = (operation: Operation): Rule => rules[operation];

/** The credential of a caller. */
export type Bearer =
  | { kind: 'none' }
  | { kind: 'garbage' }
  | { kind: 'mistyped key' }
  | { kind: 'admin' }
  | { kind: 'token'; accountUserId: string }
  | { kind: 'key'; key: Key };

export class Refusal extends Error {
  constructor(readonly code: string) {
    super(code);
  }
}

/** Authenticates and authorises: returns the acting developer, or null where there is none. */
export function admit(
  rule: Rule,
  bearer: Bearer,
  api: Api,
  ownerOf: (bearer: Bearer) => Developer | null,
): Developer | null {
  if (rule.who === 'anyone') return null;
  if (bearer.kind === 'garbage') throw new Refusal('INVALID_TOKEN');
  if (bearer.kind === 'mistyped key') throw new Refusal('INVALID_API_KEY');
  if (bearer.kind === 'key' && bearer.key.revokedAt) throw new Refusal('API_KEY_REVOKED');
  if (rule.who === 'optional') {
    const developer = ownerOf(bearer);
    if (bearer.kind === 'key' && developer?.status === 'SUSPENDED') throw new Refusal('DEVELOPER_SUSPENDED');
    return developer;
  }
  if (bearer.kind === 'none') throw new Refusal('UNAUTHENTICATED');
  if (rule.who === 'admin') {
    if (bearer.kind !== 'admin') throw new Refusal('FORBIDDEN');
    return null;
  }
  const isKey = bearer.kind === 'key';
  if (rule.who === 'account') {
    if (isKey) throw new Refusal('UNAUTHENTICATED');
    return null;
  }
  if (!isKey && api === 'rest' && !rule.tokenOverRest) throw new Refusal('UNAUTHENTICATED');
  const developer = ownerOf(bearer);
  if (!developer) throw new Refusal('DEVELOPER_NOT_REGISTERED');
  if (developer.status === 'SUSPENDED' && !(rule.suspendedMayAsk && !isKey))
    throw new Refusal('DEVELOPER_SUSPENDED');
  if (isKey && rule.scope && !bearer.key.scopes.some((scope) => scope === rule.scope))
    throw new Refusal('INSUFFICIENT_SCOPE');
  if (rule.verified && developer.status !== 'VERIFIED') throw new Refusal('DEVELOPER_NOT_VERIFIED');
  return developer;
}
