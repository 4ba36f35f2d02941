import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { operations } from '../src/contract.js';
import { errorStatus } from '../src/errors.js';
import { type AppJson, aListing, unique } from './support/actors.js';
import { beforeTests, duringTests } from './support/before-tests.js';
import { OpenApi } from './support/openapi.js';
import { statusOfCode } from './support/outcomes.js';
import { startService } from './support/service.js';

/** SPEC's 18 REST routes, as SPEC writes them: method, path, credential. */
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

describe("SPEC's 18 REST routes", () => {
  const service = duringTests(startService);
  const openApi = beforeTests(() => new OpenApi(JSON.parse(readFileSync('schema/openapi.json', 'utf8'))));
  const ada = beforeTests(() => service.aDeveloper());
  beforeAll(async () => {
    await service.anApp(ada, 'APPROVED', { name: 'Live' });
    const { id } = await service.anApp(ada, 'APPROVED', { name: 'Loved' });
    await service.administer('featureApp', { id, featured: true });
  });

  /** Returns a valid request to a route, and the credential that it needs. */
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
    service.client.request(row.split(' ')[0] ?? '', request.path, {
      bearer,
      ...('body' in request && { body: request.body }),
    });

  it('are exactly the REST routes of the contract', () => {
    expect(rows).toHaveLength(18);
    const routes = operations.flatMap(([, { rest }]) => rest ?? []);
    expect(routes.toSorted()).toEqual(rows.map(({ row }) => row).toSorted());
  });

  const created = ['/api/dev/register', '/api/dev/api-keys', '/api/dev/apps', '/api/apps/:slug/install'];
  it.each(rows)(
    '$row responds as the OpenAPI document describes (D1, D3, D5)',
    async ({ row, method, path }) => {
      const request = await aGoodRequest(row);
      const response = await send(row, request.bearer, request);
      expect(response.status).toBe(method === 'POST' && created.includes(path) ? 201 : 200);
      expect(response.headers.get('content-type')).toMatch(/^application\/json/);
      expect(response.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
      openApi.expectAnswer(method, path, response.status, await response.json());
    },
  );

  it('POST /api/apps/:slug/install returns 200 for an installation that was already counted (D3, D30)', async () => {
    const body = { installationId: unique('installation') };
    const install = () => service.client.request('POST', '/api/apps/live/install', { body });
    expect((await install()).status).toBe(201);
    const again = await install();
    expect(again.status).toBe(200);
    openApi.expectAnswer('POST', '/api/apps/:slug/install', 200, await again.json());
  });

  it.each(rows)(
    '$row accepts the credential of SPEC: $auth (D8, D9)',
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

  it.each([
    { input: 'CreateAppInput', output: 'App' },
    { input: 'UpdateAppInput', output: 'App' },
    { input: 'UpdateMeInput', output: 'Developer' },
  ])('accept no field in $input that $output lacks (D381)', ({ input, output }) => {
    const fieldsOf = (name: string) =>
      Object.keys(openApi.at(`/components/schemas/${name}/properties`) ?? {});
    expect(fieldsOf(input)).not.toEqual([]);
    expect(fieldsOf(input).filter((field) => !fieldsOf(output).includes(field))).toEqual([]);
  });

  it('return the same fields of an app as GraphQL (D2)', async () => {
    const { id } = await service.anApp(ada, 'REJECTED');
    const overRest = (await service.client.call<AppJson>('rest', 'myApp', { id }, ada.key)).data;
    const overGraphQL = (await service.call<AppJson>('myApp', { id }, ada.key)).data;
    expect(overRest).toEqual(overGraphQL);
  });
});

describe('error codes', () => {
  const sources = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.test.ts') && !file.includes('node_modules'))
    .map((file) => readFileSync(join('test', file), 'utf8'));

  it('have the status of the contract', () => {
    expect(statusOfCode).toMatchObject(errorStatus);
  });

  it.each(Object.keys(statusOfCode))('%s is provoked by a test', (code) => {
    expect(Object.keys(errorStatus)).toContain(code);
    expect(sources.some((source) => source.includes(`'${code}'`))).toBe(true);
  });
});
