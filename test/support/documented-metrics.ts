import { readFileSync } from 'node:fs';

const quoted = (cell: string) => [...cell.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);

/** Returns the labels of each metric of ours in the table of docs/operations.md. */
export function documentedMetrics(): Map<string, string[]> {
  const rows = readFileSync('docs/operations.md', 'utf8').matchAll(/^\| (`marketplace_\w+`.*?) \| (.*?)\|/gm);
  return new Map(
    [...rows].flatMap(([, names = '', labels = '']) => quoted(names).map((name) => [name, quoted(labels)])),
  );
}
