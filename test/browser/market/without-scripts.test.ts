import { beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { until } from '../../support/mail-server.js';
import { startService } from '../../support/service.js';
import { accessibilityViolations } from '../axe.js';
import { sharedBrowser, visit } from '../chromium.js';

/** A picture that is no request. */
const picture = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

let slug: string;
const browser = sharedBrowser();
const service = duringTests(() => startService({ WEB: 'on' }));
const developer = beforeTests(() =>
  service.aDeveloper({ companyName: 'Fjord & Field', bio: 'We make small things.' }),
);
beforeAll(async () => {
  ({ slug } = await service.anApp(developer, 'APPROVED', {
    name: 'Time Tracker',
    description: 'Tracks the time.',
    longDescription:
      '# One\n\nText & *more* [link](https://good.example) `code` &copy;\n\n- a\n- b\n\n1. c\n\n> quote\n\n| x | y |\n|---|---|\n| 1 | 2 |\n\n<b>no tag</b>',
    websiteUrl: 'https://tracker.example/',
  }));
  await service.aRating({ slug }, { rating: 4, title: 'Good', text: 'It works.', authorName: 'Ada' });
  await service.aRating({ slug }, { rating: 5 });
  for (let n = 0; n < 26; n += 1)
    await service.anApp(developer, 'APPROVED', { name: `Filler ${n}`, category: 'UTILITIES' });
  const other = await service.aDeveloper();
  const { id } = await service.anApp(other, 'APPROVED', { name: 'Clock', environment: 'staging' });
  await service.administer('featureApp', { id, featured: true });
  await service.sql(
    `update apps set version_number = '1.2', release_notes = '- Faster', screenshots =
     (select jsonb_agg(shot || jsonb_build_object('url', $1::text)) from jsonb_array_elements(screenshots) shot)`,
    [picture],
  );
});

/** Reads what a page shows of the catalog: headings, links, pictures, texts. */
const contentOf = async (page: Page) =>
  JSON.parse(
    await page.evaluate(`(() => {
      const main = document.querySelector('main');
      const all = (selector) => [...main.querySelectorAll(selector)];
      const words = (element) => {
        const copy = element.cloneNode(true);
        for (const hidden of copy.querySelectorAll('[aria-hidden]')) hidden.remove();
        return copy.textContent.replace(/\\s+/g, ' ').trim();
      };
      return JSON.stringify({
        headings: all('h1, h2, h3, h4').map((each) => each.tagName + ' ' + words(each)),
        links: all('a[href]').map((each) => words(each) + ' → ' + each.href.replace(/\\/$/, '').replace('/?', '?')).sort(),
        pictures: all('img').map((each) => each.alt + ' ' + each.src),
        texts: all('p[dir=auto], .markdown li, td, th, pre, dd, blockquote').map(words).sort(),
        bars: all('.distribution li').map((each) => words(each).replaceAll(' ', '')),
      });
    })()`),
  ) as Record<'headings' | 'links' | 'pictures' | 'texts' | 'bars', string[]>;

/** Headings of parts that only the script shows. */
const scripted = new Set(['H3 Your rating']);

const pages = () =>
  [
    ['/market', 'start'],
    ['/market?category=UTILITIES', 'category'],
    ['/market?category=UTILITIES&page=2', 'category-page'],
    ['/market?sort=newest', 'newest'],
    [`/market/apps/${slug}`, 'app'],
    [`/market/developers/${developer.id}`, 'developer'],
  ] as const;

it('every page of the storefront shows the same without its script (D382)', async () => {
  for (const [path, name] of pages()) {
    const plain = await visit(browser, { javaScriptEnabled: false });
    await plain.page.goto(service.url + path);
    await plain.screenshot(`without-scripts-${name}`);
    const visited = await visit(browser);
    await visited.page.goto(service.url + path);
    await until(
      async () => (await visited.page.locator('.loading, .skeleton').count()) === 0,
      () => `${path} was never complete`,
    );
    const { headings, ...shown } = await contentOf(visited.page);
    // Playwright evaluates in a page whose own scripts are off.
    const sent = await contentOf(plain.page);
    expect({ path, ...sent }).toEqual({
      path,
      ...shown,
      headings: headings.filter((heading) => !scripted.has(heading)),
    });
    expect(sent.headings.length).toBeGreaterThan(2);
    if (name === 'newest') expect(sent.headings).toContain('H2 Newest apps');
    expect(plain.problems).toEqual([]);
    expect(visited.problems).toEqual([]);
    await plain.close();
    await visited.close();
  }
});

it('the script replaces the page that was sent, and leaves nothing of it (D382)', async () => {
  const { page, finish } = await visit(browser);
  await page.goto(`${service.url}/market/apps/${slug}`);
  expect(await page.locator('main').count()).toBe(1);
  expect(await page.locator('#ratings').count()).toBe(1);
  expect(await page.getByRole('button', { name: 'Install' }).isVisible()).toBe(true);
  await finish();
});

it('the pages without scripts, and the one of a wrong address, are accessible (D382, D384)', async () => {
  for (const path of [...pages().map(([address]) => address), '/nothing']) {
    const { page, close } = await visit(browser);
    await page.route('**/*.js', (route) => route.abort());
    await page.route('**/graphql**', (route) => route.abort());
    await page.evaluate('0');
    // Not the function that waits for the script, which never comes.
    await page.evaluate(`location.assign(${JSON.stringify(service.url + path)})`);
    await page.waitForURL(service.url + path);
    await page.locator('h1').first().waitFor();
    expect({ path, found: await accessibilityViolations(page) }).toEqual({ path, found: [] });
    await close();
  }
});

it('a search needs no script: the form is answered with a page, whose links keep the search (D424)', async () => {
  const { page, screenshot, finish } = await visit(browser, { javaScriptEnabled: false });
  await page.goto(`${service.url}/market`);
  await page.getByLabel('Search apps').fill('Filler');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('heading', { name: '“Filler”' }).waitFor();
  await screenshot('without-scripts-search');
  expect(await page.locator('.app-card h3').count()).toBe(24);
  expect(await page.getByLabel('Search apps').inputValue()).toBe('Filler');
  await page.getByRole('link', { name: 'Page 2' }).click();
  expect(await page.locator('.app-card h3').count()).toBe(2);
  await page.getByLabel('Search apps').fill('<b>"nothing"&');
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByText('No apps found.').waitFor();
  // The address that somebody with scripts has sent.
  await page.goto(`${service.url}/market?search=Filler&category=UTILITIES`);
  await page.getByRole('link', { name: 'Show the results without JavaScript' }).click();
  await page.getByRole('heading', { name: '“Filler”' }).waitFor();
  await finish();
});

it('the search of the script is not read twice: its page is left to the script (D424)', async () => {
  expect(await (await fetch(`${service.url}/market?search=Filler`)).text()).not.toContain('Filler 1');
});

it('the shares of the ratings are bars without scripts too (D382)', async () => {
  const { page, screenshot, close } = await visit(browser, { javaScriptEnabled: false });
  await page.goto(`${service.url}/market/apps/${slug}`);
  const lengths = await page
    .locator('.distribution rect')
    .evaluateAll((bars) => bars.map((bar) => bar.getAttribute('width')));
  expect(lengths).toEqual(['50', '50', '0', '0', '0']);
  await page.locator('.distribution').scrollIntoViewIfNeeded();
  await screenshot('without-scripts-bars');
  await close();
});

it('an address that does not exist has the same words with and without scripts (D384)', async () => {
  for (const path of ['/market/apps/none', '/market/developers/none', '/market/none', '/none'])
    for (const javaScriptEnabled of [true, false]) {
      const { page, close } = await visit(browser, { javaScriptEnabled });
      await page.goto(service.url + path);
      await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
      await page.getByText(/There is no (page|app|developer) at this address/).waitFor();
      await page.getByText('It may have been removed, or the address may be mistyped.').waitFor();
      expect(await page.title()).toBe('Page not found · Marketplace');
      await close();
    }
});

it('“Top rated” needs five ratings: one of five stars is not enough (D423)', async () => {
  const [good, lucky] = [
    await service.anApp(developer, 'APPROVED', { name: 'Often Rated' }),
    await service.anApp(developer, 'APPROVED', { name: 'Rated Once' }),
  ];
  await service.aRating(lucky, { rating: 5 });
  for (const rating of [5, 4, 4, 5, 4]) await service.aRating(good, { rating });
  for (const javaScriptEnabled of [true, false]) {
    const { page, close } = await visit(browser, { javaScriptEnabled });
    await page.goto(`${service.url}/market`);
    const collection = page.getByRole('region', { name: 'Top rated' });
    await collection.getByText('Often Rated').waitFor();
    expect(await collection.getByText('Rated Once').count()).toBe(0);
    await close();
  }
});
