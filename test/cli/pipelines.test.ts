import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { Scope } from '../../src/auth/scope.js';
import { type AppJson, type Developer, nevertheless } from '../support/actors.js';
import { duringTests } from '../support/before-tests.js';
import { gitHubClaims, gitLabClaims, PipelineIssuer } from '../support/pipeline-issuer.js';
import { startService } from '../support/service.js';
import { everySecret, everythingPrinted, Workspace } from './tool.js';

describe('a pipeline', () => {
  let ada: Developer;
  let app: AppJson;
  const issuer = duringTests(() => PipelineIssuer.start());
  const service = duringTests(() => startService({ PUBLISHER_ISSUERS: issuer.url, ASSET_CHECKS: 'off' }));
  beforeEach(async () => {
    await service.sql('delete from trusted_publishers');
    ada = await service.aDeveloper();
    app = await service.anApp(ada, 'APPROVED');
    for (const pipeline of [
      { repository: 'acme/notes', workflow: 'marketplace.yml' },
      { repository: 'acme/tools/notes', workflow: '.gitlab-ci.yml' },
    ])
      await service.must(
        'addTrustedPublisher',
        { appId: app.id, issuer: issuer.url, environment: 'marketplace', ...pipeline },
        ada.token,
      );
  });

  const onGitHub = (claims: Record<string, unknown> = {}) => {
    issuer.jobClaims = gitHubClaims({
      workflow_ref: 'acme/notes/.github/workflows/marketplace.yml@refs/tags/v1.0.0',
      ...claims,
    });
    return {
      GITHUB_ACTIONS: 'true',
      ACTIONS_ID_TOKEN_REQUEST_URL: `${issuer.url}/token?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: issuer.requestToken,
    };
  };
  /** The checked-out repository: a listing with a change since the last release. */
  const checkedOut = async (environment: Record<string, string>, fields: Record<string, unknown> = {}) => {
    const folder = new Workspace(service.url, environment);
    await folder.runWith({ MARKETPLACE_KEY: ada.key }, 'init', '--app', app.slug, '--force');
    folder.write({ ...folder.listing, description: 'Of the next version.', ...fields });
    return folder;
  };
  const openVersion = async () => {
    const query = 'query ($id: ID!) { myApp(id: $id) { openVersion { id revision status description } } }';
    const { myApp } = await service.client.queryData<{
      myApp: { openVersion: { id: string; revision: number; status: string } | null };
    }>(query, { id: app.id }, ada.token);
    return myApp.openVersion;
  };

  /** The commands of a job in docs/publish.md, in their order. */
  const document = readFileSync('docs/publish.md', 'utf8');
  const commandsOf = (job: string): string[] => {
    const block = new RegExp(`^( *)${job}:\\n((?:\\1 +.*\\n)+)`, 'm').exec(document)?.[2] ?? '';
    const lines = [...block.matchAll(/^ *- (?:run: )?((?:curl|node) .*)$/gm)].map(([, line]) => line!);
    expect(lines).toHaveLength(2);
    return lines;
  };
  const runJob = async (folder: Workspace, job: string) => {
    const script = commandsOf(job).join('\n');
    return folder.runCommand({}, 'bash', ['-euo', 'pipefail', '-c', script]);
  };

  it('publishes on GitHub by its identity, with the steps of the document (D408)', async () => {
    const folder = await checkedOut(onGitHub());
    const run = await runJob(folder, 'publish');
    expect(run).toMatchObject({ code: 0 });
    expect(await openVersion()).toMatchObject({ status: 'PENDING', description: 'Of the next version.' });
    const who = await folder.json('whoami');
    expect(who).toMatchObject({ credential: 'pipeline', apiKey: { scopes: ['APP_READ', 'APP_UPDATE'] } });
  });

  it('publishes on GitLab by its identity, with the steps of the document (D408)', async () => {
    const token = await issuer.token(service.url, gitLabClaims());
    const folder = await checkedOut({ MARKETPLACE_ID_TOKEN: token });
    expect(await runJob(folder, 'marketplace-publish')).toMatchObject({ code: 0 });
    expect(await openVersion()).toMatchObject({ status: 'PENDING' });
    // The same token does not work again.
    expect(await folder.run('push')).toMatchObject({ code: 3, stderr: expect.stringContaining('once') });
  });

  it('waits for the decision, if the document is changed as it says (D402)', async () => {
    const folder = await checkedOut(onGitHub());
    const waiting = folder.run('push', '--submit', '--wait', '--json');
    let version = await openVersion();
    while (version?.status !== 'PENDING') version = await openVersion();
    const { id, revision } = version;
    await service.administer('approveAppVersion', { id, revision, ...nevertheless });
    const run = await waiting;
    expect(run).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(run.stdout)).toMatchObject({
      action: 'VERSION_CREATED',
      submission: { submitted: true, appStatus: 'APPROVED', target: 'APP' },
    });
  });

  it.each<[string, Record<string, unknown>]>([
    [
      'a fork',
      {
        repository: 'mallory/notes',
        workflow_ref: 'mallory/notes/.github/workflows/marketplace.yml@refs/heads/main',
      },
    ],
    ['another workflow', { workflow_ref: 'acme/notes/.github/workflows/test.yml@refs/heads/main' }],
    ['a job without the environment', { environment: undefined }],
  ])('of %s publishes nothing (D408)', async (_, claims) => {
    const folder = await checkedOut(onGitHub(claims));
    expect(await folder.run('push')).toMatchObject({ code: 3 });
    expect(await openVersion()).toBeNull();
  });

  it.each(['check', 'marketplace-check'])(
    'checks a pull request with the steps of the job "%s" (D402)',
    async (job) => {
      const key = await service.aKey(ada, [Scope.APP_READ]);
      const ready = await checkedOut({ GITHUB_ACTIONS: 'true', MARKETPLACE_KEY: key });
      expect(await runJob(ready, job)).toMatchObject({ code: 0 });
      // A fork has no secrets: the file alone is checked.
      const fork = await checkedOut({ GITHUB_ACTIONS: 'true', MARKETPLACE_KEY: '' }, { category: 'GAMES' });
      const run = await runJob(fork, job);
      expect(run.code).toBe(1);
      expect(run.stdout).toMatch(/^::error file=marketplace.json,line=\d+,title=Listing%3A category::/m);
      expect(await openVersion()).toBeNull();
    },
  );

  it('publishes with a key of least privilege, as the document says (D402)', async () => {
    const key = await service.aKey(ada, [Scope.APP_CREATE, Scope.APP_READ, Scope.APP_UPDATE]);
    const folder = await checkedOut({ MARKETPLACE_KEY: key });
    expect(await runJob(folder, 'publish')).toMatchObject({ code: 0 });
  });

  it('prints neither its identity nor its key (D402)', () => {
    everySecret.add(issuer.requestToken);
    const printed = everythingPrinted.join('\n');
    expect(printed).not.toMatch(/mkt_[0-9A-Za-z]{38}|eyJ[\w-]+\.[\w-]+\./);
    for (const secret of everySecret) expect(printed).not.toContain(secret);
  });
});
