// Bundles the programs of the service into dist/src. A few large files load in half the time of 2,000 small ones (D302).
import { rmSync } from 'node:fs';
import { join } from 'node:path';
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

await build({
  absWorkingDir: root,
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
