import { spawn } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { startService } from '../support/service.js';
import { words } from '../support/words.js';
import { aListingFile, everythingPrinted, toolFile, workspaceOf } from './tool.js';

describe('the tool on a terminal', () => {
  const service = duringTests(() => startService({ ASSET_CHECKS: 'off' }));
  const ada = beforeTests(() => service.aDeveloper());
  const folder = duringTests(
    () => workspaceOf(service, ada),
    (folder) => folder.remove(),
  );

  /** Runs the tool on a pseudo terminal, and types a line whenever it asks. */
  const onTerminal = (args: readonly string[], answers: readonly [RegExp, string][] = [], variables = {}) =>
    new Promise<{ code: number | null; screen: string }>((resolve) => {
      const command = [process.execPath, toolFile, ...args].map((part) => `'${part}'`).join(' ');
      const env = {
        PATH: process.env.PATH ?? '',
        TERM: 'xterm',
        MARKETPLACE_URL: service.url,
        ...folder.environment,
        ...variables,
      };
      const child = spawn('script', ['-qec', command, '/dev/null'], { cwd: folder.folder, env });
      let screen = '';
      const left = [...answers];
      child.stdout.setEncoding('utf8').on('data', (piece: string) => {
        screen += piece;
        const [next] = left;
        if (!next?.[0].test(screen)) return;
        left.shift();
        child.stdin.write(`${next[1]}\n`);
      });
      child.on('close', (code) => {
        everythingPrinted.push(screen);
        resolve({ code, screen });
      });
    });

  it('asks for the listing, and again after an answer that is not possible (D400)', async () => {
    const { code } = await onTerminal(
      ['init'],
      [
        [/Name of the app: /, 'Acme Notes'],
        [/sentences: /, 'Takes notes.'],
        [/Category \(.*\): /, 'GAMES'],
        [/Category \(.*\): [\s\S]*Category \(.*\): /, 'PRODUCTIVITY'],
        [/Environment .*: /, 'production'],
      ],
    );
    expect(code).toBe(0);
    expect(folder.listing).toMatchObject({
      name: 'Acme Notes',
      category: 'PRODUCTIVITY',
      environment: 'production',
    });
  });

  it('has colours there, and nowhere else (D402)', async () => {
    const escapeCode = String.fromCharCode(27);
    folder.write(aListingFile());
    const check = await onTerminal(['check']);
    expect(check.screen).toContain(`${escapeCode}[32m`);
    expect((await onTerminal(['check'], [], { NO_COLOR: '1' })).screen).not.toContain(`${escapeCode}[3`);
    expect((await folder.run('check')).stdout).not.toContain(escapeCode);
    expect(JSON.parse((await onTerminal(['check', '--json'])).screen)).toMatchObject({ ok: true });
  });

  it('shows no escape sequences of a listing (D402)', async () => {
    const { slug, id } = await service.anApp(ada);
    await service.sql('update apps set long_description = $1 where id = $2', ['\u001b[2Jgone\u202e', id]);
    await folder.run('init', '--app', slug, '--force');
    folder.write({ ...folder.listing, longDescription: 'Other words.' });
    const { stdout } = await folder.run('diff');
    expect(stdout).toContain('- [2Jgone');
    expect(stdout).not.toContain('\u001b');
  });

  it('has help for every command, and the version (D402)', async () => {
    const { stdout } = await folder.run('--help');
    const commands = [...stdout.matchAll(/^ {2}(\w+) {2}/gm)].map(([, name]) => name!);
    expect(commands).toEqual(words('init check diff push pull submit status withdraw whoami'));
    for (const command of commands) {
      const help = await folder.run(command, '--help');
      expect(help).toMatchObject({ code: 0, stderr: '' });
      expect(help.stdout).toContain('--json');
    }
    expect(await folder.run('--version')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
    for (const wrong of [
      [],
      ['publish'],
      ['push', '--forse'],
      ['push', 'now'],
      ['submit', '--timeout', 'soon'],
    ]) {
      const { code, stderr } = await folder.run(...wrong);
      expect([code, stderr.length > 0]).toEqual([2, true]);
    }
  });
});
