import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { AppJson } from '../support/actors.js';
import { type PictureServer, startPictureServer } from '../support/pictures.js';
import { type Service, startService } from '../support/service.js';
import { startTestCluster } from '../support/test-cluster.js';
import { accessibilityViolations } from './axe.js';
import { launchChromium, visit } from './chromium.js';
import { deskWindow } from './desk-window.js';

let browser: Browser;
let stopCluster: () => Promise<void>;
let pictures: PictureServer;
let service: Service;
let app: AppJson;
beforeAll(async () => {
  browser = await launchChromium();
  stopCluster = await startTestCluster();
  pictures = await startPictureServer();
  service = await startService({ WEB: 'on' });
  app = await service.anApp(await service.aDeveloper(), 'APPROVED', {
    name: 'Notes',
    logoUrl: pictures.url('/png/512x512'),
    screenshots: [{ url: pictures.url('/png/1280x720') }, { url: pictures.url('/png/1280x721') }],
  });
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
  await pictures?.close();
  await stopCluster?.();
});

describe('a report of an app (D380)', () => {
  it('is written before signing in, sent afterwards, and dismissed on the desk', async () => {
    const { page, problems, close } = await visit(browser);
    await page.goto(`${service.url}/market/apps/${app.slug}`);
    await page.getByRole('button', { name: 'Report this app' }).click();
    const dialog = page.getByRole('dialog', { name: 'Report Notes' });
    await dialog.getByLabel('What is wrong with it?').selectOption('Something else');
    expect(await dialog.getByRole('button', { name: 'Sign in to report' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Details').fill('It sings at night.');
    expect(await accessibilityViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Sign in to report' }).click();
    await dialog.getByRole('button', { name: 'Nia Newcomer' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await dialog.waitFor();
    expect(await dialog.getByLabel('Details').inputValue()).toBe('It sings at night.');
    await dialog.getByRole('button', { name: 'Report', exact: true }).click();
    await page.getByText('The administrators will look at it').waitFor();
    expect(problems).toEqual([]);
    await close();

    const desk = await deskWindow(browser, service);
    await desk.open('/apps');
    await desk.page.getByRole('link', { name: 'Reported apps (1)' }).click();
    await desk.page.getByText('It sings at night.').waitFor();
    expect(await accessibilityViolations(desk.page)).toEqual([]);
    await desk.page.getByRole('button', { name: 'Dismiss the reports' }).click();
    await desk.page.getByRole('dialog').getByRole('button', { name: 'Dismiss the reports' }).click();
    await desk.page.getByText('No app has open reports.').waitFor();
    expect(desk.problems).toEqual([]);
    await desk.close();
  });
});
