import { AxeBuilder } from '@axe-core/playwright';
import { describe, expect, it } from '@jest/globals';
import { duringTests } from '../../support/before-tests.js';
import { startService } from '../../support/service.js';
import { accessibilityViolations } from '../axe.js';
import { sharedBrowser, visit } from '../chromium.js';

const browser = sharedBrowser();
const service = duringTests(() => startService({ WEB: 'on', WORKER: 'inline' }));

describe('the pages outside of the browser application', () => {
  it.each([
    ['/', 'The app marketplace for your product'],
    ['/dev/mailbox', 'Mailbox'],
  ])('%s has the frame of the product, and no accessibility violations', async (path, heading) => {
    for (const width of [390, 768, 1440]) {
      const { page, screenshot, finish } = await visit(browser, {
        viewport: { width, height: 900 },
      });
      await page.goto(service.url + path);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await page.getByRole('banner').getByRole('link', { name: 'Marketplace', exact: true }).waitFor();
      expect(await accessibilityViolations(page)).toEqual([]);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      const { height } = (await page.getByRole('banner').boundingBox())!;
      if (width >= 768) expect(height).toBeLessThan(70);
      await screenshot(`frame${path.replaceAll('/', '-')}-${width}`);
      await finish();
    }
  });

  it('the mailbox shows a new mail without being loaded again', async () => {
    const { page, finish } = await visit(browser);
    await page.goto(`${service.url}/dev/mailbox`);
    await page.getByText('There are no e-mails yet.').waitFor();
    await page.evaluate('globalThis.isSamePage = true');
    expect(await page.locator('meta[http-equiv]').count()).toBe(0);
    await service.aDeveloper();
    await page
      .getByRole('link', { name: /verified/i })
      .first()
      .waitFor();
    expect(await page.evaluate('globalThis.isSamePage')).toBe(true);
    await finish();
  });

  it('the reference has the frame, and no critical accessibility violation', async () => {
    const { page, screenshot, close } = await visit(browser);
    await page.goto(`${service.url}/docs`);
    await page.getByRole('banner').getByRole('link', { name: 'Reference' }).waitFor();
    await page.locator('.opblock').first().waitFor();
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    expect(
      violations
        .filter(({ impact }) => impact === 'critical')
        .map(({ id, nodes }) => [id, nodes[0]?.target, nodes[0]?.html]),
    ).toEqual([]);
    await screenshot('frame-docs');
    await close();
  });

  it('the playground has the frame above Altair, which fills the rest of the window', async () => {
    for (const width of [390, 1440]) {
      const { page, screenshot, close } = await visit(browser, { viewport: { width, height: 800 } });
      await page.goto(`${service.url}/playground`);
      const altair = page.locator('.main-container');
      await altair.waitFor();
      const frame = (await page.locator('header.frame').boundingBox())!;
      const rest = (await altair.boundingBox())!;
      expect(Math.round(rest.y)).toBe(Math.round(frame.height));
      expect(Math.round(rest.y + rest.height)).toBe(800);
      expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(800);
      await screenshot(`frame-playground-${width}`);
      expect(await page.locator('.frame-brand').getAttribute('href')).toBe('/');
      await close();
    }
  });
});
