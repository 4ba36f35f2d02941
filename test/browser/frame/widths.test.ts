import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { startPictureServer } from '../../support/pictures.js';
import { startService } from '../../support/service.js';
import { sharedBrowser, visit } from '../chromium.js';
import { consoleWindow } from '../console-window.js';
import { aSubmission, deskWindow, withPictures } from '../desk-window.js';

const WIDTHS = [390, 768, 820, 900, 1000, 1200, 1440, 1920];
/** A phone has a row of its own for the links. */
const mostHeaderPx = (width: number) => (width >= 768 ? 75 : 110);

const browser = sharedBrowser();
const service = duringTests(() => startService({ WEB: 'on' }));
const pictures = duringTests(startPictureServer);
const developer = beforeTests(() =>
  service.aDeveloper({
    name: 'Wilhelmina Featherstonehaugh-Cholmondeley',
    companyName: 'The International Federation of Long Names',
  }),
);
const waiting = beforeTests(() =>
  aSubmission(service, pictures, developer, {
    name: `Donaudampfschifffahrtsgesellschaft ${'x'.repeat(60)}`,
    category: 'DEVELOPER_TOOLS',
  }),
);
const published = beforeTests(() => service.anApp(developer, 'APPROVED', withPictures(pictures)));
beforeAll(async () => {
  await service.administer('claimReview', { id: waiting.id });
});

/** Returns what does not fit at the widths: a page that scrolls sideways, or a header of several rows. */
async function misfits(page: Page, area: string, paths: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const path of paths) {
    await page.goto(`${service.url}${area}${path}`);
    await page.locator('main h1').first().waitFor();
    await page.locator('.loading, .chart:empty').first().waitFor({ state: 'detached' });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const { content, header } = (await page.evaluate(
        `({ content: document.documentElement.scrollWidth, header: document.querySelector('.shell > header').offsetHeight })`,
      )) as { content: number; header: number };
      if (content > width) found.push(`${area}${path} at ${width}: ${content} px wide`);
      if (header > mostHeaderPx(width)) found.push(`${area}${path} at ${width}: a header of ${header} px`);
    }
  }
  return found;
}

describe('from a phone to a wide screen, nothing is cut off and the header stays low', () => {
  it('at the desk', async () => {
    const { page, close } = await deskWindow(browser, service);
    const paths = ['', `/reviews/${waiting.id}`, '/developers', `/developers/${developer.id}`, '/apps'];
    expect(
      await misfits(page, '/desk', [
        ...paths,
        `/apps/${published.id}`,
        '/ratings',
        '/audit',
        '/figures',
        '/webhooks',
      ]),
    ).toEqual([]);
    await close();
  });

  it('in the console', async () => {
    const { page, close } = await consoleWindow(browser, service, developer);
    const paths = ['', '/new', `/apps/${waiting.id}`, `/apps/${published.id}/analytics`, '/keys'];
    expect(await misfits(page, '/console', [...paths, '/webhooks', '/profile'])).toEqual([]);
    await close();
  });

  it('in the console, not even before a chart is drawn again', async () => {
    const { page, close } = await consoleWindow(browser, service, developer);
    await page.addInitScript('ResizeObserver.prototype.observe = () => {}');
    expect(await misfits(page, '/console', [`/apps/${published.id}/analytics`])).toEqual([]);
    await close();
  });

  it('in the storefront', async () => {
    const { page, close } = await visit(browser);
    expect(
      await misfits(page, '/market', ['', `/apps/${published.slug}`, `/developers/${developer.id}`]),
    ).toEqual([]);
    await close();
  });
});
