import { beforeAll, describe, expect, it } from '@jest/globals';
import { unique } from '../support/actors.js';
import { duringTests } from '../support/before-tests.js';
import { documentedMetrics } from '../support/documented-metrics.js';
import { startService } from '../support/service.js';
import { startServiceOnLine } from '../support/service-on-line.js';
import { createTestLog, logLineOf } from './test-log.js';

const log = createTestLog();
const service = duringTests(() => startService({}, log.log));
beforeAll(async () => {
  // The metrics show its jobs.
  await service.aDeveloper();
});

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

  it('are those of the table in operations.md, with its labels (D270)', async () => {
    const text = await metrics();
    const typed = [...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name);
    const documented = documentedMetrics();
    expect(typed.filter((name) => name.startsWith('marketplace_')).sort()).toEqual(
      [...documented.keys()].sort(),
    );
    expect(typed.filter((name) => !/^(marketplace|nodejs|process)_/.test(name))).toEqual([]);
    for (const [, sample = '', list = ''] of text.matchAll(/^(marketplace_\w+)\{(.*)\}/gm)) {
      const name = documented.has(sample) ? sample : sample.replace(/_(bucket|sum|count)$/, '');
      const labels = [...list.matchAll(/(\w+)="/g)]
        .map(([, label]) => label)
        .filter((label) => label !== 'le');
      expect([name, labels]).toEqual([name, documented.get(name)]);
    }
  });

  it('show the database, its schema and the jobs that are due (D270)', async () => {
    const value = async (series: string) =>
      Number(
        (await metrics())
          .split('\n')
          .find((line) => line.startsWith(`${series} `))
          ?.split(' ')[1],
      );
    expect(await value('marketplace_database_ready')).toBe(1);
    expect(await value('marketplace_schema_missing')).toBe(0);
    expect(await value('marketplace_listener_connected')).toBe(1);
    expect(await value('marketplace_writes{state="running"}')).toBe(0);
    expect(await value('marketplace_installs_queued')).toBe(0);
    await service.sql(
      `update pgboss.job set start_after = now() - interval '1 hour' where name = 'notifications'`,
    );
    expect(await value('marketplace_jobs_oldest_seconds{queue="notifications"}')).toBeGreaterThanOrEqual(
      3600,
    );
    expect(await value('marketplace_jobs_oldest_seconds{queue="notifications"}')).toBeLessThan(3700);
    expect(await value('marketplace_jobs_oldest_seconds{queue="webhook-deliveries"}')).toBe(0);
    await service.sql(`update pgboss.queue set failed_count = 3 where name = 'mail-digests'`);
    expect(await value('marketplace_jobs{queue="mail-digests",state="failed"}')).toBe(3);
  });

  it('are sent in time and without jobs while the database does not respond (D270)', async () => {
    await using distant = await startServiceOnLine();
    const get = async () => (await distant.client.request('GET', '/metrics')).text();
    expect(await get()).toMatch(/^marketplace_database_ready 1$/m);
    distant.line.silence();
    const text = await get();
    expect(text).toMatch(/^marketplace_database_ready 0$/m);
    expect(text).not.toMatch(/^marketplace_jobs\{/m);
  });

  it('are sent to clients with METRICS_TOKEN, and are a 404 for all others (D89)', async () => {
    const token = 'a-token-of-the-operators';
    await using guarded = await startService({ METRICS_TOKEN: token });
    const get = (bearer: string | null) => guarded.client.request('GET', '/metrics', { bearer });
    expect((await get(token)).status).toBe(200);
    for (const bearer of [null, 'x', `${token}x`, await guarded.admin()]) {
      const rejected = await get(bearer);
      expect(rejected.status).toBe(404);
      expect(await rejected.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
    }
  });
});
