import { expect, it } from '@jest/globals';
import type { Json } from '../../support/actors.js';
import { duringTests } from '../../support/before-tests.js';
import { startPictureServer } from '../../support/pictures.js';
import { startService } from '../../support/service.js';
import { accessibilityViolations } from '../axe.js';
import { sharedBrowser } from '../chromium.js';
import { aSubmission, deskWindow } from '../desk-window.js';

const browser = sharedBrowser();
const service = duringTests(() => startService({ WEB: 'on' }));
const pictures = duringTests(startPictureServer);

it('a submission shows the history of its developer, and texts that are saved for rejections', async () => {
  const developer = await service.aDeveloper();
  await service.anApp(developer, 'APPROVED');
  await service.anApp(developer, 'REJECTED');
  const first = await aSubmission(service, pictures, developer, { name: 'First' });
  const second = await aSubmission(service, pictures, developer, { name: 'Second' });
  const { page, screenshot, finish } = await deskWindow(browser, service);
  await page.goto(`${service.url}/desk/reviews/${first.id}`);
  const history = page.getByLabel('History of the developer');
  await history.getByRole('link', { name: '1' }).nth(1).waitFor();
  expect((await history.innerText()).replace(/\s+/g, ' ')).toBe('Approvals 1 Rejections 1 Reports 0');
  await page
    .getByRole('button', { name: /^Claim/ })
    .first()
    .click();
  await page
    .getByRole('button', { name: /^Reject/ })
    .first()
    .click();
  await page.getByLabel('Guidance').fill('Use screenshots of the app itself.');
  await page.getByRole('button', { name: 'Save this text for later' }).click();
  await screenshot('desk-saved-texts');
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.goto(`${service.url}/desk/reviews/${second.id}`);
  await page
    .getByRole('button', { name: /^Claim/ })
    .first()
    .click();
  await page
    .getByRole('button', { name: /^Reject/ })
    .first()
    .click();
  await page.getByLabel('Saved texts').selectOption({ label: 'Use screenshots of the app itself.' });
  expect(await page.getByLabel('Guidance').inputValue()).toBe('Use screenshots of the app itself.');
  await page.getByRole('button', { name: 'Remove from the saved texts' }).click();
  await page.getByLabel('Saved texts').waitFor({ state: 'detached' });
  await finish();
});

it('the page of a developer leads to the next one who waits for verification', async () => {
  const register = async (name: string) => {
    const waiting = await service.aDeveloper({ name });
    await service.administer('unverifyDeveloper', { id: waiting.id, reason: 'Check it again.' });
    return waiting;
  };
  const one = await register('Wanda One');
  await register('Wanda Two');
  const { page, finish } = await deskWindow(browser, service);
  await page.goto(`${service.url}/desk/developers/${one.id}`);
  await page.getByRole('link', { name: 'Next to verify: Wanda Two' }).click();
  await page.getByRole('heading', { level: 1, name: /Wanda Two/ }).waitFor();
  await page.getByText('This developer has no apps.').waitFor();
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await page.getByRole('dialog').getByText('The e-mail address is not confirmed.').waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Verify anyway' }).waitFor();
  await finish();
});

it('a resubmission says what the developer marked as fixed, where nothing has changed, and its history in sentences (D220)', async () => {
  const developer = await service.aDeveloper();
  const { id, revision } = await aSubmission(service, pictures, developer, { name: 'Twice' });
  const reasons = [
    { code: 'INCOMPLETE', field: 'description', message: 'Say who it is for.' },
    { code: 'IMAGE_QUALITY', field: 'bannerUrl', message: 'It is cut off.' },
    { code: 'IMAGE_QUALITY', field: 'screenshots.1.url', message: 'It is blurred.' },
  ];
  await service.administer('rejectApp', { id, revision, reasons, guidance: 'Please.' });
  const screenshots = ['/png/1280x720', '/png/1024x768'].map((path) => ({ url: pictures.url(path) }));
  const changes = { description: 'It is for teams.', screenshots };
  await service.must('updateApp', { id, ...changes }, developer.token);
  for (const reason of [0, 1])
    await service.must('addressReason', { id, reason, addressed: true }, developer.token);
  await service.must('submitApp', { id }, developer.token);
  const { page, finish } = await deskWindow(browser, service);
  await page.goto(`${service.url}/desk/reviews/${id}`);
  const before = page.getByRole('region', { name: /^Previously rejected/ }).getByRole('listitem');
  await before.first().waitFor();
  expect(await before.locator('.badge').allInnerTexts()).toEqual([
    'The developer says: fixed',
    'The developer says: fixed',
    'Banner: the address has not changed since the rejection',
    'Not marked as fixed',
  ]);
  const pictureChanges = page.getByRole('region', { name: 'Screenshots', exact: true });
  await pictureChanges.getByText('1 unchanged').waitFor();
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.getByText('An administrator rejected the app').waitFor();
  await timeline.getByText('The developer changed the app: Short description, Screenshots').click();
  await timeline.locator('.changes', { hasText: 'teams' }).waitFor();
  await page.locator('button:enabled', { hasText: 'Approve…' }).click();
  const question = page.getByRole('dialog', { name: 'Approve it anyway?' });
  await question.getByText('Not marked as fixed It is blurred.').waitFor();
  expect(await question.getByText('Not marked as fixed').count()).toBe(1);
  await finish();
});

it('a version in the place of a rejected one that was discarded shows the open reasons of that one (D370)', async () => {
  const developer = await service.aDeveloper();
  const { app, version } = await service.aVersion(developer, 'REJECTED');
  await service.must('discardAppVersion', { id: version.id }, developer.token);
  const again = { appId: app.id, description: 'It tracks even more.' };
  const { id } = await service.must<Json>('createAppVersion', again, developer.token);
  await service.must('submitAppVersion', { id }, developer.token);
  const { page, close } = await deskWindow(browser, service);
  await page.goto(`${service.url}/desk/reviews/${id}`);
  await page.getByRole('region', { name: /^Previously rejected/ }).waitFor();
  await page.locator('button:enabled', { hasText: 'Approve…' }).click();
  const question = page.getByRole('dialog', { name: 'Approve it anyway?' });
  await question.getByText('Not marked as fixed').first().waitFor();
  await close();
});

it('an edit that was cancelled is dropped; one that is kept over a reload is named, and can be discarded', async () => {
  const { id } = await service.aDeveloper({ name: 'Nora Name' });
  const { page, open, finish } = await deskWindow(browser, service);
  await open(`/developers/${id}`);
  const edit = page.getByRole('button', { name: 'Edit the profile' });
  const dialog = page.getByRole('dialog');
  const name = dialog.getByLabel('Name');
  await edit.click();
  await name.fill('Cancelled Name');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await edit.click();
  expect(await name.inputValue()).toBe('Nora Name');
  await name.fill('Kept Name');
  await page.reload();
  await edit.click();
  expect(await name.inputValue()).toBe('Kept Name');
  await dialog.getByText('Not saved: Name').waitFor();
  await dialog.getByRole('button', { name: 'Discard' }).click();
  expect(await name.inputValue()).toBe('Nora Name');
  expect(await dialog.getByText('Not saved').count()).toBe(0);
  await finish();
});
