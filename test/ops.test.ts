import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { documentedMetrics } from './support/documented-metrics.js';

const alerts = [
  ...readFileSync('ops/alerts.yml', 'utf8').matchAll(
    /^ {6}- alert: (\w+)\n([\s\S]*?)(?=^ {6}- alert|(?![\s\S]))/gm,
  ),
].map(([, name = '', rule = '']) => ({
  name,
  rule,
  expression: /expr:([\s\S]*?)\n {8}(?:for|labels):/.exec(rule)?.[1] ?? '',
}));

interface Panel {
  title: string;
  targets?: { expr: string }[];
}
const dashboard = JSON.parse(readFileSync('ops/dashboard.json', 'utf8')) as { panels: Panel[] };

/** All metrics that a gateway has; those of the table are compared with `/metrics` by another test. */
function knownMetrics(): Map<string, string[] | null> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const defaults = registry.getMetricsAsArray().map(({ name }) => [name, null] as const);
  return new Map<string, string[] | null>([...defaults, ...documentedMetrics(), ['up', null]]);
}

/** Returns the metrics of a PromQL expression, with the labels that select their series. */
const selectorsOf = (expression: string) =>
  [...expression.matchAll(/\b((?:marketplace|nodejs|process)_\w+|up(?=\{))(?:\{([^}]*)\})?/g)].map(
    ([, metric = '', matchers = '']) => ({
      metric: metric.replace(/_(bucket|sum|count)$/, ''),
      labels: [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label),
    }),
  );

/** Labels that Prometheus adds. */
const added = ['job', 'instance'];

/** Returns the selectors of metrics or labels that no gateway has. */
function unknownIn(expression: string): string[] {
  const known = knownMetrics();
  return selectorsOf(expression).flatMap(({ metric, labels }) => {
    const own = known.get(metric);
    if (own === undefined) return [metric];
    return labels
      .filter((label) => ![...added, ...(own ?? [])].includes(label))
      .map((label) => `${metric}{${label}}`);
  });
}

describe('ops/dashboard.json', () => {
  const panels = dashboard.panels.filter(({ targets }) => targets);

  it.each(panels)('shows metrics and labels that exist: $title', ({ targets = [] }) => {
    expect(targets.length).toBeGreaterThan(0);
    for (const { expr } of targets) {
      expect(selectorsOf(expr)).not.toEqual([]);
      expect(unknownIn(expr)).toEqual([]);
    }
  });

  it('shows every metric of the service', () => {
    const shown = panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => selectorsOf(expr)));
    const names = new Set(shown.map(({ metric }) => metric));
    expect([...documentedMetrics().keys()].filter((metric) => !names.has(metric))).toEqual([]);
  });
});

describe('ops/alerts.yml', () => {
  const runbook = readFileSync('docs/operations.md', 'utf8').split('\n## Runbook\n')[1] ?? '';
  const paragraphs = new Map(
    [...runbook.matchAll(/^### (\w+)\n\n(.+)/gm)].map(([, heading = '', text = '']) => [heading, text]),
  );

  it.each(alerts)('$name uses metrics and labels that exist', ({ expression }) => {
    expect(selectorsOf(expression)).not.toEqual([]);
    expect(unknownIn(expression)).toEqual([]);
  });

  it.each(alerts)('$name leads to its paragraph in the runbook', ({ name, rule }) => {
    expect(/runbook_url: (.+)/.exec(rule)?.[1]).toBe(`'{{ $externalLabels.runbook }}#${name.toLowerCase()}'`);
    expect(paragraphs.get(name)?.length).toBeGreaterThan(200);
  });

  it('has the address of the runbook in one place', () => {
    const settings = readFileSync('ops/prometheus.yml', 'utf8');
    expect(/external_labels:\n.*\n {4}runbook: (.+)/.exec(settings)?.[1]).toMatch(/^https:\/\//);
  });

  it('has all alerts that the runbook explains, and no other', () => {
    expect(alerts.map(({ name }) => name)).toEqual([...paragraphs.keys()]);
  });
});

describe('ops/marketplace-gateway.service and the Dockerfile', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const command = scripts.start?.replace(' --stop-with-parent', '');
  const unit = readFileSync('ops/marketplace-gateway.service', 'utf8');

  it('start Node itself, as npm start does, because npm ends before the gateway has drained (D252)', () => {
    const [, started] = /^ExecStart=\/usr\/bin\/(.+)$/m.exec(unit) ?? [];
    expect(started).toBe(command);
    const [, last = '[]'] = /^CMD (\[.+\])\n*$(?![\s\S])/m.exec(readFileSync('Dockerfile', 'utf8')) ?? [];
    expect(JSON.parse(last).join(' ')).toBe(command);
    const image = readFileSync('Dockerfile', 'utf8');
    for (const file of [unit, image]) expect(file).toContain('NODE_ENV=production MALLOC_ARENA_MAX=1\n');
    const operations = readFileSync('docs/operations.md', 'utf8');
    expect(operations).toContain(`\n${command}\n${scripts.worker}\n`);
  });

  it('have the time for a stop that docs/operations.md asks for (D252)', () => {
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThanOrEqual(5 + 45);
  });
});
