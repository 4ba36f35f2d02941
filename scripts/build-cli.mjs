// Bundles the command-line tool in cli/ into one file, dist/cli/marketplace.mjs, and packs it for npm.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'dist', 'cli');
const file = 'marketplace.mjs';

await build({
  absWorkingDir: root,
  entryPoints: { marketplace: 'cli/main.ts' },
  outdir: folder,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  banner: { js: '#!/usr/bin/env node' },
  legalComments: 'none',
  logLevel: 'warning',
});

const { private: _, ...manifest } = JSON.parse(readFileSync(join(root, 'cli', 'package.json'), 'utf8'));
const entries = {
  'package/package.json': `${JSON.stringify(manifest, null, 2)}\n`,
  [`package/${file}`]: readFileSync(join(folder, file)),
};
writeFileSync(join(folder, 'marketplace.tgz'), gzipSync(tar(entries), { level: 9 }));

/** Returns a tar archive (ustar) of files with short names. It is the same for the same content, so that its hash is too. */
function tar(files) {
  const blocks = Object.entries(files).flatMap(([name, content]) => {
    const body = Buffer.from(content);
    const padding = Buffer.alloc((512 - (body.length % 512)) % 512);
    return [header(name, body.length), body, padding];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

function header(name, size) {
  const block = Buffer.alloc(512);
  const octal = (value, width) => `${value.toString(8).padStart(width - 1, '0')}\0`;
  const write = (offset, text) => block.write(text, offset, 'ascii');
  write(0, name);
  write(100, octal(0o755, 8));
  write(108, octal(0, 8));
  write(116, octal(0, 8));
  write(124, octal(size, 12));
  write(136, octal(0, 12));
  write(148, ' '.repeat(8));
  write(156, '0');
  write(257, 'ustar\x0000');
  const sum = block.reduce((total, byte) => total + byte, 0);
  write(148, `${sum.toString(8).padStart(6, '0')}\0 `);
  return block;
}
