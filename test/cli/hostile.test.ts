import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { unique } from '../support/actors.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { PipelineIssuer } from '../support/pipeline-issuer.js';
import { startService } from '../support/service.js';
import { FaultyLine } from './faulty-line.js';
import { aListingFile, appsOf, toolFile, Workspace, workspaceOf } from './tool.js';

describe("a repository that is a stranger's", () => {
  const service = duringTests(() => startService({ ASSET_CHECKS: 'off' }));
  const ada = beforeTests(() => service.aDeveloper());
  const folder = duringTests(
    () => workspaceOf(service, ada),
    (folder) => folder.remove(),
  );
  beforeAll(async () => {
    mkdirSync(join(folder.folder, 'repository'));
    mkdirSync(join(folder.folder, 'repository/.git'));
    for (const name of ['secret.txt', 'repository/.git/config', 'repository/.env'])
      writeFileSync(join(folder.folder, name), 'the-secret-of-this-machine');
    symlinkSync(join(folder.folder, 'secret.txt'), join(folder.folder, 'repository/LISTING.md'));
    symlinkSync(folder.folder, join(folder.folder, 'repository/sub'));
  });

  it.each(['LISTING.md', 'sub/secret.txt', '.git/config', '.env', '../secret.txt', 'sub/../LISTING.md'])(
    'cannot publish another file of the machine: %s (D400)',
    async (file) => {
      folder.write(aListingFile({ longDescription: { file } }), 'repository/marketplace.json');
      for (const command of ['check', 'diff', 'push']) {
        const { code, stdout, stderr } = await folder.run(command, '--file', 'repository/marketplace.json');
        expect({ command, code }).toEqual({ command, code: 1 });
        expect(stdout + stderr).toContain('longDescription.file');
        expect(stdout + stderr).not.toContain('the-secret');
      }
      expect(await appsOf(service, ada)).toEqual([]);
    },
  );

  it('cannot make the tool write through a link (D400)', async () => {
    const target = join(folder.folder, 'target.json');
    const link = join(folder.folder, 'link.json');
    symlinkSync(target, link);
    const options = ['--name', 'A', '--description', 'B', '--category', 'OTHER', '--environment', 'staging'];
    const run = await folder.run('init', ...options, '--file', 'link.json', '--force');
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('symbolic link') });
    expect(existsSync(target)).toBe(false);
  });
});

describe('a pipeline', () => {
  it('names its app, so that no stranger can have it write to theirs (D408)', async () => {
    const issuer = await PipelineIssuer.start();
    const service = await startService({ ASSET_CHECKS: 'off', PUBLISHER_ISSUERS: issuer.url });
    const mallory = await service.aDeveloper();
    const { id: appId } = await service.anApp(mallory);
    const pipeline = { issuer: issuer.url, repository: 'acme/notes', workflow: 'release.yml' };
    await service.must('addTrustedPublisher', { appId, ...pipeline }, mallory.token);
    const folder = new Workspace(service.url, {
      ACTIONS_ID_TOKEN_REQUEST_URL: `${issuer.url}/request?job=1`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: issuer.requestToken,
    });
    folder.write(aListingFile({ name: unique('Secret project') }));
    for (const command of ['push', 'check']) {
      const run = await folder.run(command);
      expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('"app"') });
    }
    expect(JSON.stringify(await appsOf(service, mallory))).not.toContain('Secret project');
    folder.remove();
    await service.close();
    await issuer.close();
  });

  it('submits what it has pushed, and not what somebody else wrote since (D406)', async () => {
    await using service = await startService({ ASSET_CHECKS: 'off' });
    const ada = await service.aDeveloper();
    const line = await FaultyLine.to(service.url);
    const folder = new Workspace(line.url, { MARKETPLACE_KEY: ada.key });
    folder.write(aListingFile());
    await folder.json('push');
    const [app] = await appsOf(service, ada);
    line.afterWrite = () =>
      service.must('updateApp', { id: app!.id, description: 'Mallory was here.' }, ada.token);
    folder.write({ ...folder.listing, description: 'Takes better notes.' });
    const run = await folder.run('push', '--submit');
    expect(run).toMatchObject({ code: 5, stderr: expect.stringContaining('not submitted') });
    expect(await appsOf(service, ada)).toMatchObject([{ status: 'DRAFT' }]);
    folder.remove();
    await line.close();
  });
});

