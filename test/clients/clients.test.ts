import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Gateway, startGateway } from '../startup/gateway.js';
import { run } from './command.js';
import { project, writeExamples } from './project.js';

const app = join(project, 'app');
const relay = join(project, 'relay');
const warning = /warn|deprecat|error/i;
let gateway: Gateway;
let dataDir: string;
let url: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'marketplace-clients-'));
  gateway = startGateway({
    PATH: process.env.PATH ?? '',
    PORT: '0',
    DATA_DIR: join(dataDir, 'data'),
    RATE_LIMITS: 'off',
  });
  url = await gateway.url();
  await writeExamples(url);
});

afterAll(async () => {
  gateway?.process.kill('SIGTERM');
  await gateway?.ended;
  if (dataDir) await rm(dataDir, { recursive: true, force: true });
});

describe('the generators of docs/frontend.md', () => {
  it('graphql-codegen makes types of the documents, without a warning', async () => {
    expect(await run(app, 'graphql-codegen')).not.toMatch(warning);
  });

  it('the introspection script prints nothing', async () => {
    expect(await run(app, 'node', 'introspect.ts')).toBe('');
  });

  it('openapi-typescript makes types of the REST routes, without a warning', async () => {
    const printed = await run(
      app,
      'openapi-typescript',
      `${url}/openapi.json`,
      '--output',
      'src/openapi.d.ts',
    );
    expect(printed).not.toMatch(warning);
  });

  it('relay-compiler makes its artifacts, without a warning', async () => {
    const schema = await (await fetch(`${url}/schema.graphql`)).text();
    await writeFile(join(relay, 'schema.graphql'), schema);
    expect(await run(relay, 'relay-compiler')).not.toMatch(warning);
  });

  it('the examples, and the code made from them, are correct in strict TypeScript', async () => {
    const tsc = join(import.meta.dirname, '../../node_modules/typescript/bin/tsc');
    expect(await run(import.meta.dirname, 'node', tsc, '-p', 'tsconfig.json')).toBe('');
  });
});

// Whatever a client has to warn of, it prints.
describe.each([
  ['apollo', 'Apollo Client reads a page, loads more, changes its cache and keeps partial results'],
  ['urql', 'urql with graphcache does the same, by GET'],
  ['relay', 'relay-runtime joins pages, refetches nodes and keeps the two forms of an app apart'],
  ['live', 'graphql-sse, Apollo Client and urql show changes at once, and after a lost connection'],
  ['plain', 'graphql-request and fetch read data and errors'],
  [
    'rest',
    'openapi-fetch follows an app from the registration to its analytics, and so through a validating proxy',
  ],
])('stories/%s.ts', (story, title) => {
  it(`${title}, without a warning`, async () => {
    const args = ['--import', './bundler.mjs', `stories/${story}.ts`];
    expect(await run(import.meta.dirname, 'node', ...args)).toBe('');
  });
});
