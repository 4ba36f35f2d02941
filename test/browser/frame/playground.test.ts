import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Gateway, startGateway } from '../../startup/gateway.js';
import { duringTests } from '../../support/before-tests.js';
import { aFolder } from '../../support/folder.js';
import { Altair } from '../altair.js';
import { sharedBrowser, visit } from '../chromium.js';
import { Shell } from '../shell.js';

let gateway: Gateway;
let dataDir: string;
let url: string;

const browser = sharedBrowser();
beforeAll(async () => {
  dataDir = await aFolder();
  gateway = startGateway({ PATH: process.env.PATH ?? '', PORT: '0', DATA_DIR: join(dataDir, 'data') });
  url = await gateway.url();
});

afterAll(async () => {
  gateway?.process.kill('SIGTERM');
  await gateway?.ended;
});

describe('the tour of the home page', () => {
  const shell = duringTests(() => new Shell());

  it('leads from nothing to a live app, which an administrator approves in the playground', async () => {
    const { page, screenshot, finish } = await visit(browser);
    await page.goto(url);
    await page.getByText('Publish an app with the API in five steps').click();
    for (const fold of await page.locator('.tour ol summary').all()) await fold.click();
    const [look = '', register = '', key = '', submit = '', enjoy = ''] = await page
      .locator('.tour pre')
      .allInnerTexts();
    expect(JSON.parse(await shell.paste(look))).toHaveProperty('pagination');
    expect(JSON.parse(await shell.paste(register))).toMatchObject({ name: 'Ada', status: 'UNVERIFIED' });

    // A message names a step that was skipped.
    expect(await shell.paste(key)).toContain('DEVELOPER_NOT_VERIFIED');

    await page.getByRole('link', { name: 'the playground as administrator' }).first().click();
    const altair = new Altair(page);
    await altair.ready({ opens: 'Review queue' });
    await altair.open('Developers');
    const developers = await altair.send('ada@example.com');
    const [, adaId] = /"id": "(\S+)",\s+"name": "Ada"/.exec(developers.result) ?? [];
    await screenshot('developers');
    await altair.open('Verify developer');
    await altair.fillVariables({ id: adaId });
    await altair.send('VERIFIED');

    await shell.paste(key);
    expect(JSON.parse(await shell.paste(submit))).toMatchObject({ slug: 'hello-tasks', status: 'PENDING' });
    expect((await fetch(`${url}/api/apps/hello-tasks`)).status).toBe(404);

    await altair.open('Review queue');
    const queue = await altair.send('Hello tasks');
    const seen = /"id": "(\S+)",\s+"revision": (\d+),\s+"slug": "hello-tasks"/.exec(queue.result);
    const [, appId, revision] = seen ?? [];
    await screenshot('review-queue');
    await altair.open('Approve app');
    await altair.fillVariables({ id: appId, revision: Number(revision), note: 'Welcome!' });
    await altair.send('APPROVED');
    await screenshot('approve-app');

    const live = await fetch(`${url}/api/apps/hello-tasks`);
    expect(live.status).toBe(200);
    expect(await live.json()).toMatchObject({ name: 'Hello tasks', developer: { name: 'Ada' } });
    expect(await shell.paste(enjoy)).toContain('"installCount":1');
    await finish();
  });

  it('gives a key that works in the REST reference', async () => {
    const { page, screenshot, finish } = await visit(browser);
    await page.goto(`${url}/docs`);
    await page.getByRole('button', { name: 'Authorize' }).click();
    const dialog = page.locator('.auth-container', { hasText: 'apiKey' });
    await dialog.locator('input').fill(await shell.paste('echo "$KEY"'));
    await dialog.getByRole('button', { name: 'Apply credentials' }).click();
    await page.getByRole('button', { name: 'Close' }).first().click();
    const me = page.locator('.opblock', { hasText: '/api/dev/me' }).filter({ hasText: 'GET' });
    await me.locator('.opblock-summary-control').click();
    await me.getByRole('button', { name: 'Execute' }).click();
    await me.locator('.live-responses-table').getByText('ada@example.com').waitFor();
    await screenshot('docs-authorized');
    await finish();
  });
});

