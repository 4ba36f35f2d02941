import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { Scope } from '../src/auth/scope.js';
import { type OperationName, operations } from '../src/contract.js';
import {
  type AppStatus,
  aListing,
  allScopes,
  aRejection,
  type Developer,
  type Json,
  unique,
} from './support/actors.js';
import { nobody } from './support/answers.js';
import { type Door, doors, type Input, type Outcome } from './support/doors.js';
import { statusOfCode } from './support/refusals.js';
import { type Service, startService } from './support/service.js';

/**
 * Who may do what, as D8 to D13 say it, for every operation of the contract and every kind of credential.
 * The table below states the decisions; the rules under it say what follows for each credential; each cell is a test.
 */
interface Row {
  /** Who the operation is for. */
  may: 'anyone' | 'account' | 'developer' | 'admin';
  /** The scope that a key needs. */
  scope?: `${Scope}`;
  /** An account token does at the REST door, too: SPEC shows it for registration and key creation. */
  accountAtRest?: true;
  /** Only a verified developer may. */
  verified?: true;
  /** Administrators may as well. */
  adminToo?: true;
  /** Even a suspended developer may, signed in. */
  suspendedToo?: true;
  /** Input that is right for the caller: whatever is refused is refused for the credential alone. */
  input?: (own: Belongings) => Input | Promise<Input>;
}

/** What a sample of input is made of. */
interface Belongings {
  accountUserId: string;
  app(status?: AppStatus): Promise<string>;
  version(status: 'DRAFT' | 'PENDING'): Promise<string>;
  /** A webhook endpoint, the only one: there is a limit. */
  endpoint(): Promise<string>;
  delivery(): Promise<string>;
  /** Makes room for one more of what there is a limit to. */
  makeRoom(): Promise<unknown>;
  slug(): Promise<string>;
  /** An app of somebody else's, which the caller has rated. */
  rated(): Promise<string>;
  /** The id of somebody's rating of an app of ours. */
  rating(): Promise<string>;
  keyId(): Promise<string>;
  /** A key that every key of these tests may rotate. */
  narrowKeyId(): Promise<string>;
  key(): Promise<string>;
  developerId(): Promise<string>;
}

const reason = 'It must be.';
const byId =
  (status: AppStatus, input: Input = {}) =>
  async ({ app }: Belongings) => ({ id: await app(status), ...input });
const byVersion =
  (status: 'DRAFT' | 'PENDING', input: Input = {}) =>
  async ({ version }: Belongings) => ({ id: await version(status), ...input });
const byEndpoint =
  (input: Input = {}) =>
  async ({ endpoint }: Belongings) => ({ id: await endpoint(), ...input });
const ofDeveloper =
  (input: Input = {}) =>
  async ({ developerId }: Belongings) => ({ id: await developerId(), ...input });

