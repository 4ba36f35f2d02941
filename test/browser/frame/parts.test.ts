import { expect, it } from '@jest/globals';
import { duringTests } from '../../support/before-tests.js';
import { startService } from '../../support/service.js';
import { accessibilityViolations } from '../axe.js';
import { sharedBrowser, visit } from '../chromium.js';

const browser = sharedBrowser();
const service = duringTests(() => startService({ WEB: 'on' }));

it('one page shows every part of the design, in both themes and at all widths', async () => {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [390, 768, 1024, 1440]) {
      const { page, problems, screenshot, close } = await visit(browser, {
        colorScheme,
        viewport: { width, height: 1400 },
      });
      await page.goto(`${service.url}/web/parts`);
      await page.getByRole('heading', { level: 1, name: 'Parts of the design' }).waitFor();
      await screenshot(`parts-${colorScheme}-${width}`);
      const sideways = await page.evaluate(
        'document.documentElement.scrollWidth > document.documentElement.clientWidth',
      );
      expect({ width, sideways, problems }).toEqual({ width, sideways: false, problems: [] });
      if (width === 1440) {
        expect(
          await page.getByRole('region', { name: 'Icons' }).locator('svg').count(),
        ).toBeGreaterThanOrEqual(16);
        expect(await accessibilityViolations(page)).toEqual([]);
        await page.getByRole('button', { name: 'Open a dialog' }).click();
        await page.getByRole('dialog', { name: 'A dialog' }).waitFor();
        expect(await accessibilityViolations(page)).toEqual([]);
      }
      await close();
    }
});
