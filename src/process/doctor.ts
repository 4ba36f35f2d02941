import { parseArgs } from 'node:util';
import type { CheckResult } from './doctor/check-result.js';
import { examine } from './doctor/examine.js';

const help = `Checks everything that the service needs, with the settings of the environment, and changes nothing.

  npm run doctor
  npm run --silent doctor -- --json

Checks Node, the settings, the database, the identity provider, the mail server, the webhooks and the disk. Each line is
OK, WARN (works, but look at it) or FAIL (does not work), with what to do. The exit code is 1 if a check fails, else 0.
An embedded database that no gateway uses is started for the check and stopped afterwards.

  --json   write one JSON object: { "ok", "checks": [{ "area", "status", "message", "cure" }] }
  --help   show this text
`;

await main();

async function main(): Promise<void> {
  const options = readOptions();
  if (!options) return;
  if (options.help) return void process.stdout.write(help);
  const findings = await examine();
  const ok = findings.every(({ status }) => status !== 'FAIL');
  process.stdout.write(options.json ? `${JSON.stringify({ ok, checks: findings })}\n` : toText(findings));
  process.exitCode = ok ? 0 : 1;
}

function readOptions(): { json?: boolean | undefined; help?: boolean | undefined } | null {
  try {
    return parseArgs({ options: { json: { type: 'boolean' }, help: { type: 'boolean' } } }).values;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}. Try --help.\n`);
    process.exitCode = 1;
    return null;
  }
}

function toText(findings: readonly CheckResult[]): string {
  const width = Math.max(...findings.map(({ area }) => area.length)) + 2;
  const lines = findings.map(({ area, status, message, cure }) => {
    const line = `${status.padEnd(6)}${area.padEnd(width)}${message}`;
    return cure === null ? line : `${line}\n${' '.repeat(6 + width)}→ ${cure}`;
  });
  const count = (status: CheckResult['status']) =>
    findings.filter((finding) => finding.status === status).length;
  return `${lines.join('\n')}\n\n${count('FAIL')} failed, ${count('WARN')} ${count('WARN') === 1 ? 'warning' : 'warnings'}, ${count('OK')} in order\n`;
}
