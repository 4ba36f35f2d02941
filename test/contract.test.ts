import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { GraphQLSchema } from 'graphql';
import { operations } from '../src/contract.js';
import { errorStatus } from '../src/errors.js';
import { buildGraphQLSchema } from '../src/graphql/schema.js';
import { type AppJson, aListing, type Developer, unique } from './support/actors.js';
import { OpenApi } from './support/openapi.js';
import { statusOfCode } from './support/refusals.js';
import { type Service, startService } from './support/service.js';

/** SPEC's eighteen rows, word for word: method, path, auth. */
const spec = `
  | POST   | /api/dev/register           | see Authentication |
  | GET    | /api/dev/me                 | key                |
  | PUT    | /api/dev/me                 | key                |
  | POST   | /api/dev/api-keys           | see Authentication |
  | GET    | /api/dev/api-keys           | key                |
  | DELETE | /api/dev/api-keys/:id       | key                |
  | POST   | /api/dev/apps               | key                |
  | GET    | /api/dev/apps               | key                |
  | GET    | /api/dev/apps/:id           | key                |
  | PUT    | /api/dev/apps/:id           | key                |
  | POST   | /api/dev/apps/:id/submit    | key                |
  | DELETE | /api/dev/apps/:id           | key                |
  | GET    | /api/dev/apps/:id/analytics | key                |
  | GET    | /api/apps                   | none               |
  | GET    | /api/apps/:slug             | none               |
  | POST   | /api/apps/:slug/install     | none               |
  | GET    | /api/apps/featured/list     | none               |
  | GET    | /api/apps/categories/list   | none               |`;

const rows = spec
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, method = '', path = '', auth = '']) => ({ method, path, auth, row: `${method} ${path}` }));
const paths = [...new Set(rows.map(({ path }) => path))];

