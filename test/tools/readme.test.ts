import { execFile, spawn } from 'node:child_process';
import { on } from 'node:events';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { duringTests } from '../support/before-tests.js';
import { startService } from '../support/service.js';

/** The commands of the README, then those of docs/tour.md. */
const blocks = ['README.md', 'docs/tour.md'].flatMap((page) =>
  [...readFileSync(page, 'utf8').matchAll(/^```bash\n([\s\S]*?)^```$/gm)].map(([, script = '']) => script),
);

describe('the commands of the README and of the tours', () => {
  const service = duringTests(startService);

  /** Runs all commands in a shell whose PORT is that of the service. */
  async function pasteAll(): Promise<string> {
    const script = `set -eu\n${blocks.join('\n')}`;
    const env = { ...process.env, PORT: new URL(service.url).port };
    return (await promisify(execFile)('bash', ['-c', script], { env })).stdout;
  }

  it('lead from an account to a public app, with curl and with GraphQL', async () => {
    expect(blocks).toHaveLength(3);
    const stdout = await pasteAll();
    expect(stdout).not.toContain('"error');
    expect(stdout).toContain('{"apps":[],"pagination":');
    expect(stdout).toContain('{"data":{"categories":[{"category":"PRODUCTIVITY","count":0}');
    expect(stdout).toContain('{"data":{"reviewQueue":{"totalCount":0,"edges":[]}}}');
    expect(stdout).toContain('PENDING');
    expect(stdout).toContain('{"slug":"maya-counts","installCount":1}');
    expect(stdout).toContain(
      '{"installCount":1,"reviewCount":0,"averageRating":0,"status":"APPROVED","featured":false}',
    );
    expect(stdout).toContain(
      '"browseApps":{"apps":[{"slug":"grace-compiles","name":"Grace Compiles","developer":{"name":"Grace"}}]',
    );
    expect(stdout).toContain('"appAnalytics":{"installCount":1,"status":"APPROVED","featured":false}');
    expect(stdout).toContain('"appRatings":{"totalCount":1,"edges":[{"node":{"rating":5,"title":"Fast",');
  });

  it('do the same again, with the developers that exist and with new apps', async () => {
    const stdout = await pasteAll();
    expect(stdout.match(/"code":"\w+"/g)).toEqual(['"code":"DEVELOPER_EXISTS"', '"code":"DEVELOPER_EXISTS"']);
    expect(stdout).toContain('{"slug":"maya-counts-2","installCount":1}');
    expect(stdout).toContain('"approveApp":{"slug":"grace-compiles-2","status":"APPROVED"}');
    expect(stdout).toContain('"appRatings":{"totalCount":1,"edges":[{"node":{"rating":5,"title":"Fast",');
  });

  it('and the one of docs/frontend.md for live updates, which shows the approval of an app', async () => {
    const [, command = ''] =
      /^```sh\n(curl \S+ -N [\s\S]*?)^```$/m.exec(readFileSync('docs/frontend.md', 'utf8')) ?? [];
    expect(command).toContain('catalogChanged');
    const listener = spawn('bash', ['-c', `exec ${command.replace('http://127.0.0.1:4000', service.url)}`]);
    try {
      const chunks = on(listener.stdout, 'data', { signal: AbortSignal.timeout(50_000) });
      // A comment says that the stream is open.
      await chunks.next();
      await pasteAll();
      let shown = '';
      for await (const [chunk] of chunks) {
        shown += chunk;
        if (shown.includes('"slug":"maya-counts-3"')) break;
      }
      expect(shown).toContain('{"catalogChanged":{"slug":"maya-counts-3","app":{"name":"Maya Counts"}}}');
    } finally {
      listener.kill();
    }
  });
});
