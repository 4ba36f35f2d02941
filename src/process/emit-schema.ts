import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { buildGraphQLSchema, printSdl } from '../graphql/schema.js';
import { openApiDocument } from '../rest/openapi/openapi.js';
import { routesText } from '../rest/openapi/routes-text.js';

const folder = new URL('../../../schema/', import.meta.url);
const checkOnly = process.argv.includes('--check');

const schema = await buildGraphQLSchema();
const files = {
  'schema.graphql': printSdl(schema),
  'openapi.json': `${JSON.stringify(openApiDocument(schema), null, 2)}\n`,
  'routes.txt': routesText(schema),
};

await mkdir(folder, { recursive: true });
for (const [name, text] of Object.entries(files)) {
  const file = new URL(name, folder);
  if (!checkOnly) {
    await writeFile(file, text);
  } else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    process.stderr.write(`schema/${name} is not current: run "npm run schema" and commit the changes.\n`);
    process.exitCode = 1;
  }
}