/** Every operation that GraphQL has so far, as the contract names and types it. */
const graphqlFields = [
  'registerDeveloper(input: RegisterDeveloperInput!): Developer!',
  'me: Developer!',
  'updateMe(input: UpdateMeInput!): Developer!',
  'createApiKey(input: CreateApiKeyInput!): IssuedApiKey!',
  'myApiKeys: [ApiKey!]!',
  'revokeApiKey(descendants: Boolean, id: ID!): ApiKey!',
  'rotateApiKey(graceHours: Int, id: ID!): IssuedApiKey!',
  'reportLeakedKey(key: String!): LeakReport!',
  'auditLog(after: String, filter: AuditLogFilter, first: Int): AuditEventConnection!',
  'createApp(input: CreateAppInput!): App!',
  'myApps: [App!]!',
  'myApp(id: ID!): App!',
  'updateApp(id: ID!, input: UpdateAppInput!, revision: Int): App!',
  'deleteApp(id: ID!, revision: Int): DeletedApp!',
  'submitApp(id: ID!): App!',
  'appAnalytics(id: ID!): AppAnalytics!',
  'browseApps(filter: AppFilter, limit: Int, page: Int, sort: AppSort): AppPage!',
  'apps(after: String, filter: AppFilter, first: Int, sort: AppSort): AppConnection!',
  'suggest(first: Int, prefix: String!): [AppSuggestion!]!',
  'app(slug: String!): PublicApp!',
  'recordInstall(input: RecordInstallInput, slug: String!): InstallReceipt!',
  'featuredApps(environment: Environment, limit: Int): [PublicApp!]!',
  'categories: [CategoryCount!]!',
  'appRatings(after: String, first: Int, slug: String!): RatingConnection!',
  'myRating(slug: String!): Rating!',
  'rateApp(input: RateAppInput!, slug: String!): Rating!',
  'removeRating(slug: String!): Rating!',
  'replyToRating(id: ID!, text: String): Rating!',
  'hideRating(id: ID!, reason: String!): Rating!',
  'unhideRating(id: ID!): Rating!',
  'hiddenRatings(after: String, first: Int): RatingConnection!',
  'withdrawApp(id: ID!): App!',
  'developers(after: String, first: Int, search: String, status: DeveloperStatus): DeveloperConnection!',
  'developer(id: ID!): Developer!',
  'verifyDeveloper(id: ID!): Developer!',
  'unverifyDeveloper(id: ID!, reason: String!): Developer!',
  'suspendDeveloper(id: ID!, reason: String!): Developer!',
  'reinstateDeveloper(id: ID!): Developer!',
  'reviewQueue(after: String, filter: ReviewQueueFilter, first: Int): ReviewQueueConnection!',
  'preflight(id: ID!): Preflight!',
  'events(after: String, first: Int): EventConnection!',
  'myWebhookEndpoints: [WebhookEndpoint!]!',
  'webhookDeliveries(after: String, endpointId: ID!, first: Int): WebhookDeliveryConnection!',
  'createWebhookEndpoint(input: CreateWebhookEndpointInput!): IssuedWebhookEndpoint!',
  'deleteWebhookEndpoint(id: ID!): DeletedWebhookEndpoint!',
  'enableWebhookEndpoint(id: ID!): WebhookEndpoint!',
  'replayWebhookDelivery(id: ID!): WebhookDelivery!',
  'rotateWebhookSecret(id: ID!): IssuedWebhookEndpoint!',
  'testWebhookEndpoint(id: ID!): WebhookDelivery!',
  'updateWebhookEndpoint(id: ID!, input: UpdateWebhookEndpointInput!): WebhookEndpoint!',
  'reviewCounts: ReviewCounts!',
  'rejectionReasons: [RejectionCatalogueEntry!]!',
  'claimReview(id: ID!, takeOver: Boolean): ReviewQueueItem!',
  'releaseReview(id: ID!): ReviewQueueItem!',
  'messageDeveloper(id: ID!, text: String!): ReviewMessage!',
  'messageReviewers(id: ID!, text: String!): ReviewMessage!',
  'addressReason(addressed: Boolean, id: ID!, reason: Int!): App!',
  'createAppVersion(appId: ID!, input: CreateAppVersionInput!): AppVersion!',
  'updateAppVersion(id: ID!, input: UpdateAppVersionInput!, revision: Int): AppVersion!',
  'submitAppVersion(id: ID!): AppVersion!',
  'withdrawAppVersion(id: ID!): AppVersion!',
  'discardAppVersion(id: ID!): AppVersion!',
  'approveAppVersion(id: ID!, revision: Int!): AppVersion!',
  'rejectAppVersion(id: ID!, input: RejectAppVersionInput!): AppVersion!',
  'rebaseAppVersion(id: ID!): AppVersion!',
  'approveApp(id: ID!, note: String, revision: Int!): App!',
  'rejectApp(id: ID!, input: RejectAppInput!): App!',
  'suspendApp(id: ID!, reason: String!): App!',
  'restoreApp(id: ID!): App!',
  'featureApp(featured: Boolean!, id: ID!): App!',
  'editApp(id: ID!, input: EditAppInput!): App!',
];