const table: Record<OperationName, Row> = {
  registerDeveloper: {
    may: 'account',
    input: ({ accountUserId }) => ({ accountUserId, name: 'Ada', email: `${unique('new')}@example.com` }),
  },
  me: { may: 'developer', suspendedToo: true },
  updateMe: { may: 'developer', input: () => ({ name: 'Ada' }) },
  createApiKey: {
    may: 'developer',
    accountAtRest: true,
    verified: true,
    input: () => ({ name: 'A key', scopes: ['APP_READ'] }),
  },
  myApiKeys: { may: 'developer' },
  revokeApiKey: { may: 'developer', input: async ({ keyId }) => ({ id: await keyId() }) },
  rotateApiKey: {
    may: 'developer',
    verified: true,
    input: async ({ narrowKeyId }) => ({ id: await narrowKeyId() }),
  },
  reportLeakedKey: { may: 'anyone', input: async ({ key }) => ({ key: await key() }) },
  auditLog: { may: 'admin' },
  createApp: { may: 'developer', scope: 'APP_CREATE', input: () => aListing() },
  myApps: { may: 'developer', scope: 'APP_READ' },
  myApp: { may: 'developer', scope: 'APP_READ', input: byId('DRAFT') },
  updateApp: { may: 'developer', scope: 'APP_UPDATE', input: byId('DRAFT', { name: 'New' }) },
  submitApp: { may: 'developer', scope: 'APP_UPDATE', verified: true, input: byId('DRAFT') },
  withdrawApp: { may: 'developer', scope: 'APP_UPDATE', input: byId('PENDING') },
  deleteApp: { may: 'developer', scope: 'APP_DELETE', input: byId('DRAFT') },
  appAnalytics: { may: 'developer', scope: 'ANALYTICS_READ', input: byId('DRAFT') },
  browseApps: { may: 'anyone' },
  apps: { may: 'anyone' },
  suggest: { may: 'anyone', input: () => ({ prefix: 'a' }) },
  app: { may: 'anyone', input: async ({ slug }) => ({ slug: await slug() }) },
  featuredApps: { may: 'anyone' },
  categories: { may: 'anyone' },
  recordInstall: { may: 'anyone', input: async ({ slug }) => ({ slug: await slug() }) },
  appRatings: { may: 'anyone', input: async ({ slug }) => ({ slug: await slug() }) },
  myRating: { may: 'account', input: async ({ rated }) => ({ slug: await rated() }) },
  rateApp: { may: 'account', input: async ({ rated }) => ({ slug: await rated(), rating: 3 }) },
  removeRating: { may: 'account', input: async ({ rated }) => ({ slug: await rated() }) },
  replyToRating: {
    may: 'developer',
    scope: 'APP_UPDATE',
    input: async ({ rating }) => ({ id: await rating(), text: 'Thank you.' }),
  },
  hideRating: { may: 'admin', input: async ({ rating }) => ({ id: await rating(), reason }) },
  unhideRating: { may: 'admin', input: async ({ rating }) => ({ id: await rating() }) },
  hiddenRatings: { may: 'admin' },
  developers: { may: 'admin' },
  developer: { may: 'admin', input: ofDeveloper() },
  verifyDeveloper: { may: 'admin', input: ofDeveloper() },
  unverifyDeveloper: { may: 'admin', input: ofDeveloper({ reason }) },
  suspendDeveloper: { may: 'admin', input: ofDeveloper({ reason }) },
  reinstateDeveloper: { may: 'admin', input: ofDeveloper() },
  reviewQueue: { may: 'admin' },
  approveApp: { may: 'admin', input: byId('PENDING', { revision: 1 }) },
  rejectApp: { may: 'admin', input: byId('PENDING', aRejection(1)) },
  suspendApp: { may: 'admin', input: byId('APPROVED', { reason }) },
  restoreApp: { may: 'admin', input: byId('SUSPENDED') },
  featureApp: { may: 'admin', input: byId('APPROVED', { featured: true }) },
  editApp: { may: 'admin', input: byId('APPROVED', { name: 'New', reason }) },
  preflight: { may: 'developer', scope: 'APP_READ', input: byId('DRAFT') },
  createWebhookEndpoint: {
    may: 'developer',
    input: async ({ makeRoom }) => {
      await makeRoom();
      return { url: 'https://ada.example/hook' };
    },
  },
  myWebhookEndpoints: { may: 'developer' },
  updateWebhookEndpoint: { may: 'developer', input: byEndpoint({ description: 'New' }) },
  deleteWebhookEndpoint: { may: 'developer', input: byEndpoint() },
  rotateWebhookSecret: { may: 'developer', input: byEndpoint() },
  enableWebhookEndpoint: { may: 'developer', input: byEndpoint() },
  testWebhookEndpoint: { may: 'developer', input: byEndpoint() },
  webhookDeliveries: { may: 'developer', input: async ({ endpoint }) => ({ endpointId: await endpoint() }) },
  replayWebhookDelivery: { may: 'developer', input: async ({ delivery }) => ({ id: await delivery() }) },
  events: { may: 'developer' },
  reviewCounts: { may: 'admin' },
  rejectionReasons: { may: 'anyone' },
  claimReview: { may: 'admin', input: byId('PENDING') },
  releaseReview: { may: 'admin', input: byId('PENDING') },
  messageDeveloper: { may: 'admin', input: byId('PENDING', { text: 'Hello.' }) },
  messageReviewers: { may: 'developer', scope: 'APP_UPDATE', input: byId('PENDING', { text: 'Hello.' }) },
  addressReason: { may: 'developer', scope: 'APP_UPDATE', input: byId('REJECTED', { reason: 0 }) },
  createAppVersion: {
    may: 'developer',
    scope: 'APP_CREATE',
    input: async ({ app }) => ({ appId: await app('APPROVED'), name: 'New' }),
  },
  updateAppVersion: { may: 'developer', scope: 'APP_UPDATE', input: byVersion('DRAFT', { name: 'Newer' }) },
  submitAppVersion: { may: 'developer', scope: 'APP_UPDATE', verified: true, input: byVersion('DRAFT') },
  withdrawAppVersion: { may: 'developer', scope: 'APP_UPDATE', input: byVersion('PENDING') },
  discardAppVersion: { may: 'developer', scope: 'APP_DELETE', input: byVersion('DRAFT') },
  rebaseAppVersion: { may: 'developer', adminToo: true, scope: 'APP_UPDATE', input: byVersion('PENDING') },
  approveAppVersion: { may: 'admin', input: byVersion('PENDING', { revision: 1 }) },
  rejectAppVersion: { may: 'admin', input: byVersion('PENDING', aRejection(1)) },
};

