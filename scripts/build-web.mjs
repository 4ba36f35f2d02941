// Bundles the browser application in web/ into dist/web and its sign-in into dist/playground, and lists the files of each area in manifest.json, and the pictures
// of the home page in pictures.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
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

/** Copies the pictures, with the hash of their content in their names. */
async function copyPictures() {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['web/pictures/*.png'],
    outdir,
    loader: { '.png': 'copy' },
    entryNames: '[name]-[hash]',
    metafile: true,
    logLevel: 'warning',
  });
  const outputs = Object.entries(metafile.outputs);
  return outputs.map(([file, { inputs }]) => [basename(Object.keys(inputs)[0], '.png'), nameOf(file)]);
}

/** Bundles the sign-in at a provider for the playground, which is no area. */
const bundleSignIn = () =>
  build({
    absWorkingDir: root,
    entryPoints: ['web/client/provider-sign-in.ts'],
    outdir: join(root, 'dist', 'playground'),
    bundle: true,
    format: 'esm',
    target: 'es2023',
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
  });

const writeJson = (name, entries) =>
  writeFileSync(join(outdir, name), `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`);

const files = await Promise.all(areas.map(async (area) => [area, await bundle(area)]));
writeJson('manifest.json', files);
writeJson('pictures.json', await copyPictures());
await bundleSignIn();
