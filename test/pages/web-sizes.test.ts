import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';

const folder = 'dist/web';
const maxBytes = 130_000;
const manifest: Record<string, { script: string; style: string; preload: string[] }> = JSON.parse(
  readFileSync(join(folder, 'manifest.json'), 'utf8'),
);
const textOf = (file: string) => readFileSync(join(folder, file), 'utf8');

/** Returns all scripts that a script can load: those that it needs at once, and those that it loads later. */
function scriptsOf(file: string, found = new Set<string>()): string[] {
  if (found.has(file)) return [];
  found.add(file);
  for (const [, imported = ''] of textOf(file).matchAll(/["']\.\/([\w-]+-[A-Z0-9]{8}\.js)["']/g))
    scriptsOf(imported, found);
  return [...found];
}
const gzipped = (files: readonly string[]) =>
  files.reduce((sum, file) => sum + gzipSync(textOf(file)).length, 0);

/** The page with the parts of the design is no area: it exists in development only. */
const areas = Object.entries(manifest).filter(([area]) => area !== 'parts');

describe.each(areas)('the area %s', (_area, { script, style, preload }) => {
  it('has at most 130 kB of compressed script, with all that it loads later (D210)', () => {
    const scripts = scriptsOf(script);
    // The sign-in at a provider is loaded later in every area.
    expect(scripts.some((file) => file.startsWith('provider-sign-in'))).toBe(true);
    expect(gzipped(scripts)).toBeLessThan(maxBytes);
  });

  it('preloads what its script imports, and nothing that it may not need (D210)', () => {
    const scripts = scriptsOf(script);
    expect(scripts).toEqual(expect.arrayContaining(preload));
    expect(preload.filter((file) => /markdown|chart|provider/.test(file))).toEqual([]);
  });

  it('has at most 20 kB of compressed style (D210)', () => {
    expect(gzipped([style])).toBeLessThan(20_000);
  });
});
