import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { AppJson } from '../../support/actors.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { until } from '../../support/mail-server.js';
import { startService } from '../../support/service.js';
import { accessibilityViolations } from '../axe.js';
import { sharedBrowser, visit } from '../chromium.js';

/** Markdown that must do nothing: each text would run a script, load a picture or leave the page. */
const attack = `# Story

<script>globalThis.attacked = 1</script>

<img src="https://evil.example/a.png" onerror="globalThis.attacked = 2">

![picture](https://evil.example/b.png)

[good](https://good.example "title") [link](javascript:globalThis.attacked=3) [data](data:text/html,<script>1</script>)

<a href="https://good.example" onclick="globalThis.attacked = 4" style="position:fixed;inset:0">good</a>

<iframe src="https://evil.example"></iframe><svg onload="globalThis.attacked = 5"></svg>

<form action="https://evil.example"><input name="password"></form>

<style>body { display: none }</style>

[ref]: javascript:globalThis.attacked=6

[ref]

**bold**`;

/** A picture that is no request. */
const picture = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

const browser = sharedBrowser();
const service = duringTests(() => startService({ WEB: 'on' }));
const developer = beforeTests(() =>
  service.aDeveloper({ companyName: 'Fjord & Field', bio: 'We make small things.' }),
);
beforeAll(async () => {
  const publish = (name: string, listing = {}) =>
    service.anApp(developer, 'APPROVED', { name, description: 'A small app.', ...listing });
  await publish('Time Tracker', { longDescription: attack });
  await publish('Time Zones', { category: 'UTILITIES', environment: 'staging' });
  await publish('Clock', { category: 'UTILITIES', environment: 'localhost' });
  await publish('Notes', { category: 'UTILITIES' });
  await publish('متتبع الوقت', { description: 'يتتبع الوقت الذي تقضيه في كل مهمة.' });
  await publish('Long', {
    longDescription: `${'word '.repeat(1000)}\n${'x'.repeat(5000)}\n\n${'> '.repeat(500)}deep`,
  });
  for (let n = 0; n < 25; n += 1) await publish(`Filler ${n}`, { category: 'OTHER' });
  await service.administer('featureApp', { id: (await appNamed('Notes')).id, featured: true });
  // No request of the tests leaves this machine.
  await service.sql(
    `update apps set screenshots = (select jsonb_agg(shot || jsonb_build_object('url', $1::text))
     from jsonb_array_elements(screenshots) shot)`,
    [picture],
  );
});

const appNamed = async (name: string): Promise<AppJson> => {
  const [app] = await service.sql<AppJson>('select id, slug from apps where name = $1', [name]);
  return app!;
};

/** Opens a page of the storefront; what goes wrong in it is in `problems`. */
async function open(path: string, options = {}) {
  const visited = await visit(browser, options);
  await visited.page.goto(`${service.url}/market${path}`);
  return visited;
}

/** Waits for a list with this title and number of apps. */
const listed = (page: Page, title: string, count: string) =>
  page.getByRole('region', { name: title }).getByRole('status').getByText(count, { exact: true }).waitFor();
const cards = (page: Page) => page.locator('[aria-labelledby=results]').getByRole('heading', { level: 3 });
/** Waits until the list has these apps, however long the former list is shown. */
const shows = (page: Page, count: number) => {
  const found = () => page.locator('[aria-labelledby=results][aria-busy=false] h3').count();
  return until(
    async () => (await found()) === count,
    () => `the list never had ${count} apps`,
  );
};
const pathOf = (page: Page) => page.url().slice(`${service.url}/market`.length);
/** Fails if the page is wider than the window. */
const scrollsSideways = (page: Page) =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');

