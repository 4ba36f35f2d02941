import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';

const MAX_POSITIONS = 1_000;
const positionInBundle = /(file:\/\/\S+\/dist\/src\/\S+\.js):(\d+):\d+/g;
const nameInBundle = /^\s*\/\/ (src|node_modules)\/\S+$/;
/** Positions that were looked up before, and the names of their sources. */
const known = new LRUCache<string, string>({ max: MAX_POSITIONS });

/**
 * Adds the names of the source files to the positions of a stack trace in the bundles. They are read from the
 * comments of the bundle: source maps would have to be loaded at each start.
 */
export function withSourceNames(stack: string): string {
  return stack.replace(positionInBundle, (position, url: string, line: string) => {
    const name = known.get(position) ?? nameOf(url, Number(line));
    known.set(position, name);
    return name === '' ? position : `${name}, ${position}`;
  });
}

/** Returns an empty string if the file is no bundle, or was replaced by another build. */
function nameOf(url: string, line: number): string {
  try {
    const lines = readFileSync(fileURLToPath(url), 'utf8').split('\n').slice(0, line);
    return (
      lines
        .findLast((text) => nameInBundle.test(text))
        ?.trim()
        .slice('// '.length) ?? ''
    );
  } catch {
    return '';
  }
}
