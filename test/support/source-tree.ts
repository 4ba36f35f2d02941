import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';

/** A TypeScript file of `src`. */
export interface SourceFile {
  /** Its path from the root, such as `src/app.ts`. */
  path: string;
  text: string;
}

/** All files of `src`. */
export const tree: SourceFile[] = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => posix.join('src', file.replaceAll('\\', '/')))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }));

export const withoutComments = (text: string) =>
  text.replace(/\/\*.*?\*\//gs, '').replace(/^\s*\/\/.*$/gm, '');

/** Returns the imports of a file: our own files by their path from the root, packages by their name. */
export function importsOf({ path, text }: SourceFile): string[] {
  const statements = withoutComments(text).matchAll(/(?<!['"])\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g);
  return [...statements].map(([, target = '']) =>
    target.startsWith('.') ? posix.join(posix.dirname(path), target.replace(/\.js$/, '.ts')) : target,
  );
}
