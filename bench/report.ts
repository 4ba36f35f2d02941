import { median } from './figures.js';
import type { LoadKind, Sample } from './measure.js';
import type { Row } from './rows.js';
import type { Variant } from './servers/servers.js';
import { LIMITED_FROM, READY_WITHIN_S, RESIDENT_UP_TO_MB, targets } from './targets.js';

/** The medians of one server in one row. */
export interface Cell {
  readonly load: LoadKind;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly errors: number;
  readonly residentMb: number | null;
  readonly processorMs: number | null;
  readonly databaseMs: number | null;
}

export type Line = { readonly row: Row; readonly cells: Partial<Record<Variant, Cell>> };

export function cellOf(samples: readonly Sample[]): Cell {
  const of = (figure: (sample: Sample) => number) => median(samples.map(figure));
  return {
    load: samples[0]!.load,
    perSecond: of(({ perSecond }) => perSecond),
    p50Ms: of(({ p50Ms }) => p50Ms),
    p99Ms: of(({ p99Ms }) => p99Ms),
    maxMs: Math.max(...samples.map(({ maxMs }) => maxMs)),
    errors: samples.reduce((sum, { errors, open }) => sum + errors + (open?.unanswered ?? 0), 0),
    residentMb: samples.at(-1)?.residentMb ?? null,
    processorMs: ifKnown(samples.map(({ processorMs }) => processorMs)),
    databaseMs: ifKnown(samples.map(({ databaseMs }) => databaseMs)),
  };
}

const ifKnown = (values: readonly (number | null)[]) =>
  values.includes(null) ? null : median(values.map((value) => value ?? 0));

const TEXT_COLUMNS = 3;
const header = (isCompared: boolean) => [
  'row',
  'server',
  'load',
  'requests/s',
  'p50 ms',
  'p99 ms',
  'max ms',
  '× bare',
  '× static',
  ...(isCompared ? ['× base', 'CPU × base'] : []),
  'errors',
  'CPU ms',
  'PG CPU ms',
  'per core',
  'RSS MB',
  'target',
];

/** Returns the table as text cells, one line for each row and server. */
export function tableOf(lines: readonly Line[]): string[][] {
  const isCompared = lines.some(({ cells }) => cells.base);
  return [
    header(isCompared),
    ...lines.flatMap(({ row, cells }) =>
      Object.entries(cells).map(([variant, cell], index) => [
        index === 0 ? row.title : '',
        variant,
        cell.load,
        cell.perSecond.toFixed(cell.perSecond < 10 ? 1 : 0),
        ...[cell.p50Ms.toFixed(2), cell.p99Ms.toFixed(2), cell.maxMs.toFixed(0)].map((text) =>
          cell.perSecond > 0 ? text : '–',
        ),
        ratio(cell, cells.bare),
        ratio(cell, cells.static),
        ...(isCompared ? [ratio(cell, cells.base), processorRatio(cell, cells.base)] : []),
        String(cell.errors),
        cell.processorMs?.toFixed(3) ?? '–',
        cell.databaseMs?.toFixed(3) ?? '–',
        perCore(cell),
        cell.residentMb?.toFixed(0) ?? '–',
        variant === 'ours' ? verdict(row, cells, lines) : '',
      ]),
    ),
  ];
}

const totalMs = ({ processorMs, databaseMs }: Cell) =>
  processorMs === null || databaseMs === null ? null : processorMs + databaseMs;

/** Requests per second that one core carries if it runs the server and PostgreSQL and nothing else. */
function perCore(cell: Cell): string {
  const ms = totalMs(cell);
  return ms ? (1000 / ms).toFixed(0) : '–';
}

/** Compares the processor time per request, of the server and of PostgreSQL together: less is better. */
function processorRatio(cell: Cell, to: Cell | undefined): string {
  const [one, other] = [totalMs(cell), to ? totalMs(to) : null];
  return one === null || !other ? '–' : (one / other).toFixed(2);
}