describe("SPEC's eighteen rows", () => {
  let service: Service;
  let openApi: OpenApi;
  let ada: Developer;
  beforeAll(async () => {
    service = await startService();
    openApi = new OpenApi(JSON.parse(readFileSync('schema/openapi.json', 'utf8')));
    ada = await service.aDeveloper();
    await service.anApp(ada, 'APPROVED', { name: 'Live' });
    const { id } = await service.anApp(ada, 'APPROVED', { name: 'Loved' });
    await service.doors.must('featureApp', { id, featured: true }, await service.admin());
  });
  afterAll(() => service.close());

  /** A request to a row that has everything it needs, but for the credential. */
  async function aGoodRequest(row: string): Promise<{ path: string; body?: unknown; bearer: string }> {
    const [, path = ''] = row.split(' ');
    const bearer = ada.key;
    const of = ({ id }: { id: string }) => path.replace(':id', id);
    switch (row) {
      case 'POST /api/dev/register': {
        const accountUserId = unique('account');
        const body = { accountUserId, name: 'Ada', email: `${accountUserId}@example.com` };
        return { path, body, bearer: await service.token(accountUserId) };
      }
      case 'PUT /api/dev/me':
        return { path, bearer, body: { bio: unique('bio') } };
      case 'POST /api/dev/api-keys':
        return { path, bearer, body: { name: 'A key', scopes: ['APP_READ'] } };
      case 'DELETE /api/dev/api-keys/:id':
        return { path: of(await service.anIssuedKey(ada)), bearer };
      case 'POST /api/dev/apps':
        return { path, bearer, body: aListing() };
      case 'GET /api/dev/apps/:id':
        return { path: of(await service.anApp(ada, 'REJECTED')), bearer };
      case 'PUT /api/dev/apps/:id':
        return { path: of(await service.anApp(ada)), bearer, body: { name: 'Renamed' } };
      case 'POST /api/dev/apps/:id/submit':
      case 'DELETE /api/dev/apps/:id':
      case 'GET /api/dev/apps/:id/analytics':
        return { path: of(await service.anApp(ada)), bearer };
      default:
        return { path: path.replace(':slug', 'live'), bearer };
    }
  }
  const send = async (row: string, bearer: string | null, request: { path: string; body?: unknown }) =>
    service.doors.request(row.split(' ')[0] ?? '', request.path, {
      bearer,
      ...('body' in request && { body: request.body }),
    });

  it('are eighteen, and are the REST routes of the contract, no more and no less', () => {
    expect(rows).toHaveLength(18);
    const routes = operations.flatMap(([, { rest }]) => rest ?? []);
    expect(routes.toSorted()).toEqual(rows.map(({ row }) => row).toSorted());
  });

  const created = ['/api/dev/register', '/api/dev/api-keys', '/api/dev/apps', '/api/apps/:slug/install'];
  it.each(rows)('$row answers as the OpenAPI document says (D1, D3, D5)', async ({ row, method, path }) => {
    const request = await aGoodRequest(row);
    const response = await send(row, request.bearer, request);
    expect(response.status).toBe(method === 'POST' && created.includes(path) ? 201 : 200);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(response.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
    openApi.expectAnswer(method, path, response.status, await response.json());
  });

  it('POST /api/apps/:slug/install answers 200 for an installation that was counted before (D3, D30)', async () => {
    const body = { installationId: unique('installation') };
    const install = () => service.doors.request('POST', '/api/apps/live/install', { body });
    expect((await install()).status).toBe(201);
    const again = await install();
    expect(again.status).toBe(200);
    openApi.expectAnswer('POST', '/api/apps/:slug/install', 200, await again.json());
  });

  it.each(rows)(
    '$row takes the credential that SPEC says: $auth (D8, D9)',
    async ({ row, method, path, auth }) => {
      const request = await aGoodRequest(row);
      const anonymous = await send(row, null, request);
      if (auth === 'none') {
        expect(anonymous.ok).toBe(true);
        expect((await send(row, 'no credential at all', request)).ok).toBe(true);
        return;
      }
      expect(anonymous.status).toBe(401);
      expect(anonymous.headers.get('www-authenticate')).toMatch(/^Bearer /);
      const refusal = await anonymous.json();
      expect(refusal).toMatchObject({ error: { code: 'UNAUTHENTICATED' } });
      openApi.expectAnswer(method, path, 401, refusal);
      const other = path === '/api/dev/register' ? ada.key : ada.token;
      const expected = row === 'POST /api/dev/api-keys' ? 201 : 401;
      expect((await send(row, other, request)).status).toBe(expected);
      expect((await send(row, request.bearer, request)).ok).toBe(true);
    },
  );

  it.each(paths)('%s knows no other method, and says which it knows (D6, D7)', async (path) => {
    const known = rows.filter((row) => row.path === path).map(({ method }) => method);
    const allowed = [...known, ...(known.includes('GET') ? ['HEAD'] : []), 'OPTIONS'];
    const filled = path.replace(':slug', 'live').replace(':id', ada.id);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((name) => !known.includes(name))) {
      const response = await service.doors.request(method, filled, { bearer: ada.key });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')?.split(', ').toSorted()).toEqual(allowed.toSorted());
      expect(await response.json()).toMatchObject({ error: { code: 'METHOD_NOT_ALLOWED' } });
    }
  });

  it.each([
    ...['/api', '/api/', '/api/dev', '/api/admin', '/api/v1/apps', '/api/graphql', '/api/reviews'],
    ...['/api/dev/developers', '/api/dev/apps/x/withdraw', '/api/dev/apps/x/versions', '/api/dev/apps/x/y/z'],
    ...['/api/dev/api-keys/x/rotate', '/api/apps/live/ratings', '/api/apps/featured', '/api/apps/categories'],
    ...['/API/apps', '/api/Apps', '/api/apps/live/uninstall', '/api/apps/list'],
  ])('there is nothing at %s (D6)', async (path) => {
    const response = await service.doors.request('GET', path, { bearer: ada.key });
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      error: {
        code: 'NOT_FOUND',
        message: expect.any(String),
        details: [],
        requestId: response.headers.get('x-request-id'),
      },
    });
  });

  it('give the same app at both doors, field by field (D2)', async () => {
    const { id } = await service.anApp(ada, 'REJECTED');
    const overRest = (await service.doors.call<AppJson>('rest', 'myApp', { id }, ada.key)).data;
    const overGraphQL = (await service.doors.call<AppJson>('graphql', 'myApp', { id }, ada.key)).data;
    expect(overRest).toEqual(overGraphQL);
  });
});

