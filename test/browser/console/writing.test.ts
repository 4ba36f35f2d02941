import { expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { startService } from '../../support/service.js';
import { accessibilityViolations } from '../axe.js';
import { sharedBrowser } from '../chromium.js';
import { consoleWindow } from '../console-window.js';

const browser = sharedBrowser();
const service = duringTests(() => startService({ WEB: 'on' }));
const developer = beforeTests(() => service.aDeveloper());

it('the description is written with a toolbar, keys and a preview beside it', async () => {
  const app = await service.anApp(developer, 'DRAFT', { screenshots: [] });
  const { page, screenshot, open, finish } = await consoleWindow(browser, service, developer);
  await open(`/apps/${app.id}`);
  const text = page.getByLabel('Full description (optional)');
  const tools = page.getByRole('group', { name: 'Format: Full description' });
  const preview = page.getByRole('region', { name: 'Preview: Full description' });
  await text.fill('Plain words');
  await text.selectText();
  await tools.getByRole('button', { name: 'Bold' }).click();
  expect(await text.inputValue()).toBe('**Plain words**');
  expect(await preview.getByRole('strong').textContent()).toBe('Plain words');
  // The same again removes it, and Ctrl+Z takes that back.
  await page.keyboard.press('Control+b');
  expect(await text.inputValue()).toBe('Plain words');
  await page.keyboard.press('Control+z');
  expect(await text.inputValue()).toBe('**Plain words**');
  await text.fill('One\nTwo');
  await text.selectText();
  await tools.getByRole('button', { name: 'Numbered list' }).click();
  expect(await text.inputValue()).toBe('1. One\n2. Two');
  await preview.getByRole('listitem').nth(1).waitFor();
  await text.fill('');
  await tools.getByRole('button', { name: 'Table' }).click();
  await preview.getByRole('table').waitFor();
  await text.press('Control+End');
  await page.keyboard.type('\nand *more*');
  await page.keyboard.press('Control+s');
  await page.getByText('Ready to submit').or(page.getByText('to fix before you submit')).first().waitFor();
  await screenshot('console-writing');
  expect(await accessibilityViolations(page)).toEqual([]);
  const [saved] = await service.sql<{ long_description: string }>(
    'select long_description from apps where id = $1',
    [app.id],
  );
  expect(saved?.long_description).toMatch(/^\| Column \| Column \|\n\|---.*\*more\*$/s);
  await finish();
});

it('charts show their values, their versions and a table', async () => {
  const app = await service.anApp(developer, 'APPROVED');
  for (const installationId of ['one', 'two'])
    await service.must('recordInstall', { slug: app.slug, installationId });
  const version = await service.must<{ id: string }>(
    'createAppVersion',
    { appId: app.id, versionNumber: '2.5.0' },
    developer.token,
  );
  await service.must('submitAppVersion', { id: version.id }, developer.token);
  await service.administer('approveAppVersion', { id: version.id, revision: 1 });
  const { page, screenshot, open, finish } = await consoleWindow(browser, service, developer);
  await open(`/apps/${app.id}/analytics?days=7`);
  const chart = page.locator('.chart').first();
  await chart.locator('canvas').waitFor();
  const box = (await chart.locator('.u-over').boundingBox())!;
  await page.mouse.move(box.x + box.width - 2, box.y + box.height / 2);
  const tip = chart.locator('.chart-tip');
  await tip.getByText('Installs: 2', { exact: true }).waitFor();
  await tip.getByText('Version 2.5.0').waitFor();
  await screenshot('console-analytics');
  const button = page.getByRole('button', { name: 'Show as a table' }).first();
  await button.click();
  const today = new Date().toISOString().slice(0, 10);
  const row = page.getByRole('table', { name: 'Installs' }).getByRole('row').last();
  expect((await row.textContent())?.startsWith(today)).toBe(true);
  expect(await row.textContent()).toContain('Version 2.5.0');
  await page.getByLabel('Group by').selectOption('WEEK');
  await page
    .getByText(/^Week of \d{4}-\d\d-\d\d/)
    .first()
    .waitFor();
  await page.getByLabel('Group by').selectOption('MONTH');
  const month = new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });
  await page.getByText(month.format(new Date())).first().waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await finish();
});

/** Holds a mutation back until the returned function is called. */
async function holdBack(page: Page, mutation: string): Promise<() => void> {
  const { promise: released, resolve } = Promise.withResolvers<void>();
  await page.route('**/graphql', async (route) => {
    if (route.request().postData()?.includes(mutation)) await released;
    await route.continue();
  });
  return resolve;
}

it('what is written while a listing is saved stays, also a field that was sent', async () => {
  const app = await service.anApp(developer, 'DRAFT', { screenshots: [] });
  const { page, open, finish } = await consoleWindow(browser, service, developer);
  await open(`/apps/${app.id}`);
  const description = page.getByLabel('Short description');
  const version = page.getByLabel('Version number');
  await description.fill('First.');
  const release = await holdBack(page, 'ConsoleUpdateApp');
  const save = page.getByRole('button', { name: 'Save', exact: true });
  await save.click();
  await description.fill('First. Second.');
  await version.fill('7.0.0');
  release();
  await page.getByText('Not saved: Short description, Version number.').waitFor();
  await save.and(page.locator(':enabled')).waitFor();
  expect(await description.inputValue()).toBe('First. Second.');
  await save.click();
  await page.getByRole('status').getByText('Saved. ').waitFor();
  const [saved] = await service.sql('select description, version_number from apps where id = $1', [app.id]);
  expect(saved).toEqual({ description: 'First. Second.', version_number: '7.0.0' });
  await finish();
});

it('two tabs write into different fields of a listing, and both keep them', async () => {
  const app = await service.anApp(developer, 'DRAFT', { screenshots: [] });
  const { page, open, finish } = await consoleWindow(browser, service, developer);
  await open(`/apps/${app.id}`);
  const other = await page.context().newPage();
  const { accountUserId } = developer;
  await other.route('**/dev/token', (route) =>
    route.continue({ postData: JSON.stringify({ accountUserId, name: 'Nia Newcomer' }) }),
  );
  await other.goto(page.url());
  await other.getByLabel('Version number').waitFor();
  await page.getByLabel('Short description').fill('Of the first tab.');
  await other.getByText('Not saved: Short description.').waitFor();
  await other.getByLabel('Version number').fill('8.0.0');
  await page.reload();
  await page.getByText('Not saved: Short description, Version number.').waitFor();
  await finish();
});

it('what is written while a message is sent stays', async () => {
  const app = await service.anApp(developer, 'PENDING');
  const { page, open, close } = await consoleWindow(browser, service, developer);
  await open(`/apps/${app.id}`);
  const message = page.getByLabel('Message to the reviewers');
  const send = page.getByRole('button', { name: 'Send' });
  await message.fill('One.');
  const release = await holdBack(page, 'ConsoleMessageReviewers');
  await send.click();
  await message.fill('One. Two.');
  release();
  await page.getByText('Your message is sent.').waitFor();
  expect(await message.inputValue()).toBe('One. Two.');
  await page.unrouteAll();
  await send.click();
  await page.locator('.thread li', { hasText: 'One. Two.' }).waitFor();
  expect(await message.inputValue()).toBe('');
  await close();
});
