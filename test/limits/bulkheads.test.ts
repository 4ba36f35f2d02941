import { describe, expect, it } from '@jest/globals';
import { atOnce } from '../support/actors.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { startService } from '../support/service.js';
import { closeAtEnd } from '../support/shared.js';
import { catalogTables, HeldTables, whileHeld } from './held-tables.js';

const service = duringTests(startService);
const ada = beforeTests(() => service.aDeveloper());

/** More than run and wait at once. */
const many = 300;

const get = async (path: string, bearer: string | null = null) => {
  const response = await service.client.request('GET', path, { bearer });
  const body = (await response.json()) as { error?: { message: string; code: string } };
  const retryAfter = response.headers.get('retry-after');
  return { status: response.status, body, retryAfter };
};
const searchesAtOnce = (count: number) => atOnce(count, (index) => get(`/api/apps?search=w${index}`));

describe('many searches at once (D360)', () => {
  it('are rejected with 503 and Retry-After if they do not fit, while health checks and credentials do not wait', async () => {
    const held = await HeldTables.lock(service, catalogTables);
    const pending = searchesAtOnce(many);
    await held.areWantedBy(1);
    // They succeed while no search does.
    const [ready, me] = await Promise.all([get('/readyz'), get('/api/dev/me', ada.key)]);
    await held.release();
    expect([ready.status, me.status]).toEqual([200, 200]);
    const searches = await pending;
    const rejected = searches.filter(({ status }) => status !== 200);
    expect(rejected.length).toBeGreaterThan(0);
    expect(rejected.length).toBeLessThan(many);
    for (const { status, retryAfter, body } of rejected)
      expect([status, retryAfter, body.error?.code]).toEqual([503, '2', 'UNAVAILABLE']);
    expect(rejected[0]?.body.error?.message).toMatch('Too many searches');
    expect((await get('/api/apps?search=again')).status).toBe(200);
  });

  it('are counted in the metrics', async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    expect(text).toMatch(/^marketplace_searches\{state="running"\} 0$/m);
    expect(text).toMatch(/^marketplace_searches\{state="waiting"\} 0$/m);
  });
});

describe('a statement that takes too long', () => {
  it('is reported as such, and not as a database that cannot be reached (D360)', async () => {
    const hurried = await startService({}, undefined, { databaseTimeouts: { statementMs: 300 } });
    closeAtEnd(hurried);
    const response = await whileHeld(hurried, { tables: catalogTables, ms: 900 }, () =>
      hurried.client.request('GET', '/api/apps'),
    );
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await response.json()).toMatchObject({
      error: { code: 'UNAVAILABLE', message: expect.stringMatching('needed too long') },
    });
  });
});
