import { describe, expect, it } from '@jest/globals';
import { adminEvents } from '../../../src/modules/events/published-event.types.js';
import { eventTypes } from '../../../src/modules/webhooks/webhook.input.js';
import { startReceiver, status, verified } from '../../modules/webhooks/receiver.js';
import { anAdminEndpoint } from '../../modules/webhooks/webhooks.js';
import type { Json } from '../../support/actors.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { until } from '../../support/mail-server.js';
import { startService } from '../../support/service.js';
import { accessibilityViolations } from '../axe.js';
import { sharedBrowser } from '../chromium.js';
import { consoleWindow } from '../console-window.js';
import { deskWindow } from '../desk-window.js';

const browser = sharedBrowser();
const receiver = duringTests(startReceiver);
const service = duringTests(() =>
  startService({ WEB: 'on', WORKER: 'inline' }, undefined, {
    webhooks: { allowedHosts: [receiver.host], retryDelaysMs: [] },
  }),
);
const developer = beforeTests(() => service.aDeveloper());

describe('the webhooks of the administration at the desk', () => {
  it('are created with a secret, deliver an event, are sent again, changed and deleted', async () => {
    const { url, inbox } = receiver.address();
    const { page, finish } = await deskWindow(browser, service);
    await page.getByRole('link', { name: 'Webhooks' }).click();
    await page.getByText('No endpoint yet.').waitFor();
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    await page.getByLabel('URL').fill(url);
    await page.getByLabel('Only these').check();
    await page.getByRole('button', { name: 'Add the endpoint' }).click();
    await page.getByRole('alert').getByText('Choose at least one event.').waitFor();
    await page.getByLabel('app.submitted').check();
    await page.getByRole('button', { name: 'Add the endpoint' }).click();
    const dialog = page.getByRole('dialog');
    const secret = await dialog.locator('code').innerText();
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('1 kind of event').waitFor();

    await service.anApp(developer, 'PENDING', { name: 'Ledger' });
    await until(() => inbox().length === 1);
    await page.getByRole('link', { name: url }).click();
    await page.getByText('Delivered', { exact: true }).waitFor();
    await page.getByText('app.submitted', { exact: true }).first().waitFor();
    expect(verified(secret, inbox()[0]!)).toMatchObject({ data: { app: { name: 'Ledger' } } });
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('2 attempts').waitFor();
    await page.getByText('Request and responses').click();
    await page.getByRole('heading', { name: 'Attempt 2: 204' }).waitFor();

    await page.getByRole('button', { name: 'Create a new secret' }).click();
    await dialog.getByRole('button', { name: 'Create a new secret' }).click();
    await page.getByRole('dialog', { name: 'The new secret' }).waitFor();
    const other = await dialog.locator('code').innerText();
    expect(other).not.toBe(secret);
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('Messages are also signed with the former secret').waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('webhook.test', { exact: true }).waitFor();
    await until(() => inbox().length === 3);
    expect([secret, other].map((each) => verified(each, inbox()[2]!).type)).toEqual([
      'webhook.test',
      'webhook.test',
    ]);

    await page.locator('summary').filter({ hasText: 'URL and events' }).click();
    await page.getByLabel('All events, including future ones').check();
    await page.getByLabel('Note').fill('Team chat');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The endpoint is saved.').waitFor();
    expect(await service.administer<Json[]>('adminWebhooks')).toMatchObject([
      { url, description: 'Team chat', events: [] },
    ]);
    await page.getByRole('button', { name: 'Delete the endpoint' }).click();
    await dialog.getByRole('button', { name: 'Delete the endpoint' }).click();
    await page.getByText('No endpoint yet.').waitFor();
    await finish();
  });

  it('are shown as disabled when the receiver is gone, and enabled again', async () => {
    const { url, behave } = receiver.address(status(410, 'Gone'));
    const { id } = await anAdminEndpoint(service, { url });
    const { page, open, finish } = await deskWindow(browser, service);
    await open(`/webhooks/${id}`);
    await page.getByText('Nothing has been sent yet.').waitFor();
    await page.getByText('Enabled', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('Disabled', { exact: true }).waitFor();
    behave(status(204));
    await page.getByRole('button', { name: 'Enable' }).click();
    await page.getByText('Enabled', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('Delivered', { exact: true }).waitFor();
    await finish();
  });

  it('have pages of deliveries, with the page in the address', async () => {
    const { url } = receiver.address();
    const { id } = await anAdminEndpoint(service, { url });
    for (let sent = 0; sent < 21; sent += 1) await service.administer('testAdminWebhook', { id });
    const { page, open, finish } = await deskWindow(browser, service);
    await open(`/webhooks/${id}`);
    await page.getByText('20 of 21 shown').waitFor();
    expect(await page.getByRole('button', { name: 'Send again' }).count()).toBe(20);
    await page.getByRole('link', { name: 'Next page' }).click();
    await page.getByText('1 of 21 shown').waitFor();
    await page.reload();
    await page.getByText('1 of 21 shown').waitFor();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('20 of 22 shown').waitFor();
    await finish();
  });

  it('are accessible in both themes, fit every width, and are reached with the keyboard (D222)', async () => {
    const { url } = receiver.address(status(500, `{"error":"${'x'.repeat(400)}"}`));
    const { id } = await anAdminEndpoint(service, {
      url: `${url}?${'long'.repeat(40)}`,
      description: 'Chat',
    });
    await service.administer('testAdminWebhook', { id });
    const { page, open, heading, finish } = await deskWindow(browser, service);
    for (const path of ['/webhooks', `/webhooks/${id}`, `/webhooks/${developer.id}`]) {
      await open(path);
      await page.locator('main h1').waitFor();
      await page.locator('.loading').first().waitFor({ state: 'detached' });
      await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
      const add = page.getByRole('button', { name: 'Add an endpoint' });
      if (await add.isVisible()) await add.click();
      for (const width of [390, 768, 1024, 1440]) {
        await page.setViewportSize({ width, height: 860 });
        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        expect({ path, width, overflow }).toEqual({ path, width, overflow: 0 });
      }
      expect({ path, violations: await accessibilityViolations(page) }).toEqual({ path, violations: [] });
    }
    await page.getByRole('heading', { name: 'Page not found' }).waitFor();
    await page.getByRole('link', { name: 'See all webhooks' }).press('Enter');
    await heading('Webhooks').waitFor();
    await page.getByText('Chat').waitFor();
    const line = page.locator('a.line:focus');
    const select = async () => {
      await page.keyboard.press('j');
      return (await line.count()) > 0;
    };
    // While the list is read again, its lines lose the focus.
    await until(select, () => 'no line has the focus');
    await page.keyboard.press('Enter');
    await heading(url).waitFor();
    await finish();
  });

  it('offer the events that the service can send, and so do those of developers', async () => {
    const desk = await deskWindow(browser, service);
    const own = await consoleWindow(browser, service, developer);
    for (const [{ page, open }, types] of [
      [desk, Object.keys(adminEvents)],
      [own, eventTypes],
    ] as const) {
      await open('/webhooks');
      const add = page.getByRole('button', { name: 'Add an endpoint' });
      await add.or(page.getByLabel('URL')).first().waitFor();
      if (await add.isVisible()) await add.click();
      await page.getByLabel('Only these').check();
      expect((await page.locator('.events code').allInnerTexts()).sort()).toEqual(types.toSorted());
    }
    await desk.close();
    await own.close();
  });
});
