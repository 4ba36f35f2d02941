// Writes the GraphQL documents of the pages and of the command-line tool to dist/documents.json, as they are sent. They run
// also with a GRAPHQL_SAFELIST.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
const pages = readdirSync(join(root, 'web'), { recursive: true })
  .filter((name) => /(?<!\.d)\.tsx?$/.test(name))
  .map((name) => `./web/${name.replaceAll('\\', '/')}`)
  .filter((path) => /\bgraphql\(/.test(readFileSync(join(root, path), 'utf8')));

/** Makes documents as web/client/graphql.ts does, and remembers them. */
const remember = `
  import { initGraphQLTada } from 'gql.tada';
  const make = initGraphQLTada();
  export const documents = [];
  export const graphql = (...input) => {
    const document = make(...input);
    documents.push(document);
    return document;
  };`;

const program = `
  ${pages.map((path) => `import '${path}';`).join('\n')}
  import { documents } from './web/client/graphql.ts';
  import * as cli from './cli/documents.ts';
  import { formatDocument, stringifyDocument } from '@urql/core';
  const operations = documents.filter(({ definitions }) =>
    definitions.some(({ kind }) => kind === 'OperationDefinition'));
  // The cache of the pages adds __typename; what a page sends while it is left does not pass the cache.
  const web = operations.flatMap((document) => [document, formatDocument(document)]).map(stringifyDocument);
  const texts = { web: [...new Set(web)], cli: Object.values(cli) };
  // Some of the pages' modules start timers.
  process.stdout.write(JSON.stringify(texts), () => process.exit(0));`;

const { outputFiles } = await build({
  stdin: { contents: program, resolveDir: root, loader: 'ts' },
  write: false,
  bundle: true,
  format: 'esm',
  platform: 'node',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  loader: { '.css': 'empty' },
  // What the modules read of a browser while they are loaded.
  banner: {
    js: "globalThis.document = { getElementById: () => null }; globalThis.location = new URL('http://localhost/');",
  },
  plugins: [
    {
      name: 'remember-documents',
      setup: ({ onLoad }) =>
        onLoad({ filter: /[/\\]web[/\\]client[/\\]graphql\.ts$/ }, () => ({
          contents: remember,
          loader: 'ts',
          resolveDir: join(root, 'web', 'client'),
        })),
    },
  ],
  logLevel: 'warning',
});
const documents = execFileSync(process.execPath, ['--input-type=module', '-'], {
  input: outputFiles[0].text,
  maxBuffer: 64 * 1024 * 1024,
});
mkdirSync(join(root, 'dist'), { recursive: true });
writeFileSync(join(root, 'dist', 'documents.json'), documents);
