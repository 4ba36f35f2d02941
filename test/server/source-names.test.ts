import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { withSourceNames } from '../../src/log/source-names.js';

const folder = resolve(import.meta.dirname, '../../dist/src/chunks');
const name = readdirSync(folder).find((file) => /^main-\w+\.js$/.test(file))!;
const lines = readFileSync(resolve(folder, name), 'utf8').split('\n');
const url = pathToFileURL(resolve(folder, name));

describe('a stack trace in the log', () => {
  it('has the names of the source files', () => {
    const line = lines.findIndex((text) => text.startsWith('async function runSingle(')) + 1;
    expect(withSourceNames(`\n    at runSingle (${url}:${line}:7)\n    at node:fs:1:2`)).toBe(
      `\n    at runSingle (src/process/single.ts, ${url}:${line}:7)\n    at node:fs:1:2`,
    );
  });

  it('stays as it is if the build was replaced', () => {
    const stack = '\n    at run (file:///gone/dist/src/chunks/main-AAAAAAAA.js:1:2)';
    expect(withSourceNames(stack)).toBe(stack);
  });
});
