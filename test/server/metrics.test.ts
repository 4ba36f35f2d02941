import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unique } from '../support/actors.js';
import { type Service, startService } from '../support/service.js';
import { createTestLog, logLineOf } from './test-log.js';

const log = createTestLog();
let service: Service;
beforeAll(async () => {
  service = await startService({}, log.log);
  // The metrics show its jobs.
  await service.aDeveloper();
});
afterAll(() => service.close());

const lineOf = (send: () => Promise<Response>) => logLineOf(log, send);
const graphql = (query: string) => () => service.client.request('POST', '/graphql', { body: { query } });
const rest = (method: string, path: string) => () => service.client.request(method, path);

describe('the metrics', () => {
  const metrics = async () => (await rest('GET', '/metrics')()).text();

  it('count requests by API, operation and error code, and measure their duration (D89)', async () => {
    await lineOf(rest('GET', '/api/apps/none-such'));
    await lineOf(graphql('{ featuredApps { slug } }'));
    const text = await metrics();
    expect(text).toMatch(/^marketplace_requests_total\{door="rest",operation="app",code="NOT_FOUND"\} 1$/m);
    expect(text).toMatch(
      /^marketplace_requests_total\{door="graphql",operation="featuredApps",code="OK"\} 1$/m,
    );
    expect(text).toMatch(/^marketplace_request_duration_seconds_count\{door="rest",operation="app"\} 1$/m);
    for (const pool of ['writes', 'reads', 'installs', 'jobs'])
      for (const state of ['used', 'idle', 'waiting', 'max'])
        expect(text).toMatch(
          new RegExp(`^marketplace_database_connections\\{pool="${pool}",state="${state}"\\} \\d+$`, 'm'),
        );
    expect(text).toMatch(/^marketplace_jobs\{queue="notifications",state="created"\} [1-9]\d*$/m);
    expect(text).toMatch(/^marketplace_jobs\{queue="webhook-deliveries",state="failed"\} 0$/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
    expect(text).toMatch(/^process_resident_memory_bytes /m);
  });

  it('have labels from a fixed set only, whatever is requested (D89)', async () => {
    for (const path of [unique('/a'), unique('/api/b'), unique('/api/dev/c')])
      await lineOf(rest('GET', path));
    await lineOf(graphql(`{ ${unique('x').replaceAll('-', '')} }`));
    const text = await metrics();
    const labels = [...text.matchAll(/^marketplace_requests_total\{(.*)\}/gm)].map(([, label]) => label);
    expect(labels.join('\n')).not.toMatch(/[0-9a-f]{8}-/);
    expect(labels).toContain('door="rest",operation="unknown",code="NOT_FOUND"');
  });

  it('are sent to clients with METRICS_TOKEN, and are a 404 for all others (D89)', async () => {
    const token = 'a-token-of-the-operators';
    const guarded = await startService({ METRICS_TOKEN: token });
    try {
      const get = (bearer: string | null) => guarded.client.request('GET', '/metrics', { bearer });
      expect((await get(token)).status).toBe(200);
      for (const bearer of [null, 'x', `${token}x`, await guarded.admin()]) {
        const rejected = await get(bearer);
        expect(rejected.status).toBe(404);
        expect(await rejected.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
      }
    } finally {
      await guarded.close();
    }
  });
});