describe('the storefront', () => {
  it('finds apps with suggestions, by keyboard alone (D230)', async () => {
    const { page, screenshot, finish } = await open('');
    const box = page.getByRole('combobox', { name: 'Search apps' });
    await box.focus();
    await page.keyboard.type('time');
    const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option');
    await options.nth(1).waitFor();
    expect((await options.locator('bdi').allTextContents()).toSorted()).toEqual([
      'Time Tracker',
      'Time Zones',
    ]);
    expect(await box.getAttribute('aria-expanded')).toBe('true');
    await screenshot('market-suggestions');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const active = page.locator(`[id="${await box.getAttribute('aria-activedescendant')}"]`);
    expect(await active.getAttribute('aria-selected')).toBe('true');
    const chosen = await active.textContent();
    expect(chosen).toBe(await options.nth(1).textContent());
    await page.keyboard.press('Escape');
    expect(await box.getAttribute('aria-expanded')).toBe('false');
    expect(await box.inputValue()).toBe('time');
    await page.keyboard.press('Enter');
    await listed(page, '“time”', '2 apps');
    expect(pathOf(page)).toBe('?search=time');
    await box.fill('notes');
    await options.getByText('Notes').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Notes' }).waitFor();
    expect(pathOf(page)).toBe('/apps/notes');
    expect(await page.title()).toBe('Notes · Marketplace');
    await finish();
  });

  it('keeps filters, sort order and page in the address, over a reload and the back button (D230)', async () => {
    const { page, finish } = await open('?search=time');
    await listed(page, '“time”', '2 apps');
    await page
      .getByRole('navigation', { name: 'Environment' })
      .getByRole('link', { name: 'Staging 1' })
      .click();
    await listed(page, '“time” · Staging', '1 app');
    expect(await page.locator('.facets li').getByText('0', { exact: true }).count()).toBe(0);
    expect(await page.getByText('Localhost').count()).toBe(0);
    await page.getByRole('navigation', { name: 'Environment' }).getByRole('link', { name: 'All 2' }).click();
    await page.getByLabel('Sort by').selectOption('Name');
    await page.waitForURL('**/market?search=time&sort=name');
    await page.reload();
    await listed(page, '“time”', '2 apps');
    expect(await page.getByLabel('Sort by').inputValue()).toBe('name');
    await page.goBack();
    await page.goBack();
    await listed(page, '“time” · Staging', '1 app');
    await shows(page, 1);
    expect(await cards(page).allTextContents()).toEqual(['Time Zones']);
    await finish();
  });

  it('shows the categories with apps by name, and filters above the list only if there are several (D230)', async () => {
    const { page, finish } = await open('?sort=name');
    await listed(page, 'All apps', '31 apps');
    const categories = page.getByRole('navigation', { name: 'Category' });
    const names = (await categories.getByRole('listitem').allInnerTexts()).map((text) =>
      text.replace(/\s+\d+$/, ''),
    );
    expect(names.length).toBeGreaterThanOrEqual(4);
    expect(names.slice(1, -1)).toEqual(names.slice(1, -1).toSorted());
    expect([names[0], names.at(-1)]).toEqual(['All', 'Other']);
    await categories.getByRole('link', { name: 'Utilities' }).click();
    await listed(page, 'Utilities', '3 apps');
    // The page names the category.
    const kinds = await page.locator('.app-card-category').allInnerTexts();
    expect(kinds.map((kind) => kind.trim()).toSorted()).toEqual(['Localhost', 'Staging']);
    const filters = page.getByRole('list', { name: 'Filters' });
    expect(await filters.count()).toBe(0);
    await page.goto(`${service.url}/market?category=UTILITIES&environment=staging`);
    await listed(page, 'Utilities · Staging', '1 app');
    expect(await filters.getByRole('link').count()).toBe(2);
    await page.goto(`${service.url}/market?search=no+such+thing`);
    await page.getByText('No apps found').waitFor();
    expect(await page.getByLabel('Sort by').count()).toBe(0);
    expect(await page.locator('.facets a').count()).toBe(0);
    await finish();
  });

  it('has counts that add up, also with apps for the machine of a developer (D230)', async () => {
    const { page, finish } = await open('?search=time');
    await listed(page, '“time”', '2 apps');
    const environments = page.getByRole('navigation', { name: 'Environment' });
    await environments.getByRole('link', { name: 'All 2' }).waitFor();
    await environments.getByRole('link', { name: 'Staging 1' }).click();
    await listed(page, '“time” · Staging', '1 app');
    await page.getByRole('link', { name: 'Remove the filter “time”' }).click();
    await listed(page, 'Staging', '1 app');
    await page.goto(`${service.url}/market?search=clock`);
    await listed(page, '“clock”', '1 app');
    // A single app leaves nothing to choose.
    expect(await page.locator('.facets a').count()).toBe(0);
    await finish();
  });

  it('turns the pages of a long list, and says where a list ends (D230)', async () => {
    const { page, finish } = await open('?category=OTHER');
    await listed(page, 'Other', '25 apps');
    await page.getByRole('link', { name: 'Next' }).click();
    await listed(page, 'Other', '25 of 25');
    expect(await page.title()).toBe('Other · Page 2 · Marketplace');
    expect(pathOf(page)).toBe('?category=OTHER&page=2');
    await shows(page, 1);
    expect(await page.getByRole('link', { name: 'Page 2' }).getAttribute('aria-current')).toBe('page');
    await page.goto(`${service.url}/market?category=OTHER&page=9`);
    await page.getByText('This list has no page 9').waitFor();
    await page.getByRole('link', { name: 'Go to the first page' }).click();
    await listed(page, 'Other', '25 apps');
    await page.goto(`${service.url}/market?category=NONSENSE&sort=x&page=-1&search=no+such+thing`);
    await page.getByText('No apps found').waitFor();
    await page.goto(`${service.url}/market?search=clock+zzzz`);
    await page.getByText('Did you mean').waitFor();
    await page.getByRole('link', { name: 'Clock', exact: true }).waitFor();
    await finish();
  });

  it('tells of a change of the catalog without moving the list (D231)', async () => {
    const { page, finish } = await open('');
    await page.getByRole('heading', { name: /All apps/ }).waitFor();
    const before = await cards(page).allTextContents();
    const notice = page.getByRole('button', { name: 'The list has changed' });
    // The page may still be subscribing, so the change happens until it is noticed.
    const notes = await appNamed('Notes');
    for (let stars = 1; !(await notice.isVisible()); stars = (stars % 5) + 1)
      await service.aRating(notes, { rating: stars });
    expect(await cards(page).allTextContents()).toEqual(before);
    await notice.click();
    await notice.waitFor({ state: 'detached' });
    await finish();
  });

  it('has no stream while nobody sees the page, and reads again afterwards (D231)', async () => {
    const { page, finish } = await visit(browser);
    const isStream = (request: { url(): string }) => request.url().endsWith('/graphql/stream');
    const opened = page.waitForRequest(isStream);
    await page.goto(`${service.url}/market/apps/notes`);
    await opened;
    const closed = page.waitForEvent('requestfailed', isStream);
    const show = (state: string) =>
      page.evaluate(`Object.defineProperty(document, 'hidden', { value: ${state === 'hidden'}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'))`);
    await show('hidden');
    await closed;
    const { id } = await appNamed('Notes');
    const change = { id, description: 'A note about notes.', reason: 'Clearer.' };
    await service.administer('editApp', change);
    const openedAgain = page.waitForRequest(isStream);
    await show('visible');
    await openedAgain;
    await page.getByText('A note about notes.').waitFor();
    await finish();
  });

  it('shows a developer with all apps, and pages that do not exist with apps that do (D230)', async () => {
    const { page, problems, close } = await open(`/developers/${developer.id}`);
    await page.getByRole('heading', { level: 1, name: 'Fjord & Field' }).waitFor();
    expect(await page.title()).toBe('Fjord & Field · Marketplace');
    await page.getByRole('link', { name: 'Next' }).click();
    await page.waitForURL('**?page=2');
    expect(problems).toEqual([]);
    await page.goto(`${service.url}/market/apps/time-trackr`);
    await page.getByRole('heading', { name: 'Apps with a similar name' }).waitFor();
    await page.getByRole('link', { name: 'Time Tracker' }).click();
    await page.getByRole('heading', { level: 1, name: 'Time Tracker' }).waitFor();
    await page.goto(`${service.url}/market/nothing`);
    await page.getByRole('heading', { name: 'Staff picks' }).waitFor();
    await close();
  });
});

