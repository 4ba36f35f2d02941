// Bundles the browser application in web/ into dist/web, and lists the files of each area in manifest.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const outdir = join(root, 'dist', 'web');
// The last one shows the parts of the design, in development only.
const areas = ['desk', 'console', 'market', 'parts'];

/** Shortens GraphQL documents: their spaces are for readers of the source only. */
const shortDocuments = {
  name: 'short-documents',
  setup: ({ onLoad }) =>
    onLoad({ filter: /[/\\]web[/\\].*\.tsx?$/ }, ({ path }) => ({
      contents: readFileSync(path, 'utf8').replace(/\bgraphql\(\s*`[^`]*`/g, (document) =>
        document.replace(/\s+/g, ' ').replace(/ ?([{}():,]) ?/g, '$1'),
      ),
      loader: path.endsWith('x') ? 'tsx' : 'ts',
    })),
};

const nameOf = (path) => path.replace(/^dist\/web\//, '');

/** Bundles an area. Areas share no files: together they would be larger, and most people use one of them. */
async function bundle(area) {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { [area]: `web/${area}/main.tsx` },
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    target: 'es2023',
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'process.env.NODE_ENV': '"production"' },
    // A file with another content has another name, so browsers may keep it for ever.
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    legalComments: 'none',
    plugins: [shortDocuments],
    metafile: true,
    logLevel: 'warning',
  });
  const [script, { cssBundle }] = Object.entries(metafile.outputs).find(
    ([, { entryPoint }]) => entryPoint === `web/${area}/main.tsx`,
  );
  const preload = importsOf(script, metafile).map(nameOf);
  return { script: nameOf(script), style: nameOf(cssBundle), preload };
}

/** Returns the files that a script needs before it can run, however indirectly. */
function importsOf(path, metafile, found = new Set()) {
  for (const { path: imported, kind } of metafile.outputs[path].imports) {
    if (kind !== 'import-statement' || found.has(imported)) continue;
    found.add(imported);
    importsOf(imported, metafile, found);
  }
  return [...found];
}

const files = await Promise.all(areas.map(async (area) => [area, await bundle(area)]));
const manifest = Object.fromEntries(files);
writeFileSync(join(outdir, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
