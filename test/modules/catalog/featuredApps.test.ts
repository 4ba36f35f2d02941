import { beforeAll, describe, expect, it } from '@jest/globals';
import { apis, type Input } from '../../support/api-client.js';
import { duringTests } from '../../support/before-tests.js';
import { copiesOf } from '../../support/copies.js';
import { expectSuccess } from '../../support/outcomes.js';
import { startService } from '../../support/service.js';
import { aPublicApp, type PublicAppJson, publicFields } from './public-apps.js';

let twins: string[];
const service = duringTests(startService);
beforeAll(async () => {
  const ada = await service.aDeveloper();
  const featured = true;
  await aPublicApp(service, ada, { name: 'Older' }, { installs: 5, day: 2, featured });
  await aPublicApp(service, ada, { name: 'Newer' }, { installs: 5, day: 3, featured });
  await aPublicApp(service, ada, { name: 'Most', environment: 'staging' }, { installs: 9, day: 1, featured });
  await aPublicApp(service, ada, { name: 'Plain' }, { installs: 100 });
  twins = [];
  for (let count = 0; count < 2; count += 1)
    twins.push((await aPublicApp(service, ada, { name: 'Twin' }, { day: 1, featured })).slug);

  const gone = await aPublicApp(service, ada, { name: 'Gone' }, { installs: 50, featured });
  await service.administer('suspendApp', { id: gone.id, reason: 'Broken.' });
  const eve = await service.aDeveloper();
  await aPublicApp(service, eve, { name: 'Fraud' }, { installs: 50, featured });
  await service.administer('suspendDeveloper', { id: eve.id, reason: 'Fraud.' });
});

describe.each(apis)('featuredApps over %s', (api) => {
  const featured = async (input: Input = {}) => {
    const data = expectSuccess(await service.client.call<PublicAppJson[]>(api, 'featuredApps', input));
    return data.map(({ slug }) => slug);
  };

  it('returns the featured apps that are public, most installed first, then latest, then id (D27, D28, D29)', async () => {
    expect(await featured()).toEqual(['most', 'newer', 'older', ...twins]);
  });

  it('returns the public form of each (D17)', async () => {
    const { data } = await service.client.call<PublicAppJson[]>(api, 'featuredApps');
    for (const app of data) {
      expect(Object.keys(app).sort()).toEqual([...publicFields].sort());
      expect(app).toMatchObject({ status: 'APPROVED', featured: true });
    }
  });

  it('filters by environment (D27)', async () => {
    expect(await featured({ environment: 'staging' })).toEqual(['most']);
    expect(await featured({ environment: 'localhost' })).toEqual([]);
  });

  it('accepts a limit, and caps it at 100 (D27)', async () => {
    expect(await featured({ limit: 2 })).toEqual(['most', 'newer']);
    expect(await featured({ limit: 101 })).toHaveLength(5);
  });

  it.each([
    ['environment', 'prod'],
    ['limit', 'many'],
  ])('refuses an invalid value of %s: %s (D27)', async (field, value) => {
    const outcome = await service.client.call(api, 'featuredApps', { [field]: value });
    expect(outcome).toMatchObject({ code: 'VALIDATION_FAILED', status: 400, details: [{ field }] });
  });
});

describe('featuredApps over many featured apps', () => {
  const crowded = duringTests(startService);
  beforeAll(async () => {
    const { id } = await aPublicApp(crowded, await crowded.aDeveloper(), {}, { featured: true });
    await copiesOf(crowded, id, 109, { slug: "'more-' || n" });
  });

  it.each(apis)('returns 20 by default and never more than 100, over %s (D27)', async (api) => {
    for (const [limit, count] of [
      [undefined, 20],
      [100, 100],
      [1000, 100],
    ]) {
      const { data } = await crowded.client.call<unknown[]>(api, 'featuredApps', limit ? { limit } : {});
      expect(data).toHaveLength(count!);
    }
  });
});

describe('featuredApps over REST only', () => {
  const get = (query: string) => service.client.request('GET', `/api/apps/featured/list${query}`);

  it('treats empty parameters as absent and ignores unknown ones (D27)', async () => {
    const body = (await (await get('?environment=&limit=&page=2&featured=false')).json()) as { apps: [] };
    expect(body.apps).toHaveLength(5);
  });

  it.each(['?limit=1&limit=2', '?environment=staging&environment=staging'])(
    'refuses %s (D27)',
    async (query) => {
      expect((await get(query)).status).toBe(400);
    },
  );
});