describe('a server that is hostile', () => {
  let server: Server | null = null;
  afterEach(() => void server?.close());
  const attack =
    '\u001b[2J\u001b]0;owned\u0007\n::set-output name=a::b\n  ::error::c\n##[set-env name=d]e ##vso[task.setvariable variable=f]g';

  /** Starts a server that responds to everything with this, and counts the requests. */
  async function hostile(
    respond: (path: string, body: string) => { status?: number; body: unknown; headers?: object },
  ) {
    const asked: string[] = [];
    server = createServer(async (request, response) => {
      const body = (await request.toArray()).join('');
      const path = request.url ?? '';
      asked.push(path);
      const { status = 200, body: sent, headers = {} } = respond(path, body);
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(typeof sent === 'string' ? sent : JSON.stringify(sent));
    });
    await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const folder = new Workspace(url, { MARKETPLACE_KEY: `mkt_${'a'.repeat(38)}`, GITHUB_ACTIONS: 'true' });
    folder.write(aListingFile({ app: 'an-app' }));
    return { folder, asked };
  }
  const app = (status: string) => ({
    ...aListingFile(),
    id: 'id',
    name: attack,
    slug: attack,
    status,
    revision: 1,
    updatedAt: '2026-01-01T00:00:00.000Z',
    submittedAt: null,
    rejection: {
      guidance: attack,
      rejectedAt: '',
      reasons: [{ code: attack, field: attack, message: attack }],
    },
    findings: [{ field: attack, severity: 'ERROR', code: attack, message: attack, fix: attack }],
    review: null,
    openVersion: null,
  });
  const viewer = {
    accountUserId: attack,
    developer: { name: attack, companyName: attack, status: attack },
    apiKey: { name: attack, maskedKey: attack, scopes: [attack], expiresAt: attack },
  };

  it.each(['status', 'diff', 'check', 'push', 'pull', 'submit', 'withdraw', 'whoami'])(
    'can neither write to the terminal nor give commands to a pipeline: %s (D402)',
    async (command) => {
      const rejected = { ready: false, findings: app('').findings, images: [] };
      const data = { viewer, myAppBySlug: app('REJECTED'), preflightListing: rejected };
      const error = {
        code: 'FORBIDDEN',
        message: attack,
        requestId: attack,
        details: [{ field: attack, code: attack, message: attack }],
      };
      const failed = { errors: [{ message: attack, extensions: error }], error };
      for (const body of [{ data }, failed]) {
        const { folder } = await hostile((path) => ({ status: path.startsWith('/api') ? 403 : 200, body }));
        const { stdout, stderr } = await folder.run(command);
        const lines = `${stdout}\n${stderr}`.split('\n');
        expect(`${stdout}${stderr}`).not.toMatch(/[^\P{Cc}\n\t]/u);
        const commands = lines.filter((line) => /^\s*::/.test(line) || /##\w*\[/.test(line));
        // The tool's own annotations have the place of a finding.
        expect(commands.filter((line) => !/^::(error|warning) (file=.*,)?title=Listing/.test(line))).toEqual(
          [],
        );
        const json = await folder.run(command, '--json');
        expect(json.stdout).not.toMatch(/##\w*\[/);
        folder.remove();
        server?.close();
      }
    },
  );

  it('cannot make a wait ask without a pause, nor send the request elsewhere (D402)', async () => {
    const elsewhere: string[] = [];
    const other = createServer((request, response) => {
      elsewhere.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
    for (const stream of [{ body: '' }, { status: 307, headers: { location }, body: '' }]) {
      const { folder, asked } = await hostile((path) =>
        path === '/graphql/stream' ? stream : { body: { data: { myAppBySlug: app('PENDING') } } },
      );
      await folder.run('status', '--watch', '--timeout', '3');
      expect(asked.length).toBeLessThan(10);
      folder.remove();
      server?.close();
    }
    expect(elsewhere).toEqual([]);
    other.close();
  });

  it.each(['pull', 'init'])(
    'cannot name a file that the next push would publish: %s (D400)',
    async (command) => {
      const planted = {
        ...app('DRAFT'),
        name: 'A',
        slug: 'an-app',
        longDescription: { file: 'secrets.txt' },
      };
      const { folder } = await hostile(() => ({ body: { data: { myAppBySlug: planted } } }));
      folder.write('the-secret', 'secrets.txt');
      const run = await folder.run(command, ...(command === 'init' ? ['--app', 'an-app', '--force'] : []));
      expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('longDescription') });
      expect(folder.read()).not.toContain('secrets.txt');
      folder.remove();
    },
  );

  it.each(['http://127.evil.example', 'https://user:password@marketplace.example', 'http://[::2]'])(
    'gets no key at an address that is not safe: %s (D402)',
    async (url) => {
      const { folder } = await hostile(() => ({ body: {} }));
      const run = await folder.run('whoami', '--url', url);
      expect(run.code).toBe(2);
      expect(run.stderr).not.toContain('password@');
      folder.remove();
    },
  );

  it('is not needed to see that a reader who stops early is no error', async () => {
    const { folder } = await hostile(() => ({ body: { data: { myAppBySlug: app('REJECTED') } } }));
    const script = `"${process.execPath}" "${toolFile}" status | true; echo done`;
    const run = await folder.runCommand({}, 'sh', ['-c', script]);
    expect(run).toMatchObject({ code: 0, stdout: 'done\n', stderr: '' });
    folder.remove();
  });
});
