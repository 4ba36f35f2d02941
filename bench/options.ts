import { parseArgs } from 'node:util';
import { baselines, type Variant } from './servers/servers.js';

export const help = `Compares the gateway with baselines, and with another commit of itself, on one PostgreSQL. Starts and removes all of them.

Usage: npm run bench -- [options]

  --rows a,b          only these rows; a prefix is enough (list,install); --rows help lists them
  --variants a,b      only these servers of ${baselines.join(', ')}, ours, unlimited; ratios need bare and static
  --compare commit    build this commit too and measure it beside ours, as the server base
  --apps n            number of apps in the catalog (100000)
  --rounds n          number of measurements of each row (3); the table shows the medians
  --seconds n         length of a measurement (2), after a warm-up of a quarter of it
  --no-plain          without the server plain, which is the slowest
  --quick             one round of one second, 10000 apps: only to check that it works
  --data folder       store the loaded catalog there and reuse it in the next run
  --profile folder    write a CPU profile of ours there when it stops
  --out file          write the table as Markdown to this file, and a plot of latencies beside it
  --write             write them to bench/RESULTS.md and bench/RESULTS-latency.svg
  --scale             instead: compare the p99 of searches and deep pages at 10,000 and 1,000,000 apps (or --apps n)
  --soak minutes      instead: run the mixed load for this long, and print the memory of ours every ten seconds;
                      --out and --write then write a plot only (bench/soak-latency.svg)
  --first-start       instead: compare a first npm start in a fresh clone with npm ci; downloads all packages
  --help              this text
`;

/** The parsed options of the command line. */
export interface Options {
  readonly rows: readonly string[];
  readonly variants: readonly Variant[];
  /** Commit that is built and measured as `base`. */
  readonly compare: string | null;
  readonly apps: number;
  /** Number of apps of the large catalog of --scale. */
  readonly scaleApps: number;
  readonly rounds: number;
  readonly windowMs: number;
  readonly data: string | null;
  readonly profile: string | null;
  readonly out: string | null;
  readonly write: boolean;
  readonly scale: boolean;
  readonly firstStart: boolean;
  readonly soakMinutes: number | null;
}

/** A wrong option; the message is printed without a stack trace. */
export class UsageError extends Error {}

/** Parses the command line; returns null for --help. */
export function readOptions(args: readonly string[]): Options | null {
  const { values } = parse(args);
  if (values.help) return null;
  const quick = values.quick === true;
  return {
    rows: list(values.rows),
    variants: chosenVariants(values),
    compare: values.compare ?? null,
    apps: positive('apps', values.apps, quick ? 10_000 : 100_000),
    scaleApps: positive('apps', values.apps, 1_000_000),
    rounds: positive('rounds', values.rounds, quick ? 1 : 3),
    windowMs: positive('seconds', values.seconds, quick ? 1 : 2) * 1000,
    data: values.data ?? null,
    profile: values.profile ?? null,
    out: values.out ?? null,
    write: values.write === true,
    scale: values.scale === true,
    firstStart: values['first-start'] === true,
    soakMinutes: values.soak === undefined ? null : positive('soak', values.soak, 10),
  };
}

function parse(args: readonly string[]) {
  const string = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        rows: string,
        variants: string,
        compare: string,
        apps: string,
        rounds: string,
        seconds: string,
        data: string,
        profile: string,
        out: string,
        soak: string,
        quick: flag,
        'no-plain': flag,
        write: flag,
        scale: flag,
        'first-start': flag,
        help: flag,
      },
    });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}. Try --help.`);
  }
}

const list = (value: string | undefined) => (value ?? '').split(',').filter(Boolean);

/** Returns the servers in the order in which each row measures them. */
function chosenVariants(values: ReturnType<typeof parse>['values']): Variant[] {
  const known: readonly Variant[] = [...baselines, 'ours', 'unlimited'];
  const wanted = values.variants === undefined ? known : list(values.variants);
  const unknown = wanted.find((name) => !known.some((variant) => variant === name));
  if (unknown !== undefined)
    throw new UsageError(`There is no variant ${unknown}: use some of ${known.join(', ')}.`);
  const chosen = known.filter((name) => wanted.includes(name) && !(name === 'plain' && values['no-plain']));
  return values.compare === undefined
    ? chosen
    : chosen.flatMap((name) => (name === 'ours' ? (['base', name] as const) : [name]));
}

function positive(name: string, value: string | undefined, otherwise: number): number {
  const number = value === undefined ? otherwise : Number(value);
  if (!(number > 0)) throw new UsageError(`--${name} takes a number above zero.`);
  return number;
}

/** Returns the files that the result is written to; `own` is the one of --write. */
export const outputFiles = ({ out, write }: Options, own: string): string[] => [
  ...(out === null ? [] : [out]),
  ...(write ? [own] : []),
];
