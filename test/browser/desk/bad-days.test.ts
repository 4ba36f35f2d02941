import { rm } from 'node:fs/promises';
import { afterAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import type { Page } from 'playwright-core';
import { createApp } from '../../../src/app.js';
import { loadConfig } from '../../../src/config.js';
import { listen } from '../../../src/server/listener.js';
import { twoScreenshots } from '../../support/actors.js';
import { duringTests } from '../../support/before-tests.js';
import { aFolder } from '../../support/folder.js';
import { until } from '../../support/mail-server.js';
import { startTestProvider } from '../../support/oidc-provider.js';
import { startPictureServer } from '../../support/pictures.js';
import { type Service, startService } from '../../support/service.js';
import { sharedBrowser, visit } from '../chromium.js';
import { aSubmission } from '../desk-window.js';

/** Closes what the tests have opened, also after a failure. */
const closing: (() => Promise<unknown>)[] = [];
const browser = sharedBrowser();
const pictures = duringTests(startPictureServer);
afterAll(async () => {
  for (const close of closing.toReversed()) await close();
});

/** Writes half a rejection of the submission that is shown. */
async function beginRejection(page: Page): Promise<void> {
  await page.locator('button:enabled', { hasText: 'Approve' }).waitFor();
  await page.keyboard.press('r');
  const form = page.getByRole('form', { name: 'Rejection' });
  await form.getByLabel(/^Misleading/).check();
  await form.getByLabel('Text').fill('The pictures show another app.');
  await form.getByLabel('Guidance').fill('Show your own app.');
}

async function expectRejection(page: Page): Promise<void> {
  const form = page.getByRole('form', { name: 'Rejection' });
  await form.waitFor();
  expect(await form.getByLabel(/^Misleading/).isChecked()).toBe(true);
  expect(await form.getByLabel('Text').inputValue()).toBe('The pictures show another app.');
  expect(await form.getByLabel('Guidance').inputValue()).toBe('Show your own app.');
}

describe('a half-written rejection', () => {
  it('survives a sign-in that expires, and is sent afterwards (D211, D212)', async () => {
    const provider = await startTestProvider();
    const service = await startService({
      NODE_ENV: 'production',
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: 'pages',
      WEB: 'on',
    });
    closing.push(
      () => provider.close(),
      () => service.close(),
    );
    provider.setClient({ id: 'pages', redirectUris: [`${service.url}/desk`] });
    const root = provider.account('root', { claims: { roles: ['marketplace-admin'] } });
    const { id } = await aSubmissionOf(
      service,
      await provider.token('ada'),
      await provider.token('boss', { admin: true }),
    );
    provider.setTokenSeconds(60);
    const { page } = await visit(browser);
    page.setDefaultTimeout(20_000);
    await page.goto(`${service.url}/desk/reviews/${id}`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await signInAs(page, root);
    await beginRejection(page);
    provider.endSessions();
    await page.clock.setFixedTime(Date.now() + 90_000);
    await page.keyboard.press('Control+Enter');
    const dialog = page.getByRole('dialog', { name: 'Your sign-in has expired' });
    await dialog.waitFor();
    provider.setTokenSeconds(3600);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await signInAs(page, root);
    await expectRejection(page);
    await page.getByRole('form', { name: 'Rejection' }).getByLabel('Guidance').press('Control+Enter');
    await page.getByText('Counter is rejected.').waitFor();
    expect(await service.sql('select status from apps where id = $1', [id])).toEqual([
      { status: 'REJECTED' },
    ]);
  });
});

/** Has a developer of the provider submit an app. */
async function aSubmissionOf({ client }: Service, developer: string, admin: string): Promise<{ id: string }> {
  const profile = { accountUserId: 'ada', name: 'Ada', email: 'ada@example.com' };
  const { id: developerId } = await client.must<{ id: string }>('registerDeveloper', profile, developer);
  await client.must('verifyDeveloper', { id: developerId }, admin);
  const listing = {
    name: 'Counter',
    description: 'Counts.',
    category: 'UTILITIES',
    environment: 'production',
  };
  const app = await client.must<{ id: string }>(
    'createApp',
    // In production pictures must be on public hosts.
    { ...listing, screenshots: twoScreenshots },
    developer,
  );
  return client.must('submitApp', { id: app.id }, developer);
}

async function signInAs(page: Page, { id, secret }: { id: string; secret: string }): Promise<void> {
  await page.getByLabel('Account').fill(id);
  await page.getByLabel('Secret').fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Account menu' }).waitFor();
}

describe('a service that is restarted under an open page', () => {
  it('is reported, and afterwards the page goes on with the text and with live updates', async () => {
    const service = await startService();
    const dataDir = await aFolder();
    closing.push(
      () => rm(dataDir, { recursive: true }),
      () => service.close(),
    );
    const start = async (port: number) => {
      const listener = await listen('127.0.0.1', port);
      const gateway = await createApp(loadConfig({ DATA_DIR: dataDir, WORKER: 'off', RATE_LIMITS: 'off' }), {
        databaseUrl: service.databaseUrl,
        log: pino({ level: 'silent' }),
        publicUrl: `http://127.0.0.1:${listener.port}`,
      });
      listener.serve(gateway.handler);
      const close = async () => {
        await listener.close({ withinMs: 0, signal: AbortSignal.abort() });
        await gateway.close();
      };
      return { port: listener.port, close };
    };
    const first = await start(0);
    const developer = await service.aDeveloper();
    const { name } = await aSubmission(service, pictures, developer);

    const { page } = await visit(browser);
    page.setDefaultTimeout(20_000);
    await page.goto(`http://127.0.0.1:${first.port}/desk`);
    await page.getByRole('button', { name: 'Demo administrator' }).click();
    await page.getByRole('link', { name: String(name) }).click();
    await beginRejection(page);
    await first.close();
    await page.keyboard.press('Control+Enter');
    const outage = page.getByText(/The service (cannot|could not) be reached/);
    await page.locator('.outage').waitFor();
    expect(await outage.count()).toBe(1);
    await expectRejection(page);

    const streams = Promise.withResolvers<void>();
    await page.route('**/graphql/stream', async (route) => {
      await streams.promise;
      await route.continue();
    });
    const second = await start(first.port);
    closing.push(() => second.close());
    await page.locator('.outage').waitFor({ state: 'detached' });
    await page.locator('.decision').getByText('The service could not be reached. Try again.').waitFor();
    await expectRejection(page);
    const later = await aSubmission(service, pictures, developer);
    await page
      .getByRole('link', { name: /^Queue/ })
      .first()
      .click();
    await page.getByRole('link', { name: String(later.name) }).waitFor();
    const missed = await aSubmission(service, pictures, developer);
    streams.resolve();
    await page.getByRole('link', { name: String(missed.name) }).waitFor();
    const last = await aSubmission(service, pictures, developer);
    await page.getByRole('link', { name: String(last.name) }).waitFor();
  });
});

describe('a service whose API fails while it says that it is ready', () => {
  it('is asked less and less often, and the data is not read until it responds', async () => {
    const service = await startService({ WEB: 'on' });
    closing.push(() => service.close());
    const { page, close } = await visit(browser);
    let reads = 0;
    let probes = 0;
    await page.route('**/graphql*', (route) => {
      if (route.request().method() === 'POST') reads += 1;
      else probes += 1;
      return route.fulfill({ status: 502, body: 'Bad gateway' });
    });
    await page.goto(`${service.url}/desk`);
    await page.getByRole('button', { name: 'Demo administrator' }).click();
    await page.locator('.outage').waitFor();
    const before = reads;
    await until(
      () => probes >= 2,
      () => 'the page did not look for the service',
    );
    expect(reads).toBe(before);
    await page.unroute('**/graphql*');
    await page.locator('.outage').waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await close();
  });
});
