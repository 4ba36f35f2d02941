import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import * as documents from '../../cli/documents.js';
import { mismatches } from '../../cli/schema-check.js';
import { duringTests } from '../support/before-tests.js';
import { startService } from '../support/service.js';
import { toolFile, Workspace } from './tool.js';

const maxBytes = 250_000;
const read = (path: string) => readFileSync(path, 'utf8');

describe('the command-line tool as a file', () => {
  const service = duringTests(startService);
  const folder = duringTests(
    () => new Workspace(service.url),
    (folder) => folder.remove(),
  );

  it('is one file of at most 250 kB that needs no packages, in the version of the service (D401)', () => {
    expect(statSync(toolFile).size).toBeLessThan(maxBytes);
    const imported = [...read(toolFile).matchAll(/^import .* from "([^"]+)";$/gm)].map(([, name]) => name!);
    expect(imported.length).toBeGreaterThan(3);
    expect(imported.filter((name) => !name.startsWith('node:'))).toEqual([]);
    expect(JSON.parse(read('cli/package.json')).version).toBe(JSON.parse(read('package.json')).version);
  });

  it('is served by the gateway, and runs as it was downloaded (D401)', async () => {
    const response = await service.client.request('GET', '/cli/marketplace.mjs');
    expect(response.headers.get('content-type')).toMatch(/^text\/javascript/);
    const text = await response.text();
    expect(text).toBe(read(toolFile));
    folder.write(text, 'downloaded.mjs');
    expect(await folder.runCommand({}, process.execPath, ['downloaded.mjs', '--version'])).toMatchObject({
      code: 0,
    });
    for (const path of ['/cli', '/cli/', '/cli/package.json'])
      expect((await service.client.request('GET', path)).status).toBe(404);
  });

  it('is served as a package that npm installs and npx runs, from its address alone (D401)', async () => {
    const cache = mkdtempSync(join(tmpdir(), 'npm-cache-'));
    const variables = {
      npm_config_cache: cache,
      npm_config_registry: 'http://127.0.0.1:9',
      npm_config_update_notifier: 'false',
    };
    const address = `${service.url}/cli/marketplace.tgz`;
    writeFileSync(join(folder.folder, 'package.json'), '{ "name": "notes", "version": "1.0.0" }\n');
    const npx = await folder.runCommand(variables, 'npx', ['--yes', address, '--version']);
    expect(npx).toMatchObject({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
    const install = await folder.runCommand(variables, 'npm', [
      'install',
      '--no-audit',
      '--no-fund',
      address,
    ]);
    expect(install).toMatchObject({ code: 0 });
    const installed = await folder.runCommand({}, 'node_modules/.bin/marketplace', ['--version']);
    expect(installed.stdout).toBe(npx.stdout);
    rmSync(cache, { recursive: true });
  });

  it('sends documents that the schema has (D401)', () => {
    const schema = buildSchema(read('schema/schema.graphql'));
    for (const [name, document] of Object.entries(documents))
      expect([name, validate(schema, parse(document)).map(({ message }) => message)]).toEqual([name, []]);
  });

  it('has the schema of the listing file, which is also served (D400)', async () => {
    const schema = JSON.parse(read('schema/listing.schema.json'));
    expect(await (await service.client.request('GET', '/listing.schema.json')).json()).toEqual(schema);
    expect(
      mismatches(schema, { name: 'A', description: 'B', category: 'OTHER', environment: 'staging' }),
    ).toEqual([]);
  });

  it('checks everything that the schema says (D400)', () => {
    const known = [
      ...[
        '$schema',
        'title',
        'description',
        'type',
        'properties',
        'required',
        'additionalProperties',
        'items',
      ],
      ...['minItems', 'maxItems', 'enum', 'anyOf', 'minLength', 'maxLength', 'minimum', 'maximum', 'format'],
      ...['$ref', '$defs'],
    ];
    const keywordsOf = (schema: Record<string, unknown>): string[] => [
      ...Object.keys(schema),
      ...[schema.properties, schema.$defs].flatMap((all) => Object.values(all ?? {})).flatMap(keywordsOf),
      ...(schema.items ? keywordsOf(schema.items as Record<string, unknown>) : []),
      ...((schema.anyOf as Record<string, unknown>[] | undefined) ?? []).flatMap(keywordsOf),
    ];
    const used = new Set(keywordsOf(JSON.parse(read('schema/listing.schema.json'))));
    expect([...used].filter((keyword) => !known.includes(keyword))).toEqual([]);
  });
});
