import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** A TypeScript file. */
export interface SourceFile {
  /** Its path from the root, such as `src/app.ts`. */
  path: string;
  text: string;
}

/** The TypeScript files of a folder. */
export const filesOf = (folder: string): SourceFile[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => posix.join(folder, file.replaceAll('\\', '/')))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

/** All files of `src`. */
export const tree: SourceFile[] = filesOf('src');

/** The files of the browser application, except the types that are derived from the schema. */
export const webTree: SourceFile[] = filesOf('web').filter(({ path }) => !path.endsWith('.d.ts'));

/** The files of the command-line tool. */
export const cliTree: SourceFile[] = filesOf('cli');

export const withoutComments = (text: string) =>
  text.replace(/\/\*.*?\*\//gs, '').replace(/^\s*\/\/.*$/gm, '');

/** Returns the imports of a file: our own files by their path from the root, packages by their name. */
export function importsOf({ path, text }: SourceFile): string[] {
  const statements = withoutComments(text).matchAll(/(?<!['"])\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g);
  return [...statements].map(([, target = '']) =>
    target.startsWith('.') ? posix.join(posix.dirname(path), target.replace(/\.js$/, '.ts')) : target,
  );
}
