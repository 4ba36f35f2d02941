import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { Developer } from '../support/actors.js';
import { type Service, startService } from '../support/service.js';
import { startTestCluster } from '../support/test-cluster.js';
import { launchChromium, visit } from './chromium.js';

/** A picture that is no request. */
const picture = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

let browser: Browser;
let service: Service;
let stopCluster: () => Promise<void>;
let developer: Developer;
beforeAll(async () => {
  browser = await launchChromium();
  stopCluster = await startTestCluster();
  service = await startService({ WEB: 'on' });
  developer = await service.aDeveloper({ companyName: 'Fjord & Field' });
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
  await stopCluster?.();
});

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
  const { page, problems, close } = await open(`/apps/${slug}`);
  await page.getByRole('heading', { level: 1, name: 'Tides' }).waitFor();
  await page.getByRole('heading', { name: 'Details' }).waitFor();
  expect(await page.getByText('What’s new').count()).toBe(0);
  await service.client.must(
    'editApp',
    { id, versionNumber: '2.1.0', releaseNotes: '- **Moon** phases', reason: 'The developer asked for it.' },
    await service.admin(),
  );
  const news = page.getByRole('region', { name: 'What’s new in 2.1.0' });
  await news.getByRole('listitem').getByText('Moon phases').waitFor();
  expect(await news.getByRole('strong').textContent()).toBe('Moon');
  expect(await page.locator('.facts').getByText('2.1.0').isVisible()).toBe(true);
  expect(problems).toEqual([]);
  await close();
});

it('the page of an app shows that its developer is verified, and similar apps of others (D385)', async () => {
  const other = await service.aDeveloper();
  await service.anApp(other, 'APPROVED', { name: 'Harbour Tides', category: 'EDUCATION' });
  const { slug } = await publish('Tides and Moon', { category: 'EDUCATION' });
  const { page, problems, close } = await open(`/apps/${slug}`);
  await page.locator('.app-head').getByText('Verified').waitFor();
  const similar = page.getByRole('region', { name: 'Similar apps' });
  await similar.getByRole('link', { name: 'Harbour Tides' }).waitFor();
  expect(await similar.getByRole('heading', { level: 3 }).count()).toBe(1);
  await page.locator('.app-head').getByRole('link', { name: 'Fjord & Field' }).click();
  await page.getByRole('heading', { level: 1, name: 'Fjord & Field' }).waitFor();
  await page.getByText('Verified').waitFor();
  expect(problems).toEqual([]);
  await close();
});

it('installing leads to the page of the host product, if it has one (D386)', async () => {
  const { id, slug } = await publish('Compass');
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
    const { page, problems, close } = await visit(browser);
    await page.goto(`${host.url}/market/apps/${there.slug}`);
    const link = page.getByRole('link', { name: 'Install', exact: true });
    expect(await link.getAttribute('href')).toBe(
      `https://tasks.example/add?app=${there.slug}&id=${there.id}`,
    );
    await page.getByText('You continue in your workspace.').waitFor();
    const html = await (await host.client.request('GET', `/market/apps/${there.slug}`)).text();
    expect(html).toContain(`href="https://tasks.example/add?app=${there.slug}&amp;id=${there.id}"`);
    expect(problems).toEqual([]);
    await close();
  } finally {
    await host.close();
  }
  const { page, close } = await open(`/apps/${slug}`);
  await page.getByRole('button', { name: 'Install' }).click();
  await page.getByText('Your install is counted: now add the app in your workspace to use it.').waitFor();
  const [{ count } = { count: 0 }] = await service.sql<{ count: number }>(
    'select install_count as count from app_figures where id = $1',
    [id],
  );
  expect(count).toBe(1);
  await close();
});
