import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { pathOf } from './support/programs.js';
import { runFolder } from './support/run-folder.js';

/** Values of a series, one per minute for two hours, in the notation of promtool: start, and change per minute. */
type Values = `${number}${'+' | '-'}${number}x120`;
type SeriesData = Record<string, Values>;

const rest = 'door="rest",operation="app",instance="a"';
const duration = (seconds: string) => `marketplace_request_duration_seconds_bucket{${rest},le="${seconds}"}`;

/** Two gateways on a good day. */
const healthy: SeriesData = {
  'up{job="marketplace",instance="a"}': '1+0x120',
  'up{job="marketplace",instance="b"}': '1+0x120',
  'marketplace_database_ready{instance="a"}': '1+0x120',
  'marketplace_schema_missing{instance="a"}': '0+0x120',
  'marketplace_listener_connected{instance="a"}': '1+0x120',
  [`marketplace_requests_total{${rest},code="OK"}`]: '0+6000x120',
  [`marketplace_requests_total{${rest},code="NOT_FOUND"}`]: '0+600x120',
  [`marketplace_requests_total{${rest},code="UNAVAILABLE"}`]: '5+0x120',
  // One error two hours ago.
  [`marketplace_requests_total{${rest},code="INTERNAL"}`]: '1+0x120',
  // `/readyz` while a gateway stops.
  'marketplace_requests_total{door="site",operation="readyz",code="UNAVAILABLE",instance="a"}': '0+60x120',
  [duration('0.1')]: '0+6000x120',
  [duration('1')]: '0+6000x120',
  [duration('10')]: '0+6000x120',
  [duration('+Inf')]: '0+6000x120',
  // Subscriptions are open for long.
  'marketplace_request_duration_seconds_bucket{door="graphql",operation="appChanged",instance="a",le="10"}':
    '0+0x120',
  'marketplace_request_duration_seconds_bucket{door="graphql",operation="appChanged",instance="a",le="+Inf"}':
    '0+10x120',
  'marketplace_database_connections{pool="reads",state="used",instance="a"}': '8+0x120',
  'marketplace_database_connections{pool="reads",state="waiting",instance="a"}': '0+0x120',
  'marketplace_writes{state="running",instance="a"}': '60+0x120',
  'marketplace_writes{state="waiting",instance="a"}': '5+0x120',
  'marketplace_installs_queued{instance="a"}': '400+0x120',
  'marketplace_jobs{queue="notifications",state="created",instance="a"}': '500+0x120',
  'marketplace_jobs{queue="notifications",state="retry",instance="a"}': '3+0x120',
  'marketplace_jobs{queue="notifications",state="failed",instance="a"}': '7+0x120',
  'marketplace_jobs_oldest_seconds{queue="notifications",instance="a"}': '20+0x120',
  'marketplace_replica_used{replica="r1",instance="a"}': '1+0x120',
  'marketplace_replica_lag_bytes{replica="r1",instance="a"}': '100000+0x120',
  'marketplace_streams{instance="a"}': '800+0x120',
  'marketplace_streams_max{instance="a"}': '1000+0x120',
  'nodejs_eventloop_lag_p99_seconds{job="marketplace",instance="a"}': '0.02+0x120',
};

