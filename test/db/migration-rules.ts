import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import type { textOf } from '../../src/db/migrations/list.js';

type MigrationText = Readonly<ReturnType<typeof textOf>>;

/** Rules of Squawk that do not apply here, with the reason. */
const notApplied = {
  'require-lock-timeout': 'migrateDatabase sets lock_timeout for every migration',
  'require-statement-timeout': 'a statement that waits for no lock may take its time',
  'prefer-bigint-over-int': 'counters of one app stay far below two thousand million',
  'prefer-identity': 'there is one sequence, and it orders events across tables',
};
/** A migration in a transaction leaves nothing behind if it fails, so it need not be repeatable. */
const ONLY_OUTSIDE_TRANSACTIONS = 'prefer-robust-stmts';

/** Unsafe statements that Squawk does not know. */
const ownRules: { name: string; matches(statement: string, earlier: readonly string[]): boolean }[] = [
  // The release before may call or read it while both run.
  { name: 'ban-drop', matches: (sql) => /^drop (function|view|sequence|type|schema)\b/.test(sql) },
  // A backfill locks its rows until the migration ends: it belongs into a periodic task of the worker, in batches.
  { name: 'ban-backfill', matches: (sql) => /^(update|delete)\b/.test(sql) },
  {
    name: 'ban-rewrite',
    matches: (sql) => /^(vacuum|cluster|lock|reindex(?!.*\bconcurrently\b))\b/.test(sql),
  },
  // A concurrent build that fails leaves an invalid index, which `if not exists` would keep.
  {
    name: 'require-index-cleanup',
    matches: (sql, earlier) => {
      const [, name] = /^create (?:unique )?index concurrently if not exists (\S+)/.exec(sql) ?? [];
      return name !== undefined && !earlier.includes(`drop index concurrently if exists ${name}`);
    },
  },
];

/** Identifies the statements of a migration, whatever its code looks like. */
export const digestOf = ({ isTransactional, statements }: MigrationText): string =>
  createHash('sha256')
    .update(JSON.stringify([isTransactional, ...statements]))
    .digest('hex')
    .slice(0, 16);

/** Returns the names of the rules that a migration breaks. `-- permit <rule>`, and for Squawk `-- squawk-ignore <rule>`, makes an exception. */
export function problemsOf({ isTransactional, statements }: MigrationText): string[] {
  return [...squawk({ isTransactional, statements }), ...ownProblems(statements)];
}

function squawk({ isTransactional, statements }: MigrationText): string[] {
  const excluded = Object.keys(notApplied);
  if (isTransactional) excluded.push(ONLY_OUTSIDE_TRANSACTIONS);
  const options = ['--reporter=json', '--pg-version=15', `--exclude=${excluded.join(',')}`];
  const script = createRequire(import.meta.url).resolve('squawk-cli/js/bin/squawk');
  const { stdout, stderr } = spawnSync(process.execPath, [script, ...options], {
    input: (isTransactional ? ['begin', ...statements, 'commit'] : statements).join(';\n'),
    encoding: 'utf8',
  });
  if (!stdout.startsWith('[')) throw new Error(`Squawk failed: ${stderr}`);
  return (JSON.parse(stdout) as { rule_name: string }[]).map((problem) => problem.rule_name);
}

function ownProblems(statements: readonly string[]): string[] {
  const plain = statements.map((text) =>
    text.replace(/--.*$/gm, '').replace(/\s+/g, ' ').trim().toLowerCase(),
  );
  return plain.flatMap((statement, index) =>
    ownRules
      .filter(({ name, matches }) => {
        const isIgnored = statements[index]?.includes(`-- permit ${name}\n`);
        return !isIgnored && matches(statement, plain.slice(0, index));
      })
      .map(({ name }) => name),
  );
}
