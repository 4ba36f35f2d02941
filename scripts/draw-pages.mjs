// Draws the pictures of pages in docs/images, and those of the home page in web/pictures, from a gateway with new demo
// data: node scripts/draw-pages.mjs [URL]. It needs Chromium (CHROMIUM, or /usr/bin/chromium).
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const [url = 'http://127.0.0.1:4000'] = process.argv.slice(2);
const root = fileURLToPath(new URL('..', import.meta.url));

const developer = 'Developer with apps';
const administrator = 'Demo administrator';
const pages = {
  market: { path: '/market' },
  app: { path: '/market/apps/time-tracker' },
  console: {
    path: '/console',
    account: developer,
    open: async (page) => {
      await page.getByRole('link', { name: 'Time Tracker' }).click();
      await page.getByRole('link', { name: 'Analytics' }).click();
      await page.locator('.chart-figure canvas').first().waitFor();
    },
  },
  desk: {
    path: '/desk',
    account: administrator,
    open: async (page) => {
      await page.getByRole('link', { name: 'Feedback Form' }).click();
      await page.locator('button:enabled', { hasText: 'Approve' }).waitFor();
    },
  },
};

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--disable-gpu', '--no-sandbox', '--font-render-hinting=none', '--disable-lcd-text'],
});
for (const [name, page] of Object.entries(pages)) {
  await draw(page, join(root, 'docs/images', `${name}.png`));
  if (name === 'app') continue;
  const door = { viewport: { width: 1280, height: 720 }, deviceScaleFactor: 0.5 };
  await draw(page, join(root, 'web/pictures', `${name}.png`), door);
  await draw(page, join(root, 'web/pictures', `${name}-dark.png`), { ...door, colorScheme: 'dark' });
}
await browser.close();

async function draw({ path, account, open }, file, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  await page.goto(`${url}${path}`);
  if (account) {
    await page.getByRole('button', { name: account }).click();
    await page.getByRole('button', { name: 'Account menu' }).waitFor();
  }
  await open?.(page);
  await page.waitForFunction(
    () =>
      !document.querySelector('#page, .skeleton, .loading') &&
      [...document.images].every(({ complete, loading }) => complete || loading === 'lazy'),
  );
  await page.screenshot({ path: file, animations: 'disabled' });
  await context.close();
}
