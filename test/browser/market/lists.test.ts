import { beforeAll, expect, it } from '@jest/globals';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { until } from '../../support/mail-server.js';
import { startService } from '../../support/service.js';
import { accessibilityViolations } from '../axe.js';
import { sharedBrowser, visit } from '../chromium.js';

/** A picture that is no request. */
const picture = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

const CATEGORIES = ['AI_ML', 'ANALYTICS', 'BUSINESS', 'COMMUNICATION', 'FINANCE', 'UTILITIES'];

const browser = sharedBrowser();
const service = duringTests(() => startService({ WEB: 'on' }));
const developer = beforeTests(() => service.aDeveloper({ companyName: 'Fjord & Field' }));
beforeAll(async () => {
  for (const category of CATEGORIES) {
    const { id } = await service.anApp(developer, 'APPROVED', { name: `Sample ${category}`, category });
    await service.administer('featureApp', { id, featured: true });
  }
  await service.sql(
    `update apps set logo_url = null, banner_url = null, screenshots =
     (select jsonb_agg(shot || jsonb_build_object('url', $1::text)) from jsonb_array_elements(screenshots) shot)`,
    [picture],
  );
});

async function open(path: string, width = 1440) {
  const visited = await visit(browser, { viewport: { width, height: 844 } });
  await visited.page.goto(`${service.url}/market${path}`);
  return visited;
}

it('shows the chosen category on a phone (D230)', async () => {
  const { page, finish } = await open('?category=UTILITIES', 390);
  const chosen = page.locator('.facets [aria-current]', { hasText: 'Utilities' });
  const isInView = async () => {
    const box = await chosen.boundingBox();
    return box !== null && box.x >= 0 && box.x + box.width <= 390;
  };
  await until(isInView, () => 'The chosen category is out of view');
  expect(await page.evaluate('scrollY')).toBe(0);
  await finish();
});

it('has the categories below the search, and arrows for a row that is longer than the page (D230)', async () => {
  for (const width of [1440, 1024]) {
    const { page, finish } = await open('', width);
    const categories = page.getByRole('navigation', { name: 'Categories' });
    await categories.getByRole('link', { name: 'AI and ML' }).waitFor();
    const picks = page.locator('.strip').first();
    expect(await picks.locator('.strip-arrow.previous').count()).toBe(0);
    await picks.locator('.strip-arrow.next').click();
    await picks.locator('.strip-arrow.previous').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await finish();
  }
});

it('shows popular apps and the categories where nothing was found (D230)', async () => {
  const { page, finish } = await open('?search=no+such+thing');
  const popular = page.getByRole('region', { name: 'Popular apps' });
  await popular.getByRole('heading', { level: 3 }).first().waitFor();
  expect(await popular.getByRole('heading', { level: 3 }).count()).toBe(3);
  await popular.getByRole('link', { name: 'Finance', exact: true }).click();
  await page.getByRole('heading', { name: 'Finance', exact: true }).waitFor();
  await finish();
});

it('suggests apps with their category (D69)', async () => {
  const { page, finish } = await open('');
  await page.getByRole('combobox', { name: 'Search apps' }).fill('sample');
  await page.getByRole('option', { name: 'Sample FINANCE Finance' }).waitFor();
  await page.getByRole('option', { name: 'Sample FINANCE Finance' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sample FINANCE' }).waitFor();
  await finish();
});

it('has a menu of the account that the keyboard opens and closes (D372)', async () => {
  const { page, finish } = await open('');
  await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Nia Newcomer' }).click();
  const opener = page.getByRole('button', { name: 'Account menu of Nia Newcomer' });
  await opener.focus();
  await page.keyboard.press('Enter');
  const signOut = page.getByRole('button', { name: 'Sign out' });
  await signOut.waitFor();
  expect(await accessibilityViolations(page)).toEqual([]);
  await page.keyboard.press('Tab');
  await signOut.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Escape');
  await signOut.waitFor({ state: 'hidden' });
  await opener.and(page.locator(':focus')).waitFor();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await signOut.waitFor({ state: 'hidden' });
  await finish();
});
