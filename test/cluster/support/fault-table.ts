import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runFolder } from './run-folder.js';

/** The result of one fault. */
export interface FaultResult {
  readonly fault: string;
  /** Number of times that it happened. */
  readonly times: number;
  /** Writes that were acknowledged while it happened, before and after included. */
  readonly acknowledged: number;
  readonly lost: number;
  readonly duplicated: number;
  /** Longest time from the end of the fault (for a failover: from its beginning) to the next acknowledged write. */
  readonly recoverySeconds: number;
}

const FILE = 'faults.jsonl';
const target = resolve(import.meta.dirname, '../../../dist/test/cluster/faults.md');

/** Records a row of the table that the run prints at its end. */
export function recordFault(result: FaultResult): void {
  appendFileSync(join(runFolder(), FILE), `${JSON.stringify(result)}\n`);
}

/** Prints the table, and writes it as Markdown to dist/test/cluster/faults.md. */
export function printFaults(folder: string): void {
  const file = join(folder, FILE);
  if (!existsSync(file)) return;
  const results = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as FaultResult);
  const table = tableOf(results);
  process.stderr.write(`\n${table}\n`);
  mkdirSync(join(target, '..'), { recursive: true });
  writeFileSync(target, table);
}

function tableOf(results: readonly FaultResult[]): string {
  const head = ['fault', 'times', 'acknowledged', 'lost', 'duplicated', 'recovery (s)'];
  const rows = results.map((result) => [
    result.fault,
    String(result.times),
    result.acknowledged.toLocaleString('en'),
    String(result.lost),
    String(result.duplicated),
    result.recoverySeconds.toFixed(1),
  ]);
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: string[]) =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join(' | ')} |`;
  const rule = `|${widths.map((width, i) => (i === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return `${[line(head), rule, ...rows.map(line)].join('\n')}\n`;
}
