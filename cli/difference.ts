import { hasProblems } from './failure.js';
import { changeableFields, type ListingFields, type ListingFile } from './listing-file.js';
import { printable } from './output.js';
import type { RemoteApp } from './target.js';

/** A field in which the file differs from the server. */
export interface Change {
  field: string;
  before: unknown;
  after: unknown;
}

/** Lists the fields that a push would change. Fields that the file does not have stay as they are. */
export function differences(wanted: ListingFields, current: ListingFields): Change[] {
  return changeableFields
    .filter((field) => wanted[field] !== undefined)
    .map((field) => ({ field, before: current[field] ?? null, after: wanted[field] ?? null }))
    .filter(({ before, after }) => JSON.stringify(comparable(before)) !== JSON.stringify(comparable(after)));
}

/** Returns the form in which the service stores a value, so that only real differences are reported. */
function comparable(value: unknown): unknown {
  if (typeof value === 'string') return value.normalize('NFC').trim() || null;
  if (!Array.isArray(value)) return value ?? null;
  if (value.length === 0) return null;
  return value
    .map(({ url, caption, order }, position) => ({
      url,
      caption: comparable(caption),
      order: order ?? position,
    }))
    .sort((one, other) => one.order - other.order);
}

/** Returns whether a value says anything: a new app is created without empty ones. */
export const isGiven = (value: unknown): boolean => value !== undefined && comparable(value) !== null;

/** Returns the input of a change: the fields that differ, with their new values. */
export const inputOf = (changes: readonly Change[]): ListingFields =>
  Object.fromEntries(changes.map(({ field, after }) => [field, after]));

/** Rejects a file whose environment is not that of the app: it is chosen when the app is created (SPEC). */
export function requireSameEnvironment(file: ListingFile, app: RemoteApp): void {
  const { environment } = file.content;
  if (environment === app.environment) return;
  throw hasProblems(`The environment of ${app.slug} cannot be changed.`, [
    {
      field: 'environment',
      severity: 'ERROR',
      code: 'invalid_value',
      message: `environment must be ${app.environment}: it is chosen when the app is created, and cannot be changed afterwards.`,
      fix: `Set it to "${app.environment}", or remove "app" from the file to create another app for ${environment}.`,
      ...file.placeOf('environment'),
    },
  ]);
}

const maxShown = 60;

/** Returns a value in one short line. */
export function shortly(value: unknown): string {
  if (value === null || value === undefined || value === '') return '(none)';
  if (Array.isArray(value)) return value.length === 0 ? '(none)' : `${value.length} items`;
  const line = printable(String(value)).replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length > maxShown ? `${characters.slice(0, maxShown - 1).join('')}…` : line;
}

/** Returns the lines that were removed from and added to a text of several lines, or both values of a short one. */
export function changedLines({ before, after }: Change): { sign: '-' | '+'; text: string }[] {
  const [old, recent] = [linesOfValue(before), linesOfValue(after)];
  const kept = new Set(old.filter((line) => recent.includes(line)));
  return [
    ...old.filter((line) => !kept.has(line)).map((text) => ({ sign: '-' as const, text })),
    ...recent.filter((line) => !kept.has(line)).map((text) => ({ sign: '+' as const, text })),
  ];
}

function linesOfValue(value: unknown): string[] {
  if (value === null || value === undefined || value === '') return [];
  if (Array.isArray(value))
    return value.map(({ url, caption }) => printable(caption ? `${url} (${caption})` : String(url)));
  return printable(String(value)).split('\n');
}
