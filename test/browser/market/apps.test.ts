import { expect, it } from '@jest/globals';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { startService } from '../../support/service.js';
import { sharedBrowser, visit } from '../chromium.js';

/** A picture that is no request. */
const picture = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

const browser = sharedBrowser();
const service = duringTests(() => startService({ WEB: 'on' }));
const developer = beforeTests(() => service.aDeveloper({ companyName: 'Fjord & Field' }));

/** Publishes an app whose pictures are no requests. */
async function publish(name: string, listing = {}) {
  const app = await service.anApp(developer, 'APPROVED', { name, ...listing });
  await service.sql(
    `update apps set screenshots = (select jsonb_agg(shot || jsonb_build_object('url', $1::text))
     from jsonb_array_elements(screenshots) shot) where id = $2`,
    [picture, app.id],
  );
  return app;
}

async function open(path: string, options = {}) {
  const visited = await visit(browser, options);
  await visited.page.goto(`${service.url}/market${path}`);
  return visited;
}

it('the page of an app says what is new in its latest release, and nothing without notes (D381)', async () => {
  const { id, slug } = await publish('Tides');
  const { page, finish } = await open(`/apps/${slug}`);
  await page.getByRole('heading', { level: 1, name: 'Tides' }).waitFor();
  await page.getByRole('heading', { name: 'Details' }).waitFor();
  expect(await page.getByText('What’s new').count()).toBe(0);
  await service.administer('editApp', {
    id,
    versionNumber: '2.1.0',
    releaseNotes: '- **Moon** phases',
    reason: 'The developer asked for it.',
  });
  const news = page.getByRole('region', { name: 'What’s new in 2.1.0' });
  await news.getByRole('listitem').getByText('Moon phases').waitFor();
  expect(await news.getByRole('strong').textContent()).toBe('Moon');
  expect(await page.locator('.facts').getByText('2.1.0').isVisible()).toBe(true);
  await finish();
});

it('the page of an app shows that its developer is verified, and similar apps of others (D385)', async () => {
  const other = await service.aDeveloper();
  await service.anApp(other, 'APPROVED', { name: 'Harbour Tides', category: 'EDUCATION' });
  const { slug } = await publish('Tides and Moon', { category: 'EDUCATION' });
  const { page, finish } = await open(`/apps/${slug}`);
  await page.locator('.app-head').getByText('Verified').waitFor();
  const similar = page.getByRole('region', { name: 'Similar apps' });
  await similar.getByRole('link', { name: 'Harbour Tides' }).waitFor();
  expect(await similar.getByRole('heading', { level: 3 }).count()).toBe(1);
  await page.locator('.app-head').getByRole('link', { name: 'Fjord & Field' }).click();
  await page.getByRole('heading', { level: 1, name: 'Fjord & Field' }).waitFor();
  await page.getByText('Verified').waitFor();
  await finish();
});

it('installing leads to the page of the host product, if it has one (D386)', async () => {
  const { id, slug } = await publish('Compass', { websiteUrl: 'https://compass.example/start' });
  const host = await startService({
    WEB: 'on',
    PORTAL_URLS: 'install=https://tasks.example/add?app={slug}&id={id}',
  });
  try {
    const developerThere = await host.aDeveloper();
    const there = await host.anApp(developerThere, 'APPROVED', { name: 'Compass' });
    await host.sql(
      "update apps set screenshots = jsonb_build_array(jsonb_build_object('url', $1::text), jsonb_build_object('url', $1::text))",
      [picture],
    );
    const { page, finish } = await visit(browser);
    await page.goto(`${host.url}/market/apps/${there.slug}`);
    const link = page.getByRole('link', { name: 'Open in your workspace' });
    expect(await link.getAttribute('href')).toBe(
      `https://tasks.example/add?app=${there.slug}&id=${there.id}`,
    );
    await page.getByText('There you choose where to add the app').waitFor();
    const html = await (await host.client.request('GET', `/market/apps/${there.slug}`)).text();
    expect(html).toContain(`href="https://tasks.example/add?app=${there.slug}&amp;id=${there.id}"`);
    await finish();
  } finally {
    await host.close();
  }
  const { page, close } = await open(`/apps/${slug}`);
  await page.getByRole('button', { name: 'Install' }).click();
  await page.getByText('Continue on compass.example').waitFor();
  expect(await page.getByRole('link', { name: 'Add to your workspace' }).getAttribute('href')).toBe(
    'https://compass.example/start',
  );
  expect(await page.getByRole('button', { name: 'Install' }).count()).toBe(0);
  const [{ count } = { count: 0 }] = await service.sql<{ count: number }>(
    'select install_count as count from app_figures where id = $1',
    [id],
  );
  expect(count).toBe(1);
  await close();
});

it('the page of an app loads its description again after a failure of the network', async () => {
  const { slug } = await publish('Currents', { longDescription: 'Where the water flows.' });
  const { page, close } = await visit(browser);
  await page.route(/\/markdown-\w+\.js$/, (route) => route.abort());
  await page.goto(`${service.url}/market/apps/${slug}`);
  const about = page.getByRole('region', { name: 'About Currents' });
  await about.getByText('A part of this page could not be loaded.').waitFor();
  await page.unrouteAll();
  await about.getByRole('button', { name: 'Try again' }).click();
  await about.getByText('Where the water flows.').waitFor();
  await close();
});

it('a page that has failed does not stop the others', async () => {
  const { slug } = await publish('Reefs');
  const { page, close } = await open('/');
  await page.route(/\/graphql\?.*MarketApp%28/, async (route) => {
    const response = await route.fetch();
    const { data } = await response.json();
    return route.fulfill({ response, json: { data: { app: { ...data.app, developer: null } } } });
  });
  await page.getByRole('link', { name: 'Reefs' }).first().click();
  await page.getByText('Something went wrong on this page.').waitFor();
  await page.getByRole('banner').getByRole('link', { name: 'Marketplace' }).click();
  await page.getByRole('heading', { name: 'All apps' }).waitFor();
  expect(page.url()).not.toContain(slug);
  await close();
});

it('a closed dialog returns the focus to its button', async () => {
  const { slug } = await publish('Lagoons');
  const { page, finish } = await open(`/apps/${slug}`);
  const button = page.getByRole('button', { name: 'Report this app' });
  const dialog = page.getByRole('dialog', { name: 'Report Lagoons' });
  await button.focus();
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await page.locator('button:focus', { hasText: 'Report this app' }).waitFor({ timeout: 1_000 });
  await finish();
});