/** The data of a bad day for each alert, where it differs from a good one. */
const badDays: Record<string, SeriesData> = {
  MarketplaceDown: { 'up{job="marketplace",instance="b"}': '0+0x120' },
  MarketplaceDatabaseNotReady: { 'marketplace_database_ready{instance="a"}': '0+0x120' },
  MarketplaceSchemaIncomplete: {
    'marketplace_database_ready{instance="a"}': '0+0x120',
    'marketplace_schema_missing{instance="a"}': '2+0x120',
  },
  MarketplaceInternalErrors: { [`marketplace_requests_total{${rest},code="INTERNAL"}`]: '1+1x120' },
  MarketplaceUnavailable: { [`marketplace_requests_total{${rest},code="UNAVAILABLE"}`]: '0+200x120' },
  MarketplaceSlow: { [duration('0.1')]: '0+5000x120', [duration('1')]: '0+5900x120' },
  MarketplaceConnectionsExhausted: {
    'marketplace_database_connections{pool="reads",state="waiting",instance="a"}': '1+0x120',
  },
  MarketplaceWritesWaiting: { 'marketplace_writes{state="waiting",instance="a"}': '51+0x120' },
  MarketplaceInstallsWaiting: { 'marketplace_installs_queued{instance="a"}': '2001+0x120' },
  MarketplaceJobsLate: { 'marketplace_jobs_oldest_seconds{queue="notifications",instance="a"}': '0+60x120' },
  MarketplaceJobsRetrying: {
    'marketplace_jobs{queue="notifications",state="retry",instance="a"}': '21+0x120',
  },
  MarketplaceJobsFailed: { 'marketplace_jobs{queue="notifications",state="failed",instance="a"}': '0+1x120' },
  MarketplaceListenerLost: { 'marketplace_listener_connected{instance="a"}': '0+0x120' },
  MarketplaceReplicaLeftOut: { 'marketplace_replica_used{replica="r1",instance="a"}': '0+0x120' },
  MarketplaceReplicaFarBehind: {
    'marketplace_replica_lag_bytes{replica="r1",instance="a"}': '0+20000000x120',
  },
  MarketplaceStreamsFull: { 'marketplace_streams{instance="a"}': '950+0x120' },
  MarketplaceEventLoopSlow: {
    'nodejs_eventloop_lag_p99_seconds{job="marketplace",instance="a"}': '0.2+0x120',
  },
};

const evaluatedAt = '100m';

/** Expects that exactly these alerts fire in the end. */
const expectation = (name: string, data: SeriesData, firing: readonly string[]) => ({
  name,
  interval: '1m',
  input_series: Object.entries({ ...healthy, ...data }).map(([series, values]) => ({ series, values })),
  promql_expr_test: [
    {
      expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
      eval_time: evaluatedAt,
      exp_samples: firing.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
    },
  ],
});

/** Runs promtool on files of ours. */
function promtool(...parameters: string[]): { isPassed: boolean; output: string } {
  const { status, stdout, stderr } = spawnSync(pathOf('promtool'), parameters, { encoding: 'utf8' });
  return { isPassed: status === 0, output: `${stdout}${stderr}` };
}

function testRules(name: string, tests: unknown[]): { isPassed: boolean; output: string } {
  const file = join(runFolder(), `${name}.test.json`);
  // JSON is YAML.
  writeFileSync(
    file,
    JSON.stringify({ rule_files: [resolve('ops/alerts.yml')], evaluation_interval: '1m', tests }),
  );
  return promtool('test', 'rules', file);
}

describe('ops/', () => {
  it('is valid for Prometheus', () => {
    expect(promtool('check', 'rules', 'ops/alerts.yml')).toMatchObject({ isPassed: true });
    expect(promtool('check', 'config', '--syntax-only', 'ops/prometheus.yml')).toMatchObject({
      isPassed: true,
    });
  });

  it('raises no alert on a good day', () => {
    expect(testRules('healthy', [expectation('healthy', {}, [])])).toMatchObject({ isPassed: true });
  });

  it('has a bad day for every alert', () => {
    const names = [...readFileSync('ops/alerts.yml', 'utf8').matchAll(/- alert: (\w+)/g)].map(
      ([, name]) => name,
    );
    expect(Object.keys(badDays)).toEqual(names);
  });

  it.each(Object.keys(badDays))('raises %s, and no other alert, on its bad day', (name) => {
    const data = badDays[name] ?? {};
    for (const series of Object.keys(data)) expect(Object.keys(healthy)).toContain(series);
    const { isPassed, output } = testRules(name, [expectation(name, data, [name])]);
    expect(output).toMatch(/SUCCESS/);
    expect(isPassed).toBe(true);
  });

  it('raises MarketplaceInternalErrors by the first error of an operation', () => {
    const test = expectation('first error', {}, ['MarketplaceInternalErrors']);
    const series = 'marketplace_requests_total{door="rest",operation="me",code="INTERNAL",instance="a"}';
    const first = { series, values: '_x99 1+0x20' };
    const { output } = testRules('first-error', [{ ...test, input_series: [...test.input_series, first] }]);
    expect(output).toMatch(/SUCCESS/);
  });
});
