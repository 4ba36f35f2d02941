import { parseArgs } from 'node:util';
import { type Variant, variants } from './servers/servers.js';

export const help = `Measures the gateway beside three baselines on one PostgreSQL, all started and removed by this command.

Usage: npm run bench -- [options]

  --rows a,b          only these rows; a beginning will do (list,install); --rows help lists them
  --variants a,b      only these of ${variants.join(', ')}; ratios need bare and static
  --apps n            how many apps the catalog has (100000)
  --rounds n          how often each row is measured (3); the medians count
  --seconds n         how long a window is (3), after a quarter of it to warm up
  --quick             one round of one second, 10000 apps: to see that it works
  --data folder       keep the loaded catalog there, and use it again next time
  --profile folder    write a CPU profile of ours there when it stops
  --out file          write the table as Markdown to this file
  --write             write it to bench/RESULTS.md
  --scale             instead: searches and deep pages at 10,000 and at 1,000,000 apps, p99 against p99
  --soak minutes      instead: the mixed load for so long, with the memory of ours every ten seconds
  --help              this text
`;

/** What was asked for. */
export interface Options {
  readonly rows: readonly string[];
  readonly variants: readonly Variant[];
  readonly apps: number;
  readonly rounds: number;
  readonly windowMs: number;
  readonly data: string | null;
  readonly profile: string | null;
  readonly out: string | null;
  readonly write: boolean;
  readonly scale: boolean;
  readonly soakMinutes: number | null;
}

/** A wrong option, in a sentence. */
export class UsageError extends Error {}

/** Reads the command line; null: only the help is wanted. */
export function readOptions(args: readonly string[]): Options | null {
  const { values } = parse(args);
  if (values.help) return null;
  const quick = values.quick === true;
  return {
    rows: list(values.rows),
    variants: values.variants === undefined ? variants : list(values.variants).map(variant),
    apps: positive('apps', values.apps, quick ? 10_000 : 100_000),
    rounds: positive('rounds', values.rounds, quick ? 1 : 3),
    windowMs: positive('seconds', values.seconds, quick ? 1 : 3) * 1000,
    data: values.data ?? null,
    profile: values.profile ?? null,
    out: values.out ?? null,
    write: values.write === true,
    scale: values.scale === true,
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
        apps: string,
        rounds: string,
        seconds: string,
        data: string,
        profile: string,
        out: string,
        soak: string,
        quick: flag,
        write: flag,
        scale: flag,
        help: flag,
      },
    });
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : error}. Try --help.`);
  }
}

const list = (value: string | undefined) => (value ?? '').split(',').filter(Boolean);

function variant(name: string): Variant {
  const found = variants.find((known) => known === name);
  if (!found) throw new UsageError(`There is no variant ${name}: use some of ${variants.join(', ')}.`);
  return found;
}

function positive(name: string, value: string | undefined, otherwise: number): number {
  const number = value === undefined ? otherwise : Number(value);
  if (!(number > 0)) throw new UsageError(`--${name} takes a number above zero.`);
  return number;
}