/** Returns a dash if the other server has no responses to compare with. */
const ratio = (cell: Cell, to: Cell | undefined) =>
  to && to.perSecond > 0 ? (cell.perSecond / to.perSecond).toFixed(2) : '–';

function verdict(
  row: Row,
  { ours, bare, unlimited, static: ceiling }: Line['cells'],
  lines: readonly Line[],
): string {
  const target = targets[row.name] ?? {};
  if (!ours) return '';
  const [otherName, multiple = 0] = target.row ?? [];
  const other = lines.find(({ row: { name } }) => name === otherName);
  const atLeast = (wanted: number | undefined, to: Cell | undefined, of: string) =>
    wanted === undefined || !to || to.perSecond === 0
      ? []
      : [judge(ours.perSecond / to.perSecond >= wanted, `≥ ${wanted} × ${of}`)];
  const share = other?.cells.ours && `${ratio(ours, other.cells.ours)} × “${other.row.title}”: `;
  return [
    ...atLeast(target.bare, bare, 'bare'),
    ...atLeast(target.static, ceiling, 'static'),
    ...atLeast(LIMITED_FROM, unlimited, 'unlimited'),
    ...atLeast(multiple, other?.cells.ours, 'that').map((text) => `${share}${text}`),
    ...(target.p99Ms === undefined ? [] : [judge(ours.p99Ms <= target.p99Ms, `p99 ≤ ${target.p99Ms} ms`)]),
    ...(target.noErrors ? [judge(ours.errors === 0, 'no error')] : []),
  ].join(', ');
}

const judge = (isMet: boolean, wanted: string) => `${isMet ? 'met' : 'MISSED'} (${wanted})`;

/** Formats the table with aligned columns for a terminal. */
export function asText(table: readonly string[][]): string {
  const widths = table[0]!.map((_, column) => Math.max(...table.map((line) => line[column]!.length)));
  const isText = (column: number) => column < TEXT_COLUMNS || column === widths.length - 1;
  return table
    .map((line) =>
      line
        .map((cell, column) =>
          isText(column) ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

export function asMarkdown(table: readonly string[][]): string {
  const [first, ...rest] = table;
  const alignment = first!.map((_, column) =>
    column < TEXT_COLUMNS || column === first!.length - 1 ? '---' : '---:',
  );
  return [first!, alignment, ...rest].map((line) => `| ${line.join(' | ')} |`).join('\n');
}

/** Returns the results for the process as a whole: start time and memory. */
export function processLines(readySeconds: number, residentMb: number | null): string[] {
  const word = (isMet: boolean) => (isMet ? 'met' : 'MISSED');
  return [
    `Ready on a second start in ${readySeconds.toFixed(2)} s, with PostgreSQL running: ${word(readySeconds <= READY_WITHIN_S)} (≤ ${READY_WITHIN_S} s)`,
    ...(residentMb === null
      ? []
      : [
          `RSS of the gateway after the load ${residentMb.toFixed(0)} MB: ${word(residentMb <= RESIDENT_UP_TO_MB)} (≤ ${RESIDENT_UP_TO_MB} MB)`,
        ]),
  ];
}

/** Returns how warm rows were loaded, and the results of open loops: the generator's own delays among them. */
export function loadLines(wrk: string | null, samples: readonly (readonly [string, Sample])[]): string[] {
  return [
    wrk === null
      ? 'wrk is not installed: the warm rows have the load of the bench’s own generator, which tires before `static` does'
      : `The warm rows have the load of ${wrk}, which tires later than \`static\`: one thread, its requests in turn`,
    ...samples.flatMap(([title, { open, sent, errors, maxMs, p50Ms, p99Ms }]) =>
      open
        ? [
            `${title}: p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms, max ${maxMs.toFixed(0)} ms, ${errors} errors, ${open.unanswered} of ${sent.toLocaleString('en')} requests without a response; the generator was late by ${open.lateP99Ms.toFixed(1)} ms (p99), at most ${open.lateMaxMs.toFixed(1)} ms`,
          ]
        : [],
    ),
  ];
}
