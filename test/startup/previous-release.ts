import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chmod, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { buildSchema, type GraphQLSchema, isObjectType } from 'graphql';
import { buildGraphQLSchema } from '../../src/graphql/schema.js';
import { aFolder } from '../support/folder.js';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

/** The commit of the release before, 0.2.0. Raise it with each release. */
const COMMIT = '047c790ad6ce8bfd657db51cb2815cfd66153aa5';

/** The release before this one, built from the history of the repository with the packages of this one. */
export interface PreviousRelease {
  readonly folder: string;
  /** Its schema, with the fields in which REST and GraphQL agree marked as in ours. */
  readonly schema: GraphQLSchema;
  remove(): Promise<void>;
}

export async function buildPreviousRelease(): Promise<PreviousRelease> {
  const folder = await aFolder('gateway release ');
  await chmod(folder, 0o755);
  const archive = join(folder, 'release.tar');
  await run('git', ['archive', `--output=${archive}`, COMMIT], { cwd: root }).catch((cause: unknown) => {
    throw new Error(`The commit ${COMMIT} is missing: fetch the whole history (git fetch --unshallow).`, {
      cause,
    });
  });
  await run('tar', ['xf', archive, '-C', folder]);
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  await run(process.execPath, [tsc, '-p', join(folder, 'tsconfig.build.json')]);
  return {
    folder,
    schema: await schemaOf(folder),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function schemaOf(folder: string): Promise<GraphQLSchema> {
  const [ours, theirs] = [
    await buildGraphQLSchema(),
    buildSchema(readFileSync(join(folder, 'schema/schema.graphql'), 'utf8')),
  ];
  for (const type of Object.values(theirs.getTypeMap())) {
    const our = ours.getType(type.name);
    if (!isObjectType(type) || !isObjectType(our)) continue;
    for (const field of Object.values(type.getFields()))
      field.extensions = our.getFields()[field.name]?.extensions ?? {};
  }
  return theirs;
}
