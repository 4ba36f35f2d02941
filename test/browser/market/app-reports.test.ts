import { describe, expect, it } from '@jest/globals';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { startPictureServer } from '../../support/pictures.js';
import { startService } from '../../support/service.js';
import { accessibilityViolations } from '../axe.js';
import { sharedBrowser, visit } from '../chromium.js';
import { deskWindow } from '../desk-window.js';

const browser = sharedBrowser();
const pictures = duringTests(startPictureServer);
const service = duringTests(() => startService({ WEB: 'on' }));
const app = beforeTests(async () =>
  service.anApp(await service.aDeveloper(), 'APPROVED', {
    name: 'Notes',
    logoUrl: pictures.url('/png/512x512'),
    screenshots: [{ url: pictures.url('/png/1280x720') }, { url: pictures.url('/png/1280x721') }],
  }),
);

describe('a report of an app (D380)', () => {
  it('is written before signing in, sent afterwards, and dismissed on the desk', async () => {
    const { page, finish } = await visit(browser);
    await page.goto(`${service.url}/market/apps/${app.slug}`);
    await page.getByRole('button', { name: 'Report this app' }).click();
    const dialog = page.getByRole('dialog', { name: 'Report Notes' });
    await dialog.getByText('Choose a reason first.').waitFor();
    await dialog.getByLabel('What is wrong with it?').selectOption('Something else');
    await dialog.getByText('Describe it first.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Sign in to report' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Details').fill('It sings at night.');
    expect(await accessibilityViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Sign in to report' }).click();
    await dialog.getByRole('button', { name: 'Nia Newcomer' }).click();
    await page.getByRole('button', { name: 'Account menu' }).waitFor();
    await dialog.waitFor();
    expect(await dialog.getByLabel('Details').inputValue()).toBe('It sings at night.');
    await dialog.getByRole('button', { name: 'Report', exact: true }).click();
    await page.getByText('The administrators will look at it').waitFor();
    await finish();

    const desk = await deskWindow(browser, service);
    await desk.open('/apps');
    await desk.page.getByRole('link', { name: 'Reported apps 1' }).click();
    await desk.page.getByText('It sings at night.').waitFor();
    expect(await accessibilityViolations(desk.page)).toEqual([]);
    await desk.page.getByRole('button', { name: 'Dismiss the reports' }).click();
    await desk.page.getByRole('dialog').getByRole('button', { name: 'Dismiss the reports' }).click();
    await desk.page.getByText('No app has open reports.').waitFor();
    await desk.finish();
  });
});
