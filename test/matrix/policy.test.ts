import { describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import type { Scope } from '../../src/auth/scope.js';
import { contract, type OperationName, operations } from '../../src/contract.js';
import { allScopes, type Developer, type Json, unique } from '../support/actors.js';
import { apis, type Input, type Outcome } from '../support/api-client.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { unknownId } from '../support/matchers.js';
import { notificationsOf } from '../support/notifications.js';
import { statusOfCode } from '../support/outcomes.js';
import { gitHubClaims, PipelineIssuer } from '../support/pipeline-issuer.js';
import { startService } from '../support/service.js';
import { type Code, credentials, type Expectation, type People } from './policy-credentials.js';
import { type Belongings, type Row, reason, policyTable as table } from './policy-table.js';

const issuer = duringTests(() => PipelineIssuer.start());
const service = duringTests(() => startService({ PUBLISHER_ISSUERS: `https://gitlab.com,${issuer.url}` }));
const people = beforeTests(gather);

const rows = operations.map(([name, operation]) => ({
  name,
  operation,
  row: table[name] as Row | undefined,
}));

/** Ids that nothing has. */
const noIds = [unknownId, 'not-a-uuid'];

describe('the table', () => {
  it('has a row for every operation of the contract, and none besides', () => {
    expect(Object.keys(table).sort()).toEqual(rows.map(({ name }) => name).sort());
  });

  it.each(rows)(
    'states the policy of $name as the contract declares it (D10, D60)',
    ({ operation: { policy }, row }) => {
      expect({
        may: policy.kind,
        scope: policy.scope ?? undefined,
        verified: row?.verified ?? false,
        suspendedToo: row?.suspendedToo ?? false,
        adminToo: row?.adminToo ?? false,
        accountOnly: row?.accountOnly ?? false,
        accountAtRest: policy.kind === 'developer' && policy.accountTokenOverRest,
      }).toEqual({
        may: row?.may,
        scope: row?.scope,
        verified: policy.mustBeVerified,
        suspendedToo: policy.allowsSuspended,
        adminToo: policy.kind === 'developer' && policy.own !== null,
        accountOnly: policy.accountOnly,
        accountAtRest: row?.accountAtRest ?? false,
      });
    },
  );
});

describe.each(apis)('over %s', (api) => {
  const here = rows.filter(({ operation }) => api === 'graphql' || operation.rest);

  describe.each(here)('$name', ({ name, row }) => {
    it.each(Object.keys(credentials))('%s', async (kind) => {
      const credential = credentials[kind]!;
      if (!row) throw new Error(`${name} has no row in the table`);
      const expected = credential.expect(row, api);
      const bearer = await credential.bearer(people, row);
      const outcome = await service.client.call(
        api,
        name,
        await inputFor(name, row, bearer, expected),
        bearer,
      );
      meets(outcome, expected);
    });

    if (row?.may === 'developer' && ownsById(row)) {
      it("returns the same response for someone else's as for a missing one, byte for byte, and changes nothing (D7)", async () => {
        const input = await inputFor(name, row, people.ada.key, 'success');
        const eve = await service.aDeveloper();
        const bearerOf = (developer: Developer) => (row.accountOnly ? developer.token : developer.key);
        const others = await service.client.call(api, name, input, bearerOf(eve));
        for (const id of noIds) {
          const missing = await service.client.call(api, name, about(id, input), bearerOf(eve));
          meets(others, 'NOT_FOUND');
          expect(anonymous(others)).toBe(anonymous(missing));
          expect(others.status).toBe(missing.status);
          expect(headersOf(others)).toEqual(headersOf(missing));
        }
        meets(await service.client.call(api, name, input, bearerOf(people.ada)), 'success');
      });
    }

    if ((row?.may === 'admin' || row?.adminToo) && isById(row)) {
      it.each([...noIds, ''])('returns NOT_FOUND for the id "%s" (D7)', async (id) => {
        const admin = await service.admin();
        const input = about(id, await inputFor(name, row, admin, 'NOT_FOUND'));
        meets(await service.client.call(api, name, input, admin), 'NOT_FOUND');
      });
    }
  });
});

/** Returns the input with another id of its object. */
function about(id: string, input: Input): Input {
  const subject = ['appId', 'endpointId', 'keyId'].find((field) => field in input) ?? 'id';
  return { ...input, [subject]: id };
}

/** Returns true if the operation is about one object of the developer. */
function ownsById({ input }: Row): boolean {
  return input !== undefined && /app|version|endpoint|delivery|[kK]eyId|rating/.test(input.toString());
}

/** Returns true if an administrator names the object by its id. */
function isById({ input }: Row): boolean {
  return input !== undefined && /\bid: await|endpointId: await/.test(input.toString());
}

const anonymous = ({ text = '', headers }: Outcome) => {
  const id = headers.get('x-request-id') ?? '';
  expect(text).toContain(id);
  return text.replace(id, '');
};
const headersOf = ({ headers }: Outcome) =>
  Object.fromEntries([...headers].filter(([name]) => !['x-request-id', 'date'].includes(name)));

function meets(outcome: Outcome, expected: Expectation): void {
  const { api, code, status, headers, message } = outcome;
  if (expected === 'success') {
    expect({ code, message }).toEqual({ code: null, message: '' });
  } else if (expected === 'admitted') {
    expect([401, 403]).not.toContain(code === null ? 200 : statusOfCode[code as Code]);
  } else {
    expect({ code, status }).toEqual({
      code: expected,
      status: api === 'rest' ? statusOfCode[expected] : 200,
    });
    if (status === 401) expect(headers.get('www-authenticate')).toMatch(/^Bearer /);
  }
}

const inputs = new Map<OperationName, Promise<Input>>();

/** Refusals and queries change nothing, so they share one input per operation; ratings belong to who calls. */
async function inputFor(
  name: OperationName,
  row: Row,
  bearer: string | null,
  expected: Expectation,
): Promise<Input> {
  const make = async () => (await row.input?.(belongings(bearer))) ?? {};
  const isRefused = expected !== 'success' && expected !== 'admitted';
  if (!isRefused && (contract[name].kind === 'mutation' || row.may === 'account')) return make();
  const known = inputs.get(name) ?? make();
  inputs.set(name, known);
  return known;
}

function belongings(bearer: string | null): Belongings {
  const { ada } = people;
  return {
    accountUserId: (bearer?.startsWith('eyJ') && decodeJwt(bearer).sub) || ada.accountUserId,
    app: async (status) => (await service.anApp(ada, status)).id,
    version: async (status) => (await service.aVersion(ada, status)).version.id,
    endpoint: () => anEndpoint(ada),
    makeRoom: async () => [await anEndpoint(ada), await anAdminEndpoint()],
    adminEndpoint: anAdminEndpoint,
    adminDelivery: async () => {
      const id = await anAdminEndpoint();
      return (await service.administer<Json>('testAdminWebhook', { id })).id;
    },
    delivery: async () => {
      const id = await anEndpoint(ada);
      return (await service.must<Json>('testWebhookEndpoint', { id }, ada.token)).id;
    },
    slug: async () => (await service.anApp(ada, 'APPROVED')).slug,
    rated: async () => {
      const { slug } = await service.anApp(people.grace, 'APPROVED');
      const isToken = bearer?.startsWith('eyJ') && !bearer.endsWith('AAAAAA');
      const mayRate = isToken && bearer !== people.suspended.token;
      if (mayRate) await service.must('rateApp', { slug, rating: 4 }, bearer);
      return slug;
    },
    rating: async () => (await service.aRating(await service.anApp(ada, 'APPROVED'))).id,
    keyId: async () => (await service.anIssuedKey(ada)).id,
    narrowKeyId: async () => (await service.anIssuedKey(ada, ['ANALYTICS_READ' as Scope])).id,
    revokedKeyId: async () => {
      const { id } = await service.anIssuedKey(ada);
      await service.must('revokeApiKey', { id }, ada.token);
      return id;
    },
    undoToken: async () => {
      const key = await service.aKey(people.grace);
      await service.must('updateMe', { bio: unique('Text') }, key);
      const [mail] = (await notificationsOf(service, people.grace.id)).toReversed();
      return new URL(String(mail!.undoUrl)).searchParams.get('token')!;
    },
    key: () => service.aKey(ada),
    publisher: () => aPublisher(ada),
    pipelineToken: async () => {
      await service.sql('delete from trusted_publishers');
      await aPublisher(people.grace);
      return issuer.token(service.url, gitHubClaims());
    },
    developerId: async () => (await service.anUnverifiedDeveloper()).id,
    publicDeveloperId: async () => {
      await service.anApp(ada, 'APPROVED');
      return ada.id;
    },
  };
}

async function anEndpoint(ada: Developer): Promise<string> {
  await service.sql('delete from webhook_endpoints where developer_id = $1', [ada.id]);
  return (await service.must<Json>('createWebhookEndpoint', { url: 'https://ada.example/hook' }, ada.token))
    .id;
}

async function aPublisher(developer: Developer): Promise<string> {
  const { id: appId } = await service.anApp(developer);
  const pipeline = { issuer: issuer.url, repository: 'acme/notes', workflow: 'release.yml' };
  return (await service.must<Json>('addTrustedPublisher', { appId, ...pipeline }, developer.token)).id;
}

async function anAdminEndpoint(): Promise<string> {
  await service.sql('delete from webhook_endpoints where developer_id is null');
  const input = { url: 'https://desk.example/hook' };
  return (await service.administer<Json>('createAdminWebhook', input)).id;
}

async function gather(): Promise<People> {
  const [ada, grace, suspended, unverified] = [
    await service.aDeveloper(),
    await service.aDeveloper(),
    await service.aDeveloper(),
    await service.aDeveloper(),
  ];
  await service.administer('suspendDeveloper', { id: suspended.id, reason });
  await service.administer('unverifyDeveloper', { id: unverified.id, reason });
  const forgotten = await service.anIssuedKey(ada);
  await service.sql('delete from api_keys where id = $1', [forgotten.id]);
  const keysBy = async (scopesFor: (scope: Scope) => Scope[]) =>
    Object.fromEntries(
      await Promise.all(allScopes.map(async (scope) => [scope, await service.aKey(ada, scopesFor(scope))])),
    );
  return {
    service,
    ada,
    grace,
    suspended,
    unverified,
    unknownKey: forgotten.key,
    expiredKey: await service.anExpiredKey(ada),
    revokedKey: await service.aRevokedKey(ada),
    keyWithout: await keysBy((scope) => allScopes.filter((other) => other !== scope)),
    keyWithOnly: await keysBy((scope) => [scope]),
  };
}
