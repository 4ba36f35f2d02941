import { describe, expect, it } from '@jest/globals';
import { apis, type Input } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { type AppPage, browsedCatalog, slugsOf } from './browsed-catalog.js';

const catalog = beforeTests(browsedCatalog);
const service = beforeTests(() => catalog.service);

describe.each(apis)('the input of browseApps over %s', (api) => {
  const browse = async (input: Input = {}) =>
    expectSuccess(await service.client.call<AppPage>(api, 'browseApps', input));
  const refused = (input: Input) => service.client.call(api, 'browseApps', input);

  it('caps a limit above 100 at 100, and reports it (D27)', async () => {
    expect((await browse({ limit: 100 })).pagination.limit).toBe(100);
    for (const limit of [101, 2_000_000_000]) {
      expect((await browse({ limit })).pagination).toEqual({ page: 1, limit: 100, total: 7, totalPages: 1 });
    }
  });

  it('refuses a search whose characters stand for eighteen letters each (D27)', async () => {
    expectError(await refused({ search: '\ufdfa'.repeat(97) }), 'VALIDATION_FAILED', ['search: too_long']);
  });

  it.each([
    ['category', 'finance'],
    ['category', 'GAMES'],
    ['environment', 'PRODUCTION'],
    ['environment', 'prod'],
    ['featured', 'yes'],
    ['sort', 'oldest'],
    ['page', 'two'],
    ['page', 1.5],
    ['limit', '1e2'],
  ])('refuses an invalid value of %s: %j (D27)', async (field, value) => {
    const outcome = await refused({ [field]: value });
    expect(outcome).toMatchObject({ code: 'VALIDATION_FAILED', status: 400 });
    expect(outcome.details.map((detail) => detail.field)).toEqual([field]);
  });

  it('refuses all bad values at once (D6)', async () => {
    expectError(await refused({ page: 0, limit: 0, search: 'x'.repeat(101) }), 'VALIDATION_FAILED', [
      'limit: too_small',
      'page: too_small',
      'search: too_long',
    ]);
  });

  it('treats a search of spaces as absent (D27)', async () => {
    expect(slugsOf(await browse({ search: '   ' }))).toEqual(catalog.popular);
  });
});

describe('the query parameters of browseApps over rest', () => {
  const get = (query: string, headers: Record<string, string> = {}) =>
    service.client.request('GET', `/api/apps${query}`, { headers });
  const bodyOf = async (response: Response) =>
    (await response.json()) as AppPage & { error: { code: string; details: { field: string }[] } };

  it('treats an empty parameter as absent (D27)', async () => {
    const body = await bodyOf(await get('?category=&environment=&featured=&search=&page=&limit=&sort='));
    expect(slugsOf(body)).toEqual(catalog.popular);
    expect(body.pagination).toEqual({ page: 1, limit: 20, total: 7, totalPages: 1 });
  });

  it('ignores unknown parameters, repeated ones too (D27)', async () => {
    const response = await get('?utm_source=mail&x=1&x=2&category[]=FINANCE&Page=9&slug=x&id=1');
    expect(slugsOf(await bodyOf(response))).toEqual(catalog.popular);
  });

  it.each(['category', 'environment', 'featured', 'search', 'page', 'limit', 'sort'])(
    'refuses %s given twice (D27)',
    async (field) => {
      const value =
        { category: 'FINANCE', environment: 'staging', featured: 'true', sort: 'name' }[field] ?? '1';
      for (const query of [`?${field}=${value}&${field}=${value}`, `?${field}=&${field}=${value}`]) {
        const response = await get(query);
        expect(response.status).toBe(400);
        const { error } = await bodyOf(response);
        expect(error.code).toBe('VALIDATION_FAILED');
        expect(error.details.map((detail) => detail.field)).toEqual([field]);
      }
    },
  );

  it.each([
    'page=%201',
    'page=1x',
    'page=0x1',
    'page=1.0',
    'page=',
    'limit=Infinity',
    'limit=null',
    'featured=1',
  ])('parses %s strictly (D27)', async (query) => {
    expect((await get(`?${query}`)).status).toBe(query === 'page=' ? 200 : 400);
  });

  it.each(['featured=TRUE', 'featured=0', 'featured=true,false'])('refuses %s (D27)', async (query) => {
    expect((await get(`?${query}`)).status).toBe(400);
  });

  it.each(['101', '1000000', '99999999999999999999'])('caps limit=%s at 100 (D27)', async (limit) => {
    const response = await get(`?limit=${limit}`);
    expect(response.status).toBe(200);
    expect((await bodyOf(response)).pagination.limit).toBe(100);
  });

  it('refuses a page number that is too large (D27)', async () => {
    expect((await get('?page=99999999999999999999')).status).toBe(400);
  });
});
