import { describe, expect, it } from '@jest/globals';
import { Scope } from '../../src/auth/scope.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { startService } from '../support/service.js';
import { aListingFile, appsOf, everySecret, everythingPrinted, Workspace } from './tool.js';

describe('the credentials of the tool', () => {
  const service = duringTests(() => startService({ ASSET_CHECKS: 'off' }));
  const ada = beforeTests(() => service.aDeveloper());

  const folderWith = (key: string) => {
    const folder = new Workspace(service.url, { MARKETPLACE_KEY: key });
    folder.write(aListingFile());
    return folder;
  };

  it('come from a file, from the environment, or are missing (D402)', async () => {
    const folder = folderWith('');
    expect(await folder.run('push')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('MARKETPLACE_KEY'),
    });
    folder.write(`${ada.key}\n`, 'the key.txt');
    everySecret.add(ada.key);
    const run = await folder.run('whoami', '--key-file', 'the key.txt', '--json');
    expect(JSON.parse(run.stdout)).toMatchObject({ ok: true, credential: 'key file' });
    expect(await folder.run('whoami', '--key-file', 'none.txt')).toMatchObject({ code: 2 });
  });

  it('are sent to the address that the user names, over a safe connection (D402)', async () => {
    const folder = folderWith(ada.key);
    expect(await folder.runWith({ MARKETPLACE_URL: '' }, 'push')).toMatchObject({ code: 2 });
    const insecure = await folder.run('push', '--url', 'http://marketplace.example');
    expect(insecure).toMatchObject({ code: 2, stderr: expect.stringContaining('https://') });
  });

  it('without the scope end with exit code 3, which names the scope, and change nothing (D402)', async () => {
    const folder = folderWith(await service.aKey(ada, [Scope.APP_READ]));
    const run = await folder.run('push');
    expect(run).toMatchObject({ code: 3, stderr: expect.stringContaining('APP_CREATE') });
    expect(await appsOf(service, ada)).toEqual([]);
  });

  it('that were revoked, have expired or are no key end with exit code 3 (D402)', async () => {
    const keys = [await service.aRevokedKey(ada), await service.anExpiredKey(ada), 'mkt_nonsense-of-a-key'];
    for (const key of keys) {
      const run = await folderWith(key).run('push', '--json');
      expect(run.code).toBe(3);
      expect(JSON.parse(run.stdout)).toMatchObject({ ok: false, error: { exitCode: 3 } });
    }
  });

  it('appear in no output of any command, whatever happens (D402)', async () => {
    const folder = folderWith(ada.key);
    const commands = ['init', 'check', 'diff', 'push', 'pull', 'submit', 'status', 'withdraw', 'whoami'];
    for (const command of commands) {
      await folder.run(command);
      await folder.run(command, '--json');
    }
    // A key that is in the wrong place is not printed either.
    folder.write({ ...aListingFile(), name: `Key ${ada.key}` });
    await folder.run('diff');
    await folder.run(ada.key);
    expect(everythingPrinted.length).toBeGreaterThan(40);
    const leaks = [...everySecret].filter((secret) =>
      everythingPrinted.some((text) => text.includes(secret)),
    );
    expect(leaks).toEqual([]);
  });
});
