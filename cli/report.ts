import { isAbsolute, relative, resolve } from 'node:path';
import { type Change, changedLines, shortly } from './difference.js';
import type { Problem, ServerChange } from './failure.js';
import { type ListingFile, shown } from './listing-file.js';
import { alignedTable, type Output, printable } from './output.js';
import type { Finding } from './target.js';

/** Adds to findings of the service where in the file they can be fixed. */
export const located = (findings: readonly (Finding | Problem)[], file: ListingFile | null): Problem[] =>
  findings.map(({ field, severity, code, message, fix }) => ({
    field,
    severity,
    code,
    message,
    fix: fix ?? null,
    ...(file ? file.placeOf(field) : { file: null, line: null }),
  }));

/** Prints problems: place, severity, message, and what to do. */
export function printProblems(output: Output, problems: readonly Problem[]): void {
  for (const { field, severity, message, fix, file, line } of problems) {
    const place = file === null ? '' : `${file}:${line}`;
    const label = severity === 'ERROR' ? output.style('red', 'error') : output.style('yellow', 'warning');
    const path = field === '' ? '' : ` ${output.style('cyan', field)}`;
    output.line([place, `${label}${path}`].filter(Boolean).join('  '));
    output.line(`  ${printable(message)}`);
    if (fix) output.line(`  ${output.style('dim', printable(fix))}`);
  }
}

/** Prints problems as annotations of GitHub Actions, which the forge shows beside the lines. */
export function printAnnotations(output: Output, problems: readonly Problem[]): void {
  for (const { field, severity, message, fix, file, line } of problems) {
    const command = severity === 'ERROR' ? 'error' : 'warning';
    const properties = [
      ...(file === null
        ? []
        : [`file=${propertyValue(inRepository(file, 'GITHUB_WORKSPACE'))}`, `line=${line}`]),
      `title=${propertyValue(`Listing: ${field || 'file'}`)}`,
    ].join(',');
    output.command(`::${command} ${properties}::${commandValue(`${message}${fix ? ` ${fix}` : ''}`)}`);
  }
}

/** Returns a path from the root of the repository, which the forge gives in a variable: there it finds the line. */
function inRepository(file: string, variable: string): string {
  const root = process.env[variable];
  const path = root ? relative(root, resolve(file)).replaceAll('\\', '/') : file;
  return path.startsWith('../') || isAbsolute(path) ? file : path;
}

const commandValue = (text: string) =>
  printable(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const propertyValue = (text: string) => commandValue(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

/** Returns a report in the format of GitLab's Code Quality. */
export const codeQualityReport = (problems: readonly Problem[], fallback: string) =>
  problems.map(({ field, severity, code, message, fix, file, line }) => ({
    description: `${message}${fix ? ` ${fix}` : ''}`,
    check_name: `marketplace.${code}`,
    fingerprint: Buffer.from(`${file}:${field}:${code}`).toString('base64url'),
    severity: severity === 'ERROR' ? 'major' : 'minor',
    location: {
      path: inRepository(file ?? shown(fallback), 'CI_PROJECT_DIR'),
      lines: { begin: line ?? 1 },
    },
  }));

const maxLines = 40;

/** Prints the fields that differ, with the lines that were removed and added. */
export function printChanges(output: Output, changes: readonly Change[]): void {
  for (const change of changes) {
    output.line(output.style('bold', change.field));
    const lines = changedLines(change);
    for (const { sign, text } of lines.slice(0, maxLines))
      output.line(`  ${output.style(sign === '+' ? 'green' : 'red', `${sign} ${text}`)}`);
    if (lines.length > maxLines) output.line(`  … and ${lines.length - maxLines} more lines`);
  }
}

/** Returns a table of what changed on the server. */
export const serverChanges = (changes: readonly ServerChange[]): string =>
  alignedTable([
    ['FIELD', 'BEFORE', 'ON THE SERVER NOW'],
    ...changes.map(({ field, before, after }) => [field, shortly(before), shortly(after)]),
  ]);
