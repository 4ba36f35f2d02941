import { describe, expect, it } from '@jest/globals';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { startPictureServer } from '../../support/pictures.js';
import { startService } from '../../support/service.js';
import { sharedBrowser } from '../chromium.js';
import { consoleWindow } from '../console-window.js';
import { withPictures } from '../desk-window.js';

const browser = sharedBrowser();
const pictures = duringTests(startPictureServer);
const service = duringTests(() => startService({ WEB: 'on' }));
const developer = beforeTests(() => service.aDeveloper());

describe('the pages of an app in the console', () => {
  it('have their tabs in one row on a phone, with the chosen one in view', async () => {
    const { id } = await service.anApp(developer, 'APPROVED', withPictures(pictures));
    const { page, open, finish } = await consoleWindow(browser, service, developer);
    await page.setViewportSize({ width: 390, height: 844 });
    await open(`/apps/${id}/pipelines`);
    const tabs = page.getByRole('navigation', { name: 'Pages of the app' }).getByRole('link');
    await tabs.last().waitFor();
    const boxes = await Promise.all((await tabs.all()).map(async (tab) => (await tab.boundingBox())!));
    expect(new Set(boxes.map(({ y }) => y)).size).toBe(1);
    const { x, width } = boxes.at(-1)!;
    expect(x + width).toBeLessThanOrEqual(390);
    await finish();
  });

  it('compare figures with the period before, if the app was public then', async () => {
    const { id, slug } = await service.anApp(developer, 'APPROVED', withPictures(pictures));
    await service.must('recordInstall', { slug, installationId: 'one' });
    const { page, open, finish } = await consoleWindow(browser, service, developer);
    await open(`/apps/${id}/analytics?days=7`);
    await page.getByText('Installs in 7 days').first().waitFor();
    expect(await page.getByText('the period before').count()).toBe(0);
    await service.sql("update apps set approved_at = approved_at - interval '60 days' where id = $1", [id]);
    await page.reload();
    await page.getByText('+1 vs. the period before').first().waitFor();
    await page.getByText('As many as in the period before').waitFor();
    await finish();
  });

  it('count characters only near the limit, and call a submission that waits "In review"', async () => {
    const { id } = await service.anApp(developer, 'PENDING', withPictures(pictures));
    const { page, open, descriptionOf, finish } = await consoleWindow(browser, service, developer);
    await page.locator('.app-item').getByText('In review').waitFor();
    expect(await page.getByText('Pending').count()).toBe(0);
    await open(`/apps/${id}`);
    await page.getByLabel('Name', { exact: true }).fill('x'.repeat(79));
    expect(await descriptionOf('Name')).not.toContain('characters');
    await page.getByLabel('Name', { exact: true }).fill('x'.repeat(80));
    expect(await descriptionOf('Name')).toContain('80 of 100 characters.');
    await finish();
  });
});
