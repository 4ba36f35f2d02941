import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect } from '@jest/globals';
import { type Developer, unique } from '../support/actors.js';
import type { Service } from '../support/service.js';

export const toolFile = resolve(import.meta.dirname, '../../dist/cli/marketplace.mjs');

export interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Everything that the tool has printed in this process. A test searches it for secrets. */
export const everythingPrinted: string[] = [];
/** Every secret that the tool was given. */
export const everySecret = new Set<string>();

/** A developer's folder, in which the real file runs as a process. */
export class Workspace {
  readonly folder: string;

  constructor(
    readonly url: string,
    /** Variables of the environment beyond the path; no others reach the tool. */
    readonly environment: Record<string, string> = {},
    name = 'listing-',
  ) {
    this.folder = mkdtempSync(join(tmpdir(), name));
    for (const [variable, value] of Object.entries(environment))
      if (/KEY|TOKEN$/.test(variable) && value !== '') everySecret.add(value);
  }

  run(...args: string[]): Promise<Run> {
    return this.runWith({}, ...args);
  }

  /** Runs the tool with further variables. Its input is not a terminal. */
  async runWith(variables: Record<string, string>, ...args: string[]): Promise<Run> {
    return this.runCommand(variables, process.execPath, [toolFile, ...args]);
  }

  async runCommand(variables: Record<string, string>, command: string, args: string[]): Promise<Run> {
    const { PATH = '', HOME = '' } = process.env;
    const env = { PATH, HOME, MARKETPLACE_URL: this.url, ...this.environment, ...variables };
    const child = spawn(command, args, { cwd: this.folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [stdout, stderr] = [child.stdout, child.stderr].map((stream) =>
      stream.setEncoding('utf8').toArray(),
    );
    const [code] = (await once(child, 'close')) as [number | null];
    const run = { code, stdout: (await stdout!).join(''), stderr: (await stderr!).join('') };
    everythingPrinted.push(run.stdout, run.stderr);
    return run;
  }

  /** Runs a command that must succeed, and returns what it prints as JSON. */
  async json<T = Record<string, unknown>>(...args: string[]): Promise<T> {
    const run = await this.run(...args, '--json');
    expect(run).toMatchObject({ code: 0, stderr: '' });
    return JSON.parse(run.stdout) as T;
  }

  write(content: unknown, name = 'marketplace.json'): void {
    writeFileSync(
      join(this.folder, name),
      typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`,
    );
  }

  read(name = 'marketplace.json'): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  get listing(): Record<string, unknown> {
    return JSON.parse(this.read());
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** A listing that can be submitted. */
export const aListingFile = (fields: Record<string, unknown> = {}) => ({
  name: unique('Acme Notes'),
  description: 'Takes notes during meetings.',
  category: 'PRODUCTIVITY',
  environment: 'production',
  screenshots: [
    { url: 'https://pictures.example/one.png' },
    { url: 'https://pictures.example/two.png', caption: 'Two' },
  ],
  ...fields,
});

/** The folder of a developer with a key. */
export const workspaceOf = (service: Pick<Service, 'url'>, { key }: Pick<Developer, 'key'>) =>
  new Workspace(service.url, { MARKETPLACE_KEY: key });

/** The apps of a developer, as the API lists them. */
export const appsOf = (service: Service, { key }: Developer) =>
  service.must<{ slug: string; name: string; status: string; revision: number; id: string }[]>(
    'myApps',
    {},
    key,
  );
