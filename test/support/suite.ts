import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { describe } from '@jest/globals';
// Registers its hook outside of the describe blocks below.
import './shared.js';

/** Runs the tests of a folder, file by file, on modules that are loaded once for all of them. */
export function runTogether(folder: string): void {
  const require = createRequire(import.meta.url);
  for (const file of readdirSync(folder).filter((name) => name.endsWith('.test.ts')))
    describe(file, () => void require(join(folder, file)));
}