describe('one act has one name', () => {
  let schema: GraphQLSchema;
  beforeAll(async () => {
    schema = await buildGraphQLSchema();
  });
  const rootFields = () =>
    [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
      Object.values(type?.getFields() ?? {}),
    );

  it('the operations of the contract are the root fields of GraphQL', () => {
    expect(
      rootFields()
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(operations.map(([name]) => name).toSorted());
  });

  it('each field takes and answers what the contract says', () => {
    const signature = ({ name, args, type }: ReturnType<typeof rootFields>[number]) => {
      const taken = args.map((argument) => `${argument.name}: ${argument.type}`).toSorted();
      return `${name}${taken.length > 0 ? `(${taken.join(', ')})` : ''}: ${type}`;
    };
    expect(rootFields().map(signature).toSorted()).toEqual(graphqlFields.toSorted());
  });

  it('what reads is a query, what changes is a mutation', () => {
    for (const [name, { kind }] of operations) {
      const root = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
      expect(Object.keys(root?.getFields() ?? {})).toContain(name);
    }
  });

  it('each operation that a module has is tested in a file of that name', () => {
    const files = readdirSync('test/modules', { recursive: true, encoding: 'utf8' });
    const tested = files.map((file) => file.replace(/^.*\//, ''));
    expect(operations.map(([name]) => `${name}.test.ts`).filter((file) => !tested.includes(file))).toEqual(
      [],
    );
  });
});

describe('what is promised is proven', () => {
  const listsToCome = /^const \w+ToCome = .*$/gm;
  const sources = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => readFileSync(join('test', file), 'utf8').replace(listsToCome, ''));
  const namesATest = (mark: RegExp) => sources.some((source) => mark.test(source));
  const isProvoked = (code: string) => namesATest(new RegExp(`'${code}'`));
  const isCited = (decision: string) => namesATest(new RegExp(`\\((D\\d+, )*${decision}(, D\\d+)*\\)['"\`]`));

  it('every code has the status of the contract', () => {
    expect(statusOfCode).toMatchObject(errorStatus);
  });

  it.each(Object.keys(statusOfCode))('%s is provoked by a test', (code) => {
    const isDelivered = code in errorStatus && isProvoked(code);
    expect(isDelivered).toBe(true);
  });

  const decided = [
    ...readFileSync('docs/decisions.md', 'utf8').matchAll(/^\| D(\d+)(?:–D(\d+))? \|/gm),
  ].flatMap(([, first, last = first]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => `D${Number(first) + index}`),
  );
  it('the first decisions are numbered in order, and each has a number of its own', () => {
    const numbers = decided.map((decision) => Number(decision.slice(1)));
    expect(numbers.slice(0, 62)).toEqual(numbers.slice(0, 62).map((_, index) => index + 1));
    expect(numbers).toHaveLength(new Set(numbers).size);
  });

  it.each(decided)('%s is cited by the name of a test', (decision) => {
    expect(isCited(decision)).toBe(true);
  });
});
