import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import type { Handler } from '../server/routing.js';
import { staticFiles } from '../server/static-response.js';

const folder = join(findPackageJSON('..', import.meta.url)!, '..', 'dist', 'cli');

/** Serves the command-line tool: the file itself, and the package that `npm install <url>` and `npx <url>` accept (D401). */
export const commandLineTool = (): Handler =>
  staticFiles(
    new Map(['marketplace.mjs', 'marketplace.tgz'].map((name) => [`/${name}`, join(folder, name)])),
    () => ({}),
    // A release changes them, and their addresses stay the same.
    'public, max-age=0, must-revalidate',
  );
