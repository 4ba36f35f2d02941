import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { AppJson, Developer } from '../../support/actors.js';
import { duringTests } from '../../support/before-tests.js';
import { until } from '../../support/mail-server.js';
import { startPictureServer } from '../../support/pictures.js';
import { startService } from '../../support/service.js';
import { accessibilityViolations } from '../axe.js';
import { sharedBrowser, visit } from '../chromium.js';
import { consoleWindow } from '../console-window.js';

let app: AppJson;
let developer: Developer;
const browser = sharedBrowser();
const pictures = duringTests(startPictureServer);
const service = duringTests(() => startService({ WEB: 'on' }));
beforeAll(async () => {
  developer = await service.aDeveloper({ companyName: 'Fjord & Field' });
  app = await service.anApp(developer, 'APPROVED', {
    name: 'Notes',
    longDescription: 'A long story.\n\n'.repeat(40),
    logoUrl: pictures.url('/png/512x512'),
    bannerUrl: pictures.url('/png/1200x600'),
    screenshots: [
      { url: pictures.url('/png/1280x720'), caption: 'The list' },
      { url: pictures.url('/png/1280x721') },
    ],
  });
  await service.administer('featureApp', { id: app.id, featured: true });
  for (let n = 0; n < 9; n += 1) await service.aRating(app, { rating: 5, title: `Nice ${n}` });
});

async function open(path: string, width = 1280) {
  const visited = await visit(browser, { viewport: { width, height: 860 } });
  await visited.page.goto(`${service.url}/market${path}`);
  return visited;
}

const scrolled = (page: Page) => page.evaluate<number>('Math.round(scrollY)');
/** Waits until the page is scrolled to a place again. */
const returnsTo = (page: Page, top: number) =>
  until(
    async () => Math.abs((await scrolled(page)) - top) <= 2,
    () => `the page did not return to ${top}`,
  );