type Code = keyof typeof statusOfCode;
/** What a credential meets: a refusal, a success, or at least no refusal for who the caller is. */
type Expectation = Code | 'success' | 'admitted';

interface Credential {
  bearer: (people: People, row: Row) => string | null | Promise<string | null>;
  expect: (row: Row, door: Door) => Expectation;
}

/** Whether a signed-in developer’s token will do: always in GraphQL, at the REST door where SPEC shows it (D9). */
const takesAccounts = (row: Row, door: Door) => door === 'graphql' || row.accountAtRest === true;

/** A credential that is dead on arrival has the same code everywhere but where nobody looks at it (D7). */
const dead = (code: Code) => (row: Row) => (row.may === 'anyone' ? 'success' : code);

/** A living key of a developer; what is left is what the developer’s own operations say to it. */
const key = (atDeveloper: (row: Row) => Expectation) => (row: Row) =>
  ({
    anyone: 'success' as const,
    // Not the kind that registration takes (D9).
    account: 'UNAUTHENTICATED' as const,
    developer: atDeveloper(row),
    // A key never is an administrator, and is told so (the table of codes).
    admin: 'FORBIDDEN' as const,
  })[row.may];

/** A valid account token without the administrator’s role. */
const account = (atDeveloper: (row: Row) => Expectation, atAccount: Expectation) => (row: Row, door: Door) =>
  ({
    anyone: 'success' as const,
    account: atAccount,
    developer: takesAccounts(row, door) ? atDeveloper(row) : ('UNAUTHENTICATED' as const),
    admin: 'FORBIDDEN' as const,
  })[row.may];

