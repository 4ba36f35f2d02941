import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../support/actors.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { startService } from '../../support/service.js';
import { accessibilityViolations } from '../axe.js';
import { sharedBrowser } from '../chromium.js';
import { consoleWindow } from '../console-window.js';

const browser = sharedBrowser();
const service = duringTests(() => startService({ WEB: 'on' }));
const ada = beforeTests(() => service.aDeveloper());
const app = beforeTests(() => service.anApp(ada));

describe('the pipelines of an app in the console', () => {
  it('are trusted and removed there, beside the lines that publish the app (D407)', async () => {
    const { page, open, finish } = await consoleWindow(browser, service, ada);
    // Not from the listing, whose pictures do not exist here.
    await open(`/apps/${app.id}/pipelines`);
    await page.getByRole('link', { name: 'Pipelines' }).waitFor();
    await page.getByText('No pipeline is trusted yet.').waitFor();
    await page.getByRole('button', { name: 'Trust a pipeline' }).click();
    await page.getByRole('heading', { name: 'Trust a pipeline' }).waitFor();
    await page.getByLabel('Repository').fill('notes');
    await page.getByRole('button', { name: 'Trust this pipeline' }).click();
    await page.getByText('must be the full name of a repository').waitFor();
    await page.getByLabel('Repository').fill('acme/notes');
    await page.getByRole('button', { name: 'Trust this pipeline' }).click();
    await page.getByText('GitHub Actions, workflow marketplace.yml, environment marketplace').waitFor();
    const listed = () => service.must<Json[]>('trustedPublishers', { appId: app.id }, ada.token);
    expect(await listed()).toMatchObject([{ repository: 'acme/notes', workflow: 'marketplace.yml' }]);
    await page.getByText('In a terminal').click();
    await page.getByText(`node marketplace.mjs init --app ${app.slug}`).waitFor();
    await page.getByText('GitHub: .github/workflows/marketplace.yml').click();
    await page.getByText(`MARKETPLACE_URL: ${service.url}`).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Remove acme/notes' }).click();
    await page.getByText('No pipeline is trusted yet.').waitFor();
    expect(await listed()).toEqual([]);
    await finish();
  });

  it('have lines with the new key after one was created, and only then (D402)', async () => {
    const { page, open, finish } = await consoleWindow(browser, service, ada);
    await open('/keys');
    await page.getByText('Create a key', { exact: true }).click();
    await page.getByLabel('Name').fill('CI');
    await page.getByRole('button', { name: 'Create the key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Publish with it from a terminal').click();
    const lines = await dialog.locator('details code').innerText();
    expect(lines).toMatch(/^export MARKETPLACE_KEY=mkt_[0-9A-Za-z]{38}$/m);
    expect(lines).toContain(`export MARKETPLACE_URL=${service.url}`);
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await finish();
  });
});
