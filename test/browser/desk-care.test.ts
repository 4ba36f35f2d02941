import { expect, it } from '@jest/globals';
import { duringTests } from '../support/before-tests.js';
import { startPictureServer } from '../support/pictures.js';
import { startService } from '../support/service.js';
import { accessibilityViolations } from './axe.js';
import { browserWithDatabase } from './chromium.js';
import { aSubmission, deskWindow } from './desk-window.js';

const browser = browserWithDatabase();
const service = duringTests(() => startService({ WEB: 'on' }));
const pictures = duringTests(startPictureServer);

it('a submission shows the history of its developer, and texts that are saved for rejections (D390)', async () => {
  const developer = await service.aDeveloper();
  await service.anApp(developer, 'APPROVED');
  await service.anApp(developer, 'REJECTED');
  const first = await aSubmission(service, pictures, developer, { name: 'First' });
  const second = await aSubmission(service, pictures, developer, { name: 'Second' });
  const { page, screenshot, finish } = await deskWindow(browser, service);
  await page.goto(`${service.url}/desk/reviews/${first.id}`);
  const history = page.getByLabel('History of the developer');
  await history.getByRole('link', { name: '1' }).nth(1).waitFor();
  expect((await history.innerText()).replace(/\s+/g, ' ')).toBe('Approved 1 Rejected 1 Reports 0');
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

it('the page of a developer leads to the next one who waits for verification (D390)', async () => {
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
  await finish();
});
