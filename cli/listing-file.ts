import { existsSync, lstatSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { dirname, isAbsolute, relative, resolve } from 'node:path';
import listingSchema from '../schema/listing.schema.json' with { type: 'json' };
import { hasProblems, type Problem, usage } from './failure.js';
import { lineOf, lineOfSyntaxError, linesOf } from './json-lines.js';
import { type JsonSchema, mismatches } from './schema-check.js';

/** A text that may be in a file of its own. */
type TextOrFile = string | { file: string } | null;

/** The content of a listing file. The schema has checked it. */
export interface ListingFileContent {
  $schema?: string;
  app?: string;
  name: string;
  environment: string;
  [field: string]: unknown;
}

/** Fields of the API that hold a listing, with the texts of other files read. */
export type ListingFields = Record<string, unknown>;

const schema = listingSchema as JsonSchema;
/** The fields that are sent to the API: all but those that are about the file itself. */
export const listingFields = Object.keys(schema.properties ?? {}).filter(
  (name) => !['$schema', 'app'].includes(name),
);
/** The fields that a push can change: `environment` is fixed when the app is created. */
export const changeableFields = listingFields.filter((name) => name !== 'environment');
/** The fields that may be in files of their own, with the usual names of these. */
export const textFiles: Readonly<Record<string, string>> = {
  longDescription: 'LISTING.md',
  releaseNotes: 'RELEASE_NOTES.md',
};

export const categories = schema.properties?.category?.enum ?? [];
export const environments = schema.properties?.environment?.enum ?? [];

const maxTextBytes = 1_000_000;

/** Files of editors on Windows may start with a mark and have other line ends. Neither belongs to the listing. */
const readText = (path: string) => readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
const withUnixLineEnds = (text: string) => text.replace(/\r\n?/g, '\n');

/** A listing file and the texts that it refers to. */
export class ListingFile {
  private constructor(
    readonly path: string,
    private readonly text: string,
    readonly content: ListingFileContent,
    private readonly lines: ReadonlyMap<string, number>,
  ) {}

  static exists(path: string): boolean {
    return existsSync(path);
  }

  /** Reads and checks a file. Fails with all problems at once, each with its line. */
  static read(path: string): ListingFile {
    if (!existsSync(path))
      throw usage(
        `There is no ${shown(path)}. Run "marketplace init" to create it, or name another file with --file.`,
      );
    if (!statSync(path).isFile()) throw usage(`${shown(path)} is not a file. Name one with --file.`);
    const text = readText(path);
    let content: unknown;
    try {
      content = JSON.parse(text);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const line = lineOfSyntaxError(text, reason);
      throw hasProblems(`${shown(path)} is not valid JSON.`, [
        problemAt(shown(path), line, '', 'malformed_json', `${reason}.`),
      ]);
    }
    const lines = linesOf(text);
    const file = new ListingFile(path, text, content as ListingFileContent, lines);
    const found = mismatches(schema, content).map(({ field, code, message }) =>
      problemAt(shown(path), lineOf(lines, field), field, code, message),
    );
    const problems = found.length > 0 ? found : file.problemsOfTexts();
    if (problems.length > 0) throw hasProblems(`${shown(path)} has ${countOf(problems.length)}.`, problems);
    return file;
  }

  /** Returns the fields of the listing, with the texts of other files. */
  fields(): ListingFields {
    const given = Object.entries(this.content).filter(([name]) => listingFields.includes(name));
    return Object.fromEntries(given.map(([name, value]) => [name, this.textOf(value as TextOrFile)]));
  }

  /** Returns the file and the line where a field is: of a text in a file of its own the first line of that. */
  placeOf(field: string): { file: string; line: number } {
    const own = fileOf(this.content[field]);
    if (own !== null) return { file: shown(this.resolved(own)), line: 1 };
    return { file: shown(this.path), line: lineOf(this.lines, field) };
  }

  /** Adds the slug of the app to the file, and changes nothing else in it. */
  addApp(slug: string): void {
    const end = this.text.includes('\r\n') ? '\r\n' : '\n';
    const [, indent = '  '] = /^\{\s*?\n([ \t]+)"/.exec(this.text) ?? [];
    const first =
      /^\s*\{[ \t]*(\r?\n)?(?:[ \t]*"\$schema"\s*:\s*"[^"]*"\s*,[ \t]*(\r?\n)?)?/.exec(this.text)?.[0] ?? '{';
    const opening = first.endsWith('\n') ? first : `${first}${end}`;
    const added = `${opening}${indent}"app": ${JSON.stringify(slug)},${end}`;
    writeFiles([{ path: this.path, text: added + this.text.slice(first.length) }]);
  }

  /** Returns what a pull would write: the file, and the files of its texts. */
  updated(fields: ListingFields, app: string): WrittenFile[] {
    const texts: WrittenFile[] = [];
    const content: Record<string, unknown> = { ...this.content, app };
    for (const name of listingFields) {
      const value = fields[name];
      const own = fileOf(content[name]);
      if (own !== null && typeof value === 'string')
        texts.push({ path: this.resolved(own), text: `${value}\n` });
      else if (value !== null && value !== undefined) content[name] = value;
      else if (name in content) content[name] = null;
    }
    const end = this.text.includes('\r\n') ? '\r\n' : '\n';
    const text = `${JSON.stringify(ordered(content), null, 2)}\n`.replaceAll('\n', end);
    return [{ path: this.path, text }, ...texts];
  }

  private textOf(value: TextOrFile): unknown {
    const own = fileOf(value);
    return own === null ? value : withUnixLineEnds(readText(this.resolved(own))).trim();
  }

  private problemsOfTexts(): Problem[] {
    return Object.keys(textFiles).flatMap((field) => {
      const own = fileOf(this.content[field]);
      if (own === null) return [];
      const line = lineOf(this.lines, `${field}.file`);
      const at = (code: string, message: string) => [
        problemAt(shown(this.path), line, `${field}.file`, code, message),
      ];
      const outside = `${own} must be a file in the folder of ${shown(this.path)} or below it, not a link to elsewhere and not hidden.`;
      if (!isBelow(dirname(this.path), this.resolved(own))) return at('not_below', outside);
      if (!existsSync(this.resolved(own))) return at('missing', `There is no file ${own}.`);
      const found = statSync(this.resolved(own));
      if (!found.isFile() || found.size > maxTextBytes)
        return at('not_a_text', `${own} must be a text file of at most 1 MB.`);
      const [folder, file] = [dirname(this.path), this.resolved(own)].map((path) => realpathSync(path));
      return isBelow(folder!, file!) ? [] : at('not_below', outside);
    });
  }

  private resolved(path: string): string {
    return resolve(dirname(this.path), path);
  }
}

/** Returns true for a path below a folder. Hidden files and folders do not count: they hold credentials, such as `.git`. */
const isBelow = (folder: string, path: string): boolean => {
  const inside = relative(folder, path);
  return !isAbsolute(inside) && !inside.split(/[\\/]/).some((part) => part.startsWith('.'));
};

/** A file that the tool writes. */
export interface WrittenFile {
  path: string;
  text: string;
}

/** Writes files. A link could lead anywhere, and a repository may be a stranger's. */
export function writeFiles(files: readonly WrittenFile[]): void {
  for (const { path } of files)
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
      throw usage(`${shown(path)} is a symbolic link, and is not written. Replace it by a file.`);
  for (const { path, text } of files) writeFileSync(path, text);
}

/** Returns the files of a new listing. Long texts get files of their own. */
export function newListing(path: string, content: Record<string, unknown>): WrittenFile[] {
  const texts: WrittenFile[] = [];
  const own: Record<string, unknown> = {};
  for (const [field, name] of Object.entries(textFiles)) {
    const value = content[field];
    if (typeof value !== 'string' || value === '') continue;
    own[field] = { file: name };
    texts.push({ path: resolve(dirname(path), name), text: `${value}\n` });
  }
  return [{ path, text: `${JSON.stringify(ordered({ ...content, ...own }), null, 2)}\n` }, ...texts];
}

const ordered = (content: Record<string, unknown>) => {
  const names = ['$schema', 'app', ...listingFields].filter((name) => content[name] !== undefined);
  return Object.fromEntries(names.map((name) => [name, content[name]]));
};

const fileOf = (value: unknown): string | null =>
  typeof value === 'object' && value !== null && 'file' in value ? String(value.file) : null;

/** Returns a path as people know it: relative to where they are, with forward slashes. */
export const shown = (path: string): string => (relative(process.cwd(), path) || path).replaceAll('\\', '/');

const problemAt = (file: string, line: number, field: string, code: string, message: string): Problem => ({
  field,
  severity: 'ERROR',
  code,
  message,
  fix: null,
  file,
  line,
});

export const countOf = (count: number, noun = 'problem') => `${count} ${noun}${count === 1 ? '' : 's'}`;
