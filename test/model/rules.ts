import { policyTable, type Row } from '../matrix/policy-table.js';
import type { Api } from '../support/api-client.js';
import type { inputs } from './inputs.js';
import type { Developer, Key } from './records.js';

/** The operations that the model plays. */
export type Operation = keyof typeof inputs;
export const ruleOf = (operation: Operation): Row => policyTable[operation];

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
  rule: Row,
  bearer: Bearer,
  api: Api,
  ownerOf: (bearer: Bearer) => Developer | null,
): Developer | null {
  if (rule.may === 'anyone') return null;
  if (bearer.kind === 'garbage') throw new Refusal('INVALID_TOKEN');
  if (bearer.kind === 'mistyped key') throw new Refusal('INVALID_API_KEY');
  if (bearer.kind === 'key' && bearer.key.revokedAt) throw new Refusal('API_KEY_REVOKED');
  if (rule.may === 'optional') {
    const developer = ownerOf(bearer);
    if (bearer.kind === 'key' && developer?.status === 'SUSPENDED') throw new Refusal('DEVELOPER_SUSPENDED');
    return developer;
  }
  if (bearer.kind === 'none') throw new Refusal('UNAUTHENTICATED');
  if (rule.may === 'admin') {
    if (bearer.kind !== 'admin') throw new Refusal('FORBIDDEN');
    return null;
  }
  const isKey = bearer.kind === 'key';
  if (rule.may === 'account') {
    if (isKey) throw new Refusal('UNAUTHENTICATED');
    return null;
  }
  if (!isKey && api === 'rest' && !rule.accountAtRest) throw new Refusal('UNAUTHENTICATED');
  const developer = ownerOf(bearer);
  if (!developer) throw new Refusal('DEVELOPER_NOT_REGISTERED');
  if (developer.status === 'SUSPENDED' && !(rule.suspendedToo && !isKey))
    throw new Refusal('DEVELOPER_SUSPENDED');
  if (isKey && rule.scope && !bearer.key.scopes.some((scope) => scope === rule.scope))
    throw new Refusal('INSUFFICIENT_SCOPE');
  if (rule.verified && developer.status !== 'VERIFIED') throw new Refusal('DEVELOPER_NOT_VERIFIED');
  return developer;
}
