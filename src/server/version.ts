import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

/** Returns the version of this release, from package.json. */
export function version(): string {
  const path = findPackageJSON('..', import.meta.url);
  const { version: found } = JSON.parse(readFileSync(path ?? '', 'utf8')) as { version: string };
  return found;
}