const credentials: Record<string, Credential> = {
  'no credential': { bearer: () => null, expect: dead('UNAUTHENTICATED') },
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
    expect: account(({ suspendedToo }) => (suspendedToo ? 'success' : 'DEVELOPER_SUSPENDED'), 'admitted'),
  },
  'the account token of an unverified developer': {
    bearer: ({ unverified }) => unverified.token,
    expect: account(({ verified }) => (verified ? 'DEVELOPER_NOT_VERIFIED' : 'admitted'), 'admitted'),
  },
  'the token of an account that never registered': {
    bearer: () => service.token(unique('stranger')),
    expect: account(() => 'DEVELOPER_NOT_REGISTERED', 'success'),
  },
  "an administrator's token": {
    bearer: () => service.token(unique('administrator'), { admin: true }),
    expect: (row, door) =>
      row.may === 'admin' || row.adminToo
        ? 'success'
        : account(() => 'DEVELOPER_NOT_REGISTERED', 'success')(row, door),
  },
};

/** Whoever the cells are about. */
interface People {
  ada: Developer;
  grace: Developer;
  suspended: Developer;
  unverified: Developer;
  unknownKey: string;
  expiredKey: string;
  revokedKey: string;
  keyWithout: Record<`${Scope}`, string>;
}

let service: Service;
let people: People;
beforeAll(async () => {
  service = await startService();
  people = await gather();
});
afterAll(() => service.close());

const rows = operations.map(([name, operation]) => ({
  name,
  operation,
  row: table[name] as Row | undefined,
}));

describe('the table', () => {
  it('has a row for every operation of the contract, and none besides', () => {
    expect(Object.keys(table).sort()).toEqual(rows.map(({ name }) => name).sort());
  });

  it.each(rows)(
    'states the policy of $name as the contract declares it',
    ({ operation: { policy }, row }) => {
      expect({
        may: policy.kind,
        scope: policy.scope ?? undefined,
        verified: row?.verified ?? false,
        suspendedToo: row?.suspendedToo ?? false,
        adminToo: row?.adminToo ?? false,
        accountAtRest: policy.kind === 'developer' && policy.accountTokenOverRest,
      }).toEqual({
        may: row?.may,
        scope: row?.scope,
        verified: policy.mustBeVerified,
        suspendedToo: policy.allowsSuspended,
        adminToo: policy.kind === 'developer' && policy.own !== null,
        accountAtRest: row?.accountAtRest ?? false,
      });
    },
  );
});

describe.each(doors)('over %s', (door) => {
  const here = rows.filter(({ operation }) => door === 'graphql' || operation.rest);

  describe.each(here)('$name', ({ name, row }) => {
    it.each(Object.keys(credentials))('%s', async (kind) => {
      const credential = credentials[kind]!;
      if (!row) throw new Error(`${name} has no row in the table`);
      const expected = credential.expect(row, door);
      const bearer = await credential.bearer(people, row);
      const outcome = await service.doors.call(
        door,
        name,
        await inputFor(name, row, bearer, expected),
        bearer,
      );
      meets(outcome, expected);
    });

    if (row?.may === 'developer' && ownsById(row)) {
      it("someone else's is the same answer as missing, byte for byte (D7)", async () => {
        const input = await inputFor(name, row, people.ada.key, 'success');
        const eve = await service.aDeveloper();
        const others = await service.doors.call(door, name, input, eve.key);
        const subject = ['appId', 'endpointId'].find((field) => field in input) ?? 'id';
        const missing = await service.doors.call(door, name, { ...input, [subject]: nobody }, eve.key);
        meets(others, 'NOT_FOUND');
        expect(anonymous(others)).toBe(anonymous(missing));
        expect(others.status).toBe(missing.status);
        expect(headersOf(others)).toEqual(headersOf(missing));
      });
    }
  });
});

/** Whether the operation is about one thing of the developer’s own. */
function ownsById({ input }: Row): boolean {
  return input !== undefined && /app|version|endpoint|delivery|[kK]eyId|rating/.test(input.toString());
}

const anonymous = ({ text = '', headers }: Outcome) => {
  const id = headers.get('x-request-id') ?? '';
  expect(text).toContain(id);
  return text.replace(id, '');
};
const headersOf = ({ headers }: Outcome) =>
  Object.fromEntries([...headers].filter(([name]) => !['x-request-id', 'date'].includes(name)));

