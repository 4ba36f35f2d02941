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