describe('the page of an app', () => {
  it('renders Markdown without its attacks (D232)', async () => {
    const { page, finish } = await open('/apps/time-tracker');
    const story = page.getByRole('region', { name: 'About Time Tracker' });
    await story.getByText('bold').waitFor();
    expect(await page.evaluate('globalThis.attacked ?? null')).toBeNull();
    const harmful = 'script, img, iframe, svg, form, input, style, [onclick], [style]';
    expect(await story.locator(harmful).count()).toBe(0);
    // Nothing is hidden from a reader.
    await story.getByText('<script>globalThis.attacked = 1</script>').waitFor();
    const links = await story
      .getByRole('link')
      .evaluateAll((found) =>
        found.map((link) => [
          link.getAttribute('href'),
          link.getAttribute('rel'),
          link.getAttribute('target'),
        ]),
      );
    expect(links.map(([href]) => href)).toContain('https://good.example');
    // Addresses in the HTML that is shown as text become links too, as any address in a text.
    for (const link of links)
      expect(link).toEqual([expect.stringMatching(/^https:/), 'noopener noreferrer nofollow ugc', '_blank']);
    // The heading of the story is below that of the page.
    expect(await story.getByRole('heading', { name: 'Story' }).evaluate(({ tagName }) => tagName)).toBe('H3');
    await finish();
  });

  it.each([390, 1440])(
    'shows long and right-to-left texts at %i pixels without scrolling sideways (D232)',
    async (width) => {
      const { page, screenshot, finish } = await open('/apps/long', {
        viewport: { width, height: 800 },
      });
      await page.getByText('deep').waitFor({ state: 'attached' });
      expect(await scrollsSideways(page)).toBe(false);
      const { slug } = await appNamed('متتبع الوقت');
      await page.goto(`${service.url}/market/apps/${slug}`);
      const heading = page.getByRole('heading', { level: 1, name: 'متتبع الوقت' });
      await heading.waitFor();
      expect(await heading.evaluate((element) => element.matches(':dir(rtl)'))).toBe(true);
      expect(await scrollsSideways(page)).toBe(false);
      await screenshot(`market-right-to-left-${width}`);
      await page.goto(`${service.url}/market`);
      await page.getByRole('heading', { name: /All apps/ }).waitFor();
      expect(await scrollsSideways(page)).toBe(false);
      await finish();
    },
  );

  it('shows the screenshots in full size, turned by keyboard (D230)', async () => {
    const { page, finish } = await open('/apps/notes');
    await page.getByRole('button', { name: 'Screenshot 1' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Screenshot 1 of 2' }).waitFor();
    await page.keyboard.press('ArrowRight');
    const second = page.getByRole('dialog', { name: 'Screenshot 2 of 2' });
    await second.getByText('Two').waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('dialog', { name: 'Screenshot 1 of 2' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await finish();
  });

  it('records an install once for each browser (D233)', async () => {
    const { page, finish } = await open('/apps/notes');
    const installs = page.locator('.install');
    await installs.getByText('0 installs').waitFor();
    await page.getByRole('button', { name: 'Install' }).click();
    await installs.getByText('1 install', { exact: true }).waitFor();
    await installs.getByText('Installed').waitFor();
    await page.reload();
    await installs.getByText('Installed').waitFor();
    await page.evaluate("localStorage.removeItem('installed-apps')");
    await page.reload();
    await page.getByRole('button', { name: 'Install', exact: true }).click();
    await installs.getByText('Installed').waitFor();
    await installs.getByText('1 install', { exact: true }).waitFor();
    await finish();
  });

  it('takes a rating, its change and its removal, with the keyboard (D230)', async () => {
    const { page, screenshot, finish } = await open('/apps/time-zones');
    await page.getByRole('radio', { name: '3 stars' }).waitFor({ state: 'attached' });
    expect(await page.getByLabel('Headline').count()).toBe(0);
    await page.getByRole('radio', { name: '3 stars' }).focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowRight');
    expect(await page.getByRole('radio', { name: '4 stars' }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Sign in to rate' }).click();
    await page.getByRole('button', { name: 'Nia Newcomer' }).click();
    await page.getByRole('button', { name: 'Account menu' }).waitFor();
    expect(await page.getByLabel('Display name').inputValue()).toBe('Nia Newcomer');
    await page.getByLabel('Display name').fill('Nia');
    await page.getByLabel('Headline').fill('All of them');
    await page.getByLabel('What do you think?').fill('<b>Not bold</b>\nSecond line');
    await page.getByRole('button', { name: 'Rate', exact: true }).click();
    await page.getByRole('status').getByText('Your rating is published').waitFor();
    await page.getByText('<b>Not bold</b>').last().waitFor();
    await page.getByText('1 rating', { exact: true }).first().waitFor();
    // The list may be there before the page knows which rating is one's own.
    await page.getByRole('button', { name: 'Report this rating' }).waitFor({ state: 'detached' });
    const own = page.getByRole('region', { name: 'Your rating' });
    await own.getByRole('img', { name: '4 of 5 stars' }).waitFor();
    expect(await own.getByRole('heading').and(page.locator(':focus')).count()).toBe(1);
    expect(await page.getByLabel('Headline').count()).toBe(0);
    await screenshot('market-rated');
    await page.getByRole('button', { name: 'Edit my rating' }).click();
    expect(await page.getByLabel('Headline').inputValue()).toBe('All of them');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Edit my rating' }).click();
    await page.getByRole('radio', { name: '2 stars' }).check({ force: true });
    await page.getByRole('button', { name: 'Change my rating' }).click();
    await page.getByRole('status').getByText('Your rating is changed').waitFor();
    await page.locator('.rating').getByRole('img', { name: '2 of 5 stars' }).waitFor();
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('button', { name: 'Remove my rating' }).click();
    await page.getByText('No ratings yet').waitFor();
    await own.getByRole('radio', { name: '1 star' }).waitFor({ state: 'attached' });
    await finish();
  });

  it('shows ratings page by page with replies, and reports one (D230)', async () => {
    const app = await appNamed('Time Tracker');
    const { id } = await service.aRating(app, { rating: 1, title: 'Buy my product', authorName: 'Spam' });
    await service.must('replyToRating', { id, text: 'Thank you, no.' }, developer.token);
    for (let n = 0; n < 10; n += 1) await service.aRating(app, { rating: 5 });
    const { page, finish } = await open('/apps/time-tracker');
    await page.getByRole('button', { name: 'Show older ratings' }).click();
    await page.getByText('Reply by Fjord & Field').waitFor();
    const spam = page.getByRole('listitem').filter({ hasText: 'Buy my product' });
    await spam.getByRole('button', { name: 'Report this rating' }).click();
    await page.getByLabel('Why should it be hidden?').fill('It is an advertisement.');
    await page.getByRole('button', { name: 'Sign in to report' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Nia Newcomer' }).click();
    await page.getByRole('button', { name: 'Account menu' }).waitFor();
    await page.getByRole('button', { name: 'Report', exact: true }).click();
    await page.getByText('The administrators will look at it').waitFor();
    const [report] = await service.sql<{ reason: string }>('select reason from rating_reports');
    expect(report).toEqual({ reason: 'It is an advertisement.' });
    await finish();
  });
});

describe('the pages of the storefront', () => {
  it.each([
    ['', 'All apps'],
    ['/apps/time-tracker', 'Your rating'],
    ['/apps/time-tracker-2', 'Apps with a similar name'],
    ['?search=no+such+thing', '“no such thing”'],
  ])('%s has no accessibility violations (D222)', async (path, heading) => {
    const { page, screenshot, close } = await open(path, { viewport: { width: 390, height: 844 } });
    await page.getByRole('heading', { name: heading }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await screenshot(`market-${heading.replaceAll(/\W+/g, '-')}`);
    await close();
  });

  it('have no accessibility violations while one writes a rating, searches or looks at a picture (D222)', async () => {
    const { page, close } = await open('/apps/notes');
    await page.getByRole('radio', { name: '3 stars' }).check({ force: true });
    await page.getByRole('button', { name: 'Sign in to rate' }).click();
    await page.getByRole('button', { name: 'Nia Newcomer' }).click();
    await page.getByRole('button', { name: 'Account menu' }).waitFor();
    await page.getByLabel('Headline').fill('Half written');
    await page.getByRole('combobox', { name: 'Search apps' }).fill('time');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('ArrowDown');
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Screenshot 1' }).click();
    await page.getByRole('dialog').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await close();
  });
});