function meets(outcome: Outcome, expected: Expectation): void {
  const { door, code, status, headers, message } = outcome;
  if (expected === 'success') {
    expect({ code, message }).toEqual({ code: null, message: '' });
  } else if (expected === 'admitted') {
    expect([401, 403]).not.toContain(code === null ? 200 : statusOfCode[code as Code]);
  } else {
    expect({ code, status }).toEqual({
      code: expected,
      status: door === 'rest' ? statusOfCode[expected] : 200,
    });
    if (status === 401) expect(headers.get('www-authenticate')).toMatch(/^Bearer /);
  }
}

const shared = new Map<OperationName, Promise<Input>>();

/** What is refused changes nothing, so refusals share their input; whatever may succeed gets its own. */
async function inputFor(
  name: OperationName,
  row: Row,
  bearer: string | null,
  expected: Expectation,
): Promise<Input> {
  const make = async () => (await row.input?.(belongings(bearer))) ?? {};
  if (expected === 'success' || expected === 'admitted') return make();
  const known = shared.get(name) ?? make();
  shared.set(name, known);
  return known;
}

function belongings(bearer: string | null): Belongings {
  const { ada } = people;
  return {
    accountUserId: (bearer?.startsWith('eyJ') && decodeJwt(bearer).sub) || ada.accountUserId,
    app: async (status) => (await service.anApp(ada, status)).id,
    version: async (status) => (await service.aVersion(ada, status)).version.id,
    endpoint: () => anEndpoint(ada),
    makeRoom: () => anEndpoint(ada),
    delivery: async () => {
      const id = await anEndpoint(ada);
      return (await service.doors.must<Json>('testWebhookEndpoint', { id }, ada.token)).id;
    },
    slug: async () => (await service.anApp(ada, 'APPROVED')).slug,
    rated: async () => {
      const { slug } = await service.anApp(people.grace, 'APPROVED');
      const mayRate = bearer?.startsWith('eyJ') && !bearer.endsWith('AAAAAA');
      if (mayRate) await service.doors.must('rateApp', { slug, rating: 4 }, bearer);
      return slug;
    },
    rating: async () => (await service.aRating(await service.anApp(ada, 'APPROVED'))).id,
    keyId: async () => (await service.anIssuedKey(ada)).id,
    narrowKeyId: async () => (await service.anIssuedKey(ada, ['ANALYTICS_READ' as Scope])).id,
    key: () => service.aKey(ada),
    developerId: async () => (await service.anUnverifiedDeveloper()).id,
  };
}

async function anEndpoint(ada: Developer): Promise<string> {
  await service.sql('delete from webhook_endpoints where developer_id = $1', [ada.id]);
  return (
    await service.doors.must<Json>('createWebhookEndpoint', { url: 'https://ada.example/hook' }, ada.token)
  ).id;
}

async function gather(): Promise<People> {
  const admin = await service.admin();
  const [ada, grace, suspended, unverified] = [
    await service.aDeveloper(),
    await service.aDeveloper(),
    await service.aDeveloper(),
    await service.aDeveloper(),
  ];
  await service.doors.must('suspendDeveloper', { id: suspended.id, reason }, admin);
  await service.doors.must('unverifyDeveloper', { id: unverified.id, reason }, admin);
  const forgotten = await service.anIssuedKey(ada);
  await service.sql('delete from api_keys where id = $1', [forgotten.id]);
  const keyWithout = await Promise.all(
    allScopes.map(async (scope) => [
      scope,
      await service.aKey(
        ada,
        allScopes.filter((other) => other !== scope),
      ),
    ]),
  );
  return {
    ada,
    grace,
    suspended,
    unverified,
    unknownKey: forgotten.key,
    expiredKey: await service.anExpiredKey(ada),
    revokedKey: await service.aRevokedKey(ada),
    keyWithout: Object.fromEntries(keyWithout),
  };
}
