import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { AppJson } from '../../support/actors.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { startPictureServer } from '../../support/pictures.js';
import { startService } from '../../support/service.js';
import { sharedBrowser, visit } from '../chromium.js';
import { consoleWindow } from '../console-window.js';
import { aSubmission, deskWindow, withPictures } from '../desk-window.js';

/** The bound that search engines call good is 0.1. */
const MAX_SHIFT = 0.05;
const WIDTHS = [390, 1440];

/** Runs in the page before its own scripts, and adds up the shifts that nobody has caused by a key or a click. */
const observe = `globalThis.shift = 0;
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) globalThis.shift += value;
}).observe({ type: 'layout-shift', buffered: true });`;

let published: AppJson;
let waiting: AppJson;
const browser = sharedBrowser();
const service = duringTests(() => startService({ WEB: 'on' }));
const pictures = duringTests(startPictureServer);
const developer = beforeTests(() => service.aDeveloper({ companyName: 'Engines' }));
beforeAll(async () => {
  const listing = { ...withPictures(pictures), longDescription: 'A long story.\n\n'.repeat(20) };
  published = await service.anApp(developer, 'APPROVED', { ...listing, name: 'Notes' });
  await service.administer('featureApp', { id: published.id, featured: true });
  await service.aRating(published, { rating: 4, title: 'Nice' });
  waiting = await aSubmission(service, pictures, developer, { ...listing, name: 'Ledger' });
});

/** Returns the pages that move too much while they are loaded. */
async function moving(page: Page, paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  await page.addInitScript(observe);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const path of paths) {
      await page.goto(service.url + path);
      await page.locator('main h1').first().waitFor();
      await page.locator('.loading, .skeleton').first().waitFor({ state: 'detached' });
      // Pictures and charts come after the data.
      await page.waitForTimeout(700);
      const shift = await page.evaluate<number>('globalThis.shift');
      if (shift >= MAX_SHIFT) found.push(`${path} at ${width}: ${shift.toFixed(3)}`);
    }
  }
  return found;
}

describe('while it is loaded, no page moves', () => {
  it('in the storefront (D379)', async () => {
    const { page, close } = await visit(browser);
    const paths = ['', '/apps/notes', '?category=PRODUCTIVITY', `/developers/${developer.id}`];
    expect(
      await moving(
        page,
        paths.map((path) => `/market${path}`),
      ),
    ).toEqual([]);
    await close();
  });

  it('in the console (D379)', async () => {
    const { page, close } = await consoleWindow(browser, service, developer);
    const paths = ['', `/apps/${waiting.id}`, `/apps/${published.id}/analytics`, '/keys', '/webhooks'];
    expect(
      await moving(
        page,
        paths.map((path) => `/console${path}`),
      ),
    ).toEqual([]);
    await close();
  });

  it('at the desk (D379)', async () => {
    const { page, close } = await deskWindow(browser, service);
    const paths = ['', `/reviews/${waiting.id}`, '/developers', '/apps', '/audit', '/figures', '/webhooks'];
    expect(
      await moving(
        page,
        paths.map((path) => `/desk${path}`),
      ),
    ).toEqual([]);
    await close();
  });
});
