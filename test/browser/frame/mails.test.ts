import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { BrowserContextOptions } from 'playwright-core';
import { mailed } from '../../../src/modules/events/event-mail.types.js';
import { stories, storyOptions } from '../../modules/notifications/stories.js';
import { beforeTests } from '../../support/before-tests.js';
import { until } from '../../support/mail-server.js';
import { type Service, startService } from '../../support/service.js';
import { sharedBrowser, visit } from '../chromium.js';
import { faintTexts } from '../contrast.js';

const browser = sharedBrowser();
let service: Service;
const mails = new Map<string, string>();
/** The host product, to which the mails link. */
const product = createServer((_, response) => response.end('<h1>The product</h1>'));

beforeAll(async () => {
  await new Promise<void>((resolve) => product.listen(0, '127.0.0.1', resolve));
  const { port } = product.address() as AddressInfo;
  service = await startService(
    { WORKER: 'inline', PORTAL_URL: `http://127.0.0.1:${port}/marketplace` },
    undefined,
    await storyOptions(),
  );
  await Promise.all(
    Object.entries(stories).map(async ([kind, { happens }]) => {
      const recipient = await happens(service);
      const find = async () =>
        (
          await service.sql<{ id: string }>('select id from mails where kind = $1 and recipient = $2', [
            kind,
            recipient,
          ])
        )[0]?.id;
      await until(
        async () => (await find()) !== undefined,
        () => `no mail ${kind}`,
      );
      mails.set(kind, `${service.url}/dev/mailbox/${await find()}`);
    }),
  );
});
afterAll(async () => {
  product.close();
  await service?.close();
});

const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const screens: [string, BrowserContextOptions][] = [
  ['light', {}],
  ['dark', { colorScheme: 'dark' }],
  ['phone', phone],
  ['dark-phone', { ...phone, colorScheme: 'dark' }],
];

describe.each(screens)('on a %s screen', (screen, options) => {
  const window = beforeTests(() => visit(browser, options));
  afterAll(() => window.finish());

  it.each([...mailed])('the mail about %s can be read (D33)', async (kind) => {
    const { page } = window;
    await page.goto(`${mails.get(kind)}/html`);
    await window.screenshot(`mail-${kind.replace('.', '-')}-${screen}`, { fullPage: true });
    expect(await page.getByRole('heading').innerText()).not.toBe('');
    expect(await page.getByRole('link').count()).toBe(1);
    expect(await page.evaluate(faintTexts)).toEqual([]);
    // Nothing is cut off at the side.
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
    expect(window.problems).toEqual([]);
  });

  it('the mailbox shows its list, and a mail as HTML and as text', async () => {
    const { page, screenshot } = window;
    const fits = () => page.evaluate('document.documentElement.scrollWidth <= window.innerWidth');
    await page.goto(`${service.url}/dev/mailbox`);
    await screenshot(`mailbox-${screen}`);
    expect(await fits()).toBe(true);
    expect(await page.evaluate(faintTexts)).toEqual([]);
    await page.goto(mails.get('app.rejected')!);
    await page.frameLocator('iframe').getByRole('heading').waitFor();
    await screenshot(`mailbox-mail-${screen}`);
    expect(await fits()).toBe(true);
    await page.getByRole('link', { name: 'Text' }).click();
    await page.getByText('Mend all three').waitFor();
    await screenshot(`mailbox-text-${screen}`);
    expect(await fits()).toBe(true);
  });
});

describe('a link in the mailbox', () => {
  it('opens the page of the host product, in a window of its own (D170)', async () => {
    const { page, finish } = await visit(browser);
    await page.goto(mails.get('developer.verified')!);
    const [opened] = await Promise.all([
      page.waitForEvent('popup'),
      page.frameLocator('iframe').getByRole('link').click(),
    ]);
    await opened.getByRole('heading', { name: 'The product' }).waitFor();
    expect(new URL(opened.url()).pathname).toBe('/marketplace');
    await finish();
  });
});
