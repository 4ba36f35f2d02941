// Bundles the programs of the service into dist/src: a few large files load faster than 2,000 small ones.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const programs = ['main', 'process/worker-main', 'process/doctor', 'process/backup', 'process/restore'];

/** Reads node:http as CommonJS: an import would read all its exports, and the one for WebSocket loads another client. */
const httpWithoutWebSocket = {
  name: 'http-without-web-socket',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(node:)?http$/ }, () => ({ path: 'http', namespace: 'built-in' }));
    onLoad({ filter: /./, namespace: 'built-in' }, () => ({
      contents: "module.exports = process.getBuiltinModule('node:http');",
    }));
  },
};

// The names of their files have hashes, so an earlier build would stay.
for (const folder of ['src/chunks', '.compile-cache'])
  rmSync(join(root, 'dist', folder), { recursive: true, force: true });

const { outputFiles } = await build({
  absWorkingDir: root,
  write: false,
  entryPoints: programs.map((name) => `src/${name}.ts`),
  outbase: 'src',
  outdir: 'dist/src',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node22.19',
  // MikroORM and type-graphql use the names of classes.
  keepNames: true,
  sourcemap: process.argv.includes('--source-maps'),
  legalComments: 'none',
  // Apollo's own function finds no crypto in a bundle, and would hash each document in JavaScript.
  alias: { '@apollo/utils.createhash': 'node:crypto' },
  external: [
    // Reads files of its own folder.
    'altair-static',
    // Imported only by some functions or with some settings.
    '@opentelemetry/*',
    'nodemailer',
    'undici',
    // Optional parts of packages, which are not installed.
    'class-validator',
    'pg-native',
  ],
  // For packages in CommonJS that require modules of Node.
  banner: {
    js: "import { createRequire as createRequireOfBundle } from 'node:module';\nconst require = createRequireOfBundle(import.meta.url);",
  },
  plugins: [httpWithoutWebSocket],
  logLevel: 'warning',
});

/**
 * esbuild's helper of `keepNames` also names each function whenever it is created, such as those that packages create for
 * each request. Nobody asks for these names, so only classes get theirs, in a block of their own.
 */
const naming = 'var __name = (target, value) => ';
const namingOfClasses = 'var __name = (target, value, isClass) => !isClass ? target : ';
const nameOfClass = /\b__name\(this, ("(?:[^"\\]|\\.)*")\)/g;
/**
 * V8 keeps the source of a file with two bytes for each character if one of them is not in Latin-1. Nearly all such
 * characters are in comments; the others are in literals, where the escape means the same.
 */
const oneByte = (text) =>
  text.replace(/[\u0100-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
let replaced = 0;
for (const { path, text } of outputFiles) {
  mkdirSync(dirname(path), { recursive: true });
  replaced += text.includes(naming) ? 1 : 0;
  writeFileSync(
    path,
    oneByte(text.replace(naming, namingOfClasses).replace(nameOfClass, '__name(this, $1, true)')),
  );
}
if (replaced !== 1) throw new Error('the helper of esbuild that names functions has another form');