describe('a visitor who signs in', () => {
  it('to report a rating returns to the same place, dialog and text (D371)', async () => {
    const { page, finish } = await open('/apps/notes');
    const report = page.getByRole('button', { name: 'Report this rating' }).nth(4);
    await report.scrollIntoViewIfNeeded();
    const top = await scrolled(page);
    expect(top).toBeGreaterThan(300);
    await report.click();
    await page.getByLabel('Why should it be hidden?').fill('It is an advertisement.');
    await page.getByRole('button', { name: 'Sign in to report' }).click();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Nia Newcomer' }).click();
    await page.getByRole('button', { name: 'Account menu' }).waitFor();
    const dialog = page.getByRole('dialog', { name: 'Report a rating' });
    await dialog.waitFor();
    expect(await dialog.getByLabel('Why should it be hidden?').inputValue()).toBe('It is an advertisement.');
    await returnsTo(page, top);
    await dialog.getByRole('button', { name: 'Report', exact: true }).click();
    await page.getByText('The administrators will look at it').waitFor();
    expect(await page.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('draft'))")).toEqual(
      [],
    );
    await finish();
  });

  it('to rate returns to the same place with the stars and the text (D371)', async () => {
    const { page, finish } = await open('/apps/notes', 390);
    await page.getByRole('radio', { name: '4 stars' }).check({ force: true });
    await page.getByLabel('Headline').fill('Does what it says');
    await page.getByRole('button', { name: 'Sign in to rate' }).scrollIntoViewIfNeeded();
    const top = await scrolled(page);
    expect(top).toBeGreaterThan(300);
    await page.getByRole('button', { name: 'Sign in to rate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Nia Newcomer' }).click();
    const rate = page.getByRole('button', { name: 'Rate', exact: true });
    await rate.and(page.locator(':focus')).waitFor();
    expect(await page.getByLabel('Headline').inputValue()).toBe('Does what it says');
    expect(await page.getByRole('radio', { name: '4 stars' }).isChecked()).toBe(true);
    expect(await page.getByLabel('Display name').inputValue()).toBe('Nia Newcomer');
    await returnsTo(page, top);
    await rate.click();
    await page.getByRole('status').getByText('Your rating is published').waitFor();
    await finish();
  });

  it('as the developer of an app offers no stars for it, but the way to the replies (D31)', async () => {
    const { page, finish } = await consoleWindow(browser, service, developer);
    await page.goto(`${service.url}/market/apps/notes`);
    const own = page.getByRole('region', { name: 'Your rating' });
    await own.getByText('This is your own app').waitFor();
    expect(await own.getByRole('radio').count()).toBe(0);
    await own.getByRole('link', { name: 'reply to their ratings' }).click();
    await page.getByRole('heading', { name: 'Notes', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Reply' }).first().waitFor();
    await finish();
  });

  it('does so in the header, sees the desk as an administrator only, and is signed in in a new tab (D372)', async () => {
    const { page, finish } = await open('');
    const header = page.getByRole('banner');
    await header.getByRole('link', { name: 'For developers' }).waitFor();
    expect(await header.getByRole('link', { name: /desk/i }).count()).toBe(0);
    await header.getByRole('button', { name: 'Sign in' }).click();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Nia Newcomer' }).click();
    await header.getByRole('button', { name: 'Account menu' }).waitFor();
    await page.getByRole('link', { name: 'Notes' }).first().waitFor();
    expect(await header.getByRole('link', { name: /desk/i }).count()).toBe(0);
    await header.getByRole('button', { name: 'Account menu' }).click();
    await header.getByRole('button', { name: 'Sign out' }).click();
    await header.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Demo administrator' }).click();
    await header.getByRole('link', { name: 'Review desk' }).waitFor();
    const tab = await page.context().newPage();
    await tab.goto(`${service.url}/console`);
    await tab.getByRole('button', { name: 'Account menu' }).waitFor();
    const away = await page.context().newPage();
    await away.goto(`${service.url}/console`);
    await away.getByRole('button', { name: 'Account menu' }).waitFor();
    await away.goto('about:blank');
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await tab.getByRole('heading', { name: 'Sign in' }).waitFor();
    for (const other of [away, await page.context().newPage()]) {
      await other.goto(`${service.url}/console`);
      await other.getByRole('heading', { name: 'Sign in' }).waitFor();
    }
    await finish();
  });
});

it.each([390, 768, 1024, 1440])('a visitor finds the way to the console, %i pixels wide', async (width) => {
  const { page, finish } = await visit(browser, { viewport: { width, height: 900 } });
  await page.goto(`${service.url}/market`);
  const inHeader = page.getByRole('banner').getByRole('link', { name: 'For developers' });
  await inHeader.waitFor();
  const box = (await inHeader.boundingBox())!;
  expect(box.x + box.width).toBeLessThanOrEqual(width);
  await page.getByRole('contentinfo').getByRole('link', { name: 'Publish an app' }).click();
  await page.waitForURL('**/console');
  await finish();
});

describe('the pictures of an app', () => {
  it.each([390, 768, 1024, 1440])('at %i pixels are whole and large enough to read (D374)', async (width) => {
    const { page, screenshot, finish } = await open('', width);
    const banner = page.locator('.banner').first();
    const ratioOf = async () => {
      await banner.locator('img').waitFor();
      const { width: across, height: high } = (await banner.boundingBox())!;
      return across / high;
    };
    expect(await ratioOf()).toBeCloseTo(2, 1);
    await page.goto(`${service.url}/market/apps/notes`);
    expect(await ratioOf()).toBeCloseTo(2, 1);
    expect(await page.evaluate("getComputedStyle(document.querySelector('.banner img')).objectFit")).toBe(
      'contain',
    );
    const shot = page.getByRole('button', { name: 'The list' });
    await shot.scrollIntoViewIfNeeded();
    expect((await shot.boundingBox())!.width).toBeGreaterThanOrEqual(Math.min(700, 0.8 * width));
    await screenshot(`app-page-${width}`);
    await shot.click();
    const large = page.getByRole('dialog', { name: 'Screenshot 1 of 2' });
    expect((await large.locator('img').boundingBox())!.width).toBeGreaterThanOrEqual(0.85 * width - 20);
    await page.keyboard.press('ArrowRight');
    await page.getByRole('dialog', { name: 'Screenshot 2 of 2' }).waitFor();
    await page.getByRole('button', { name: 'Next screenshot' }).click();
    await large.waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await screenshot(`large-picture-${width}`);
    await finish();
  });
});
