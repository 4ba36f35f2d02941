import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { minifyIntrospection, outputIntrospectionFile } from 'gql.tada/internal';
import { introspectionFromSchema } from 'graphql';
import { buildGraphQLSchema, printSdl } from '../graphql/schema.js';
import { listingFileSchema } from '../modules/listings/listing-file.input.js';
import { errorsText } from '../rest/openapi/error-reference.js';
import { openApiDocument } from '../rest/openapi/openapi.js';
import { routesText } from '../rest/openapi/routes-text.js';
import { databaseSql } from './database-sql.js';

const root = new URL('../../../', import.meta.url);
const checkOnly = process.argv.includes('--check');

const schema = await buildGraphQLSchema();
const files = {
  'schema/schema.graphql': printSdl(schema),
  'schema/openapi.json': `${JSON.stringify(openApiDocument(schema), null, 2)}\n`,
  'schema/listing.schema.json': `${JSON.stringify(listingFileSchema(), null, 2)}\n`,
  'schema/routes.txt': routesText(schema),
  'schema/database.sql': await databaseSql(),
  'docs/errors.md': errorsText(),
  // The types of the documents in web/ are derived from it.
  'web/client/schema.d.ts': outputIntrospectionFile(
    minifyIntrospection(introspectionFromSchema(schema, { descriptions: false })),
    { fileType: '.d.ts', shouldPreprocess: true },
  ),
};

await mkdir(new URL('schema/', root), { recursive: true });
for (const [name, text] of Object.entries(files)) {
  const file = new URL(name, root);
  if (!checkOnly) {
    await writeFile(file, text);
  } else if ((await readFile(file, 'utf8').catch(() => '')) !== text) {
    process.stderr.write(`${name} is not current: run "npm run schema" and commit the changes.\n`);
    process.exitCode = 1;
  }
}
