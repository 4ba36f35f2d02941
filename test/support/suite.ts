import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { describe } from '@jest/globals';
// Registers its hook outside of the describe blocks below.
import './shared.js';

/**
 * Runs the tests of a folder, file by file, on modules that are loaded once for all of them. Subfolders without a
 * suite.ts of their own are included.
 */
export function runTogether(folder: string): void {
  const require = createRequire(import.meta.url);
  for (const file of testFilesOf(folder)) describe(relative(folder, file), () => void require(file));
}

/** Returns the test files that the suite of a folder runs. */
export function testFilesOf(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true });
  const files = entries.filter(({ name }) => name.endsWith('.test.ts')).map(({ name }) => join(folder, name));
  const subfolders = entries
    .filter((entry) => entry.isDirectory() && !notRun.has(entry.name))
    .map(({ name }) => join(folder, name))
    .filter((subfolder) => !existsSync(join(subfolder, 'suite.ts')));
  return [...files, ...subfolders.flatMap(testFilesOf)];
}

/** The tests of the browser, of the clients and of clusters have configurations of their own. */
const notRun = new Set(['browser', 'clients', 'cluster', 'scale', 'support']);
