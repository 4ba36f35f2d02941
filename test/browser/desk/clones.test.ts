import { describe, expect, it } from '@jest/globals';
import { unique } from '../../support/actors.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { mayFetch, startPictureServer } from '../../support/pictures.js';
import { startService } from '../../support/service.js';
import { sharedBrowser } from '../chromium.js';
import { deskWindow, withPictures } from '../desk-window.js';

const browser = sharedBrowser();
const pictures = duringTests(startPictureServer);
const service = duringTests(() =>
  startService({ WEB: 'on', ASSET_CHECKS: 'enforce' }, undefined, mayFetch(pictures)),
);
const lou = beforeTests(() => service.aDeveloper({ name: 'Lou', companyName: 'Lighthouse Tools' }));
const eve = beforeTests(() => service.aDeveloper({ name: 'Eve Mallory' }));

describe.each([1440, 390])('at the desk, %i pixels wide', (width) => {
  it('a clone with almost the same name and the same pictures needs a second key, beside the original (D421, D422)', async () => {
    const ending = unique('');
    const screenshots = ['/png/1280x720', '/png/1600x900'].map((path) => ({ url: pictures.url(path) }));
    const pictured = { ...withPictures(pictures), screenshots };
    const original = await service.anApp(lou, 'APPROVED', { ...pictured, name: `Invoice Printer ${ending}` });
    const clone = { ...pictured, name: `Invoice Printr ${ending}`, category: 'EDUCATION' };
    const { id } = await service.anApp(eve, 'PENDING', clone);
    const desk = await deskWindow(browser, service, { width });
    const { page } = desk;
    await desk.open(`/reviews/${id}?category=EDUCATION`);
    await desk.heading(clone.name).waitFor();
    const findings = page.getByRole('region', { name: 'Automatic findings' });
    await findings.getByText('name is almost the same').waitFor();
    // The logos for the name and for the logo, the banners for the banner.
    expect(await findings.locator('.look-alikes').count()).toBe(3);
    const banners = findings.locator('.look-alikes .banner');
    const [left, right] = [await banners.nth(0).boundingBox(), await banners.nth(1).boundingBox()];
    expect(left!.y).toBe(right!.y);
    expect(left!.width / left!.height).toBeCloseTo(2, 1);
    expect(await findings.getByRole('link', { name: `Invoice Printer ${ending}` }).count()).toBe(3);
    await findings.scrollIntoViewIfNeeded();
    await desk.screenshot(`desk-clone-${width}`);
    await desk.press('a');
    const dialog = page.getByRole('dialog', { name: 'Approve it anyway?' });
    await dialog.getByText('shows the same picture').first().waitFor();
    // One comparison for all findings about the same app.
    expect(await dialog.locator('.side-by-side').count()).toBe(1);
    expect(await dialog.locator('.side-by-side .banner').count()).toBe(2);
    await desk.screenshot(`desk-clone-asked-${width}`);
    await page.keyboard.press('a');
    expect(await dialog.isVisible()).toBe(true);
    await page.keyboard.press('y');
    await page.getByText(`${clone.name} is approved.`).waitFor();
    await desk.finish();
    // Its pictures are those of the test at the next width.
    for (const app of [original.id, id])
      await service.administer('suspendApp', { id: app, reason: 'The test is over.' });
  });
});