describe('the playground', () => {
  it('keeps the tabs over a reload, and sends the tokens of the page that is open (D175)', async () => {
    const { page, finish } = await visit(browser);
    const altair = new Altair(page);
    const sent: (string | undefined)[] = [];
    await page.goto(`${url}/playground?as=developer`);
    await altair.ready({ opens: 'My apps' });
    await altair.open('Me');
    await altair.fillQuery('query Mine { me { name } }');
    for (const _ of ['first', 'second']) {
      const offered = await page.locator('#playground-options').textContent();
      const { authorization = '' } = await altair.send('Demo Developer');
      expect(offered).toContain(authorization.replace('Bearer ', ''));
      sent.push(authorization);
      await altair.stored('query Mine');
      // Tokens carry whole seconds: without a pause two of them could be the same.
      await page.waitForTimeout(1100);
      await page.reload();
      await altair.ready({ opens: 'Me' });
      expect(await altair.query()).toContain('query Mine');
    }
    expect(new Set(sent).size).toBe(2);
    for (const authorization of sent) expect(await altair.storage()).not.toContain(authorization!.slice(7));
    await finish();
  });

  it('lists the operations by their groups, and opens a tab for one, once, with its account and variables', async () => {
    const { page, screenshot, finish } = await visit(browser);
    const altair = new Altair(page);
    await page.goto(`${url}/playground?as=admin`);
    await altair.ready({ opens: 'Review queue' });
    await page.getByText('Find an operation').click();
    const groups = page.locator('.operations h2');
    expect((await groups.allInnerTexts()).slice(0, 2).map((text) => text.toLowerCase())).toEqual([
      'review',
      'listed apps',
    ]);
    await screenshot('playground-operations');
    const shown = page.locator('.operations section button:visible');
    await page.keyboard.type('approve app v');
    expect(await shown.allInnerTexts()).toEqual(['Approve app version']);
    expect(await groups.filter({ visible: true }).count()).toBe(1);
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.press('Delete');
    expect(await shown.count()).toBeGreaterThan(20);
    await page.getByText('Find an operation').click();
    const tabs = page.locator('app-window-switcher-item');
    const before = await tabs.count();
    await altair.open('Decisions');
    const { authorization } = await altair.send('"decisions"');
    expect(authorization).toMatch(/^Bearer eyJ/);
    expect(await page.locator('app-variables-editor .cm-content').first().innerText()).toContain(
      '"reviewer"',
    );
    await altair.open('Developers');
    await altair.find('Decisions');
    await page.locator('.window-switcher__item--active', { hasText: 'Decisions' }).waitFor();
    expect(await tabs.count()).toBe(before + 1);
    await finish();
  });

  it('shows live updates with the token of the account until "Cancel", also in a tab of a query (D142)', async () => {
    const { page, screenshot, finish } = await visit(browser);
    const altair = new Altair(page);
    await page.goto(`${url}/playground?as=admin`);
    await altair.ready({ opens: 'Review queue' });
    await altair.open('Review queue changed');
    const { authorization } = await altair.listen();
    expect(authorization).toMatch(/^Bearer eyJ/);
    await altair.open('Review counts');
    await altair.fillQuery('subscription Mine { reviewQueueChanged { counts { claimed } } }');
    await altair.listen();
    await altair.open('Claim next');
    await altair.send('"claim"');
    for (const tab of ['Review counts', 'Review queue changed']) {
      await altair.open(tab);
      await altair.read('"claimed": 1');
      await screenshot(`live-${tab.toLowerCase().replaceAll(' ', '-')}`);
      const aborted = page.waitForEvent('requestfailed', (request) =>
        request.url().endsWith('/graphql/stream'),
      );
      await page.getByRole('button', { name: 'Cancel' }).click();
      await aborted;
    }
    await finish();
  });

  it('shows the tabs as they were at first after a reset (D175)', async () => {
    const { page, close } = await visit(browser);
    const altair = new Altair(page);
    await page.goto(`${url}/playground?as=admin`);
    await altair.ready({ opens: 'Review queue' });
    await altair.open('Audit log');
    await altair.fillQuery('query Changed { __typename }');
    await altair.stored('query Changed');
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Reset' }).click()]);
    await altair.ready({ opens: 'Review queue' });
    await altair.open('Audit log');
    expect(await altair.query()).toContain('query AuditLog');
    await close();
  });

  it('refuses "Reject app" as it is, with everything that has to be filled in', async () => {
    const { page, screenshot, close } = await visit(browser);
    const altair = new Altair(page);
    await page.goto(`${url}/playground?as=admin`);
    await altair.ready({ opens: 'Review queue' });
    await altair.open('Reject app');
    const { result } = await altair.send('VALIDATION_FAILED');
    expect(result).toContain('guidance');
    await screenshot('reject-app-refused');
    await close();
  });
});

describe('the way home', () => {
  it('leads from the playground, which opens on the developer’s apps, to the home page', async () => {
    const { page, finish } = await visit(browser);
    await page.goto(`${url}/playground?as=developer`);
    await new Altair(page).ready({ opens: 'My apps' });
    await page.getByRole('link', { name: 'Marketplace gateway' }).click();
    await page.waitForURL(`${url}/`);
    await finish();
  });
});

describe.each([
  ['desktop', {}],
  ['dark', { colorScheme: 'dark' as const }],
  ['phone', { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true }],
])('on a %s screen', (screen, options) => {
  it.each(['/', '/docs', '/playground', '/playground?as=admin'])(
    '%s shows without an error',
    async (path) => {
      const { page, problems, screenshot, close } = await visit(browser, options);
      await page.goto(url + path, { waitUntil: 'networkidle' });
      await (path.startsWith('/playground')
        ? new Altair(page).ready({ opens: path.endsWith('admin') ? 'Review queue' : 'Browse apps' })
        : page.locator('h1, h2').first().waitFor());
      await screenshot(`${path.replaceAll(/\W+/g, '-').replace(/^-$/, '-home')}-${screen}`.slice(1));
      expect(problems).toEqual([]);
      // Nothing is cut off at the side.
      expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
      await close();
    },
  );
});
