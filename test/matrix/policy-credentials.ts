import type { Scope } from '../../src/auth/scope.js';
import { type Developer, unique } from '../support/actors.js';
import type { Api } from '../support/api-client.js';
import type { statusOfCode } from '../support/outcomes.js';
import type { Service } from '../support/service.js';
import type { Row } from './policy-table.js';

export type Code = keyof typeof statusOfCode;
/** The result for a credential: a refusal, a success, or at least no refusal for who the caller is. */
export type Expectation = Code | 'success' | 'admitted';

export interface Credential {
  bearer: (people: People, row: Row) => string | null | Promise<string | null>;
  expect: (row: Row, api: Api) => Expectation;
}

/** Account tokens are accepted everywhere in GraphQL, and over REST where SPEC shows it (D9). */
const takesAccounts = (row: Row, api: Api) => api === 'graphql' || row.accountAtRest === true;

/** An invalid credential gets the same code everywhere, except where credentials are ignored (D7). */
const dead = (code: Code) => (row: Row) => (row.may === 'anyone' ? 'success' : code);

/** A valid key of a developer; only the developer’s own operations differ. */
const key = (atDeveloper: (row: Row) => Expectation) => (row: Row) =>
  ({
    anyone: 'success' as const,
    optional: atDeveloper(row),
    // Not the kind that registration takes (D9).
    account: 'UNAUTHENTICATED' as const,
    developer: row.accountOnly ? ('UNAUTHENTICATED' as const) : atDeveloper(row),
    // A key is never an administrator.
    admin: 'FORBIDDEN' as const,
  })[row.may];

/** A valid account token without the administrator’s role. */
const account =
  (atDeveloper: (row: Row) => Expectation, atAccount: Expectation | ((row: Row) => Expectation)) =>
  (row: Row, api: Api) =>
    ({
      anyone: 'success' as const,
      optional: 'success' as const,
      account: typeof atAccount === 'function' ? atAccount(row) : atAccount,
      developer: takesAccounts(row, api) ? atDeveloper(row) : ('UNAUTHENTICATED' as const),
      admin: 'FORBIDDEN' as const,
    })[row.may];

export const credentials: Record<string, Credential> = {
  'no credential': {
    bearer: () => null,
    expect: (row) => (row.may === 'optional' ? 'success' : dead('UNAUTHENTICATED')(row)),
  },
  garbage: { bearer: () => 'garbage', expect: dead('INVALID_TOKEN') },
  'a forged token': {
    bearer: ({ ada }) => `${ada.token.slice(0, -6)}AAAAAA`,
    expect: dead('INVALID_TOKEN'),
  },
  'a key with a bad checksum': {
    bearer: ({ ada }) => ada.key.slice(0, -1) + (ada.key.endsWith('0') ? '1' : '0'),
    expect: dead('INVALID_API_KEY'),
  },
  'a well-formed key that nobody has': {
    bearer: ({ unknownKey }) => unknownKey,
    expect: dead('INVALID_API_KEY'),
  },
  'an expired key': { bearer: ({ expiredKey }) => expiredKey, expect: dead('API_KEY_EXPIRED') },
  'a revoked key': { bearer: ({ revokedKey }) => revokedKey, expect: dead('API_KEY_REVOKED') },
  'a key with every scope': { bearer: ({ ada }) => ada.key, expect: key(() => 'success') },
  'a key with every scope but the one needed': {
    bearer: ({ ada, keyWithout }, { scope }) => (scope ? keyWithout[scope] : ada.key),
    expect: key(({ scope }) => (scope ? 'INSUFFICIENT_SCOPE' : 'success')),
  },
  'a key with the scope needed, and no other': {
    bearer: ({ ada, keyWithOnly }, { scope }) => (scope ? keyWithOnly[scope] : ada.key),
    expect: key(() => 'success'),
  },
  'a key of a suspended developer': {
    bearer: ({ suspended }) => suspended.key,
    expect: key(() => 'DEVELOPER_SUSPENDED'),
  },
  'a key of an unverified developer': {
    bearer: ({ unverified }) => unverified.key,
    expect: key(({ verified }) => (verified ? 'DEVELOPER_NOT_VERIFIED' : 'admitted')),
  },
  "the developer's account token": {
    bearer: ({ ada }) => ada.token,
    // Registered already: a conflict, not a refusal of who they are.
    expect: account(() => 'success', 'admitted'),
  },
  'the account token of a suspended developer': {
    bearer: ({ suspended }) => suspended.token,
    expect: account(
      ({ suspendedToo }) => (suspendedToo ? 'success' : 'DEVELOPER_SUSPENDED'),
      ({ notSuspended }) => (notSuspended ? 'DEVELOPER_SUSPENDED' : 'admitted'),
    ),
  },
  'the account token of an unverified developer': {
    bearer: ({ unverified }) => unverified.token,
    expect: account(({ verified }) => (verified ? 'DEVELOPER_NOT_VERIFIED' : 'admitted'), 'admitted'),
  },
  'the token of an account that never registered': {
    bearer: ({ service }) => service.token(unique('stranger')),
    expect: account(() => 'DEVELOPER_NOT_REGISTERED', 'success'),
  },
  "an administrator's token": {
    bearer: ({ service }) => service.token(unique('administrator'), { admin: true }),
    expect: (row, api) =>
      row.may === 'admin' || row.adminToo
        ? 'success'
        : account(() => 'DEVELOPER_NOT_REGISTERED', 'success')(row, api),
  },
};

/** The people and keys that the credentials belong to. */
export interface People {
  service: Service;
  ada: Developer;
  grace: Developer;
  suspended: Developer;
  unverified: Developer;
  unknownKey: string;
  expiredKey: string;
  revokedKey: string;
  keyWithout: Record<`${Scope}`, string>;
  keyWithOnly: Record<`${Scope}`, string>;
}
