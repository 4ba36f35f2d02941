import { describe, expect, it } from '@jest/globals';
import { lastUndoUrl, profileOf } from '../../attacks/stolen-key.js';
import { type Developer, unique } from '../../support/actors.js';
import { duringTests } from '../../support/before-tests.js';
import { startService } from '../../support/service.js';
import { accessibilityViolations } from '../axe.js';
import { sharedBrowser, visit } from '../chromium.js';
import { consoleWindow } from '../console-window.js';

const browser = sharedBrowser();
const service = duringTests(() => startService({ WEB: 'on' }));

/** A developer whose profile and webhooks were changed with a key. */
async function robbed(): Promise<{ developer: Developer; keyId: string; key: string }> {
  const developer = await service.aDeveloper({ companyName: 'Ada & Co' });
  const { id, key } = await service.anIssuedKey(developer);
  const changes = { email: `${unique('eve')}@evil.example`, companyName: 'Evil' };
  await service.must('updateMe', changes, key);
  await service.must('createWebhookEndpoint', { url: 'https://evil.example/' }, key);
  return { developer, keyId: id, key };
}

describe('after a leak', () => {
  it('the link of the mail leads to a page whose button undoes the change (D323)', async () => {
    const { developer } = await robbed();
    const { page, finish } = await visit(browser);
    await page.goto(await lastUndoUrl(service, developer));
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await profileOf(service, developer)).toMatchObject({ companyName: 'Evil' });
    await page.getByRole('button').click();
    await page.getByRole('heading', { name: 'The change is undone' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    expect(await profileOf(service, developer)).toMatchObject({
      email: developer.email,
      companyName: 'Ada & Co',
    });
    await finish();
  });

  it('the console shows what was done with the key, and undoes it (D324)', async () => {
    const { developer, keyId, key } = await robbed();
    await service.must('reportLeakedKey', { key });
    const { page, open, finish } = await consoleWindow(browser, service, developer);
    await open('/keys');
    await page.getByText('Expired and revoked keys').click();
    await page.getByRole('link', { name: 'What was done with it' }).click();
    await page.waitForURL(`**/console/keys/${keyId}/changes`);
    await page.getByRole('heading', { name: 'Undo 2 changes' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Undo these changes' }).click();
    await page.getByText('Undone', { exact: true }).first().waitFor();
    expect(await page.getByText('Undone', { exact: true }).count()).toBe(2);
    expect(await profileOf(service, developer)).toMatchObject({ email: developer.email });
    expect(await service.must('myWebhookEndpoints', {}, developer.token)).toMatchObject([
      { status: 'DISABLED' },
    ]);
    await finish();
  });
});
