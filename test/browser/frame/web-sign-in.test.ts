import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { twoScreenshots } from '../../support/actors.js';
import { duringTests } from '../../support/before-tests.js';
import { until } from '../../support/mail-server.js';
import { startTestProvider } from '../../support/oidc-provider.js';
import { startService } from '../../support/service.js';
import { sharedBrowser, visit } from '../chromium.js';

/** The address of an app, with a query string that a sign-in must keep. */
let address: string;
const browser = sharedBrowser();
const provider = duringTests(startTestProvider);
const service = duringTests(() =>
  startService({
    NODE_ENV: 'production',
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: 'pages',
    WEB: 'on',
  }),
);
beforeAll(async () => {
  provider.setClient({ id: 'pages', redirectUris: [`${service.url}/market`, `${service.url}/desk`] });
  address = `${service.url}/market/apps/${await anApp()}?from=mail`;
});
beforeEach(() => {
  provider.setTokenSeconds(3600);
  provider.setLine('open');
});

/** Publishes an app, by people of the provider. */
async function anApp(): Promise<string> {
  const { client } = service;
  const admin = await provider.token('root', { admin: true });
  const ada = await provider.token('ada');
  const { id: developerId } = await client.must<{ id: string }>(
    'registerDeveloper',
    { accountUserId: 'ada', name: 'Ada', email: 'ada@example.com' },
    ada,
  );
  await client.must('verifyDeveloper', { id: developerId }, admin);
  const listing = {
    name: 'Counter',
    description: 'Counts.',
    category: 'UTILITIES',
    environment: 'production',
    screenshots: twoScreenshots,
  };
  const { id, slug, revision } = await client.must<{ id: string; slug: string; revision: number }>(
    'createApp',
    listing,
    ada,
  );
  await client.must('submitApp', { id }, ada);
  await client.must('approveApp', { id, revision }, admin);
  // No request of the tests leaves this machine.
  await service.sql(
    `update apps set screenshots = (select jsonb_agg(shot || '{"url": "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"}')
     from jsonb_array_elements(screenshots) shot)`,
  );
  return slug;
}

async function fillIn(page: Page, { id, secret }: { id: string; secret: string }): Promise<void> {
  await page.getByLabel('Account').fill(id);
  await page.getByLabel('Secret').fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Account menu' }).waitFor();
}

const signInButton = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Sign in' });

/** Begins a rating, and goes to the provider to sign in. */
async function signInToRate(page: Page): Promise<void> {
  await page.getByLabel('3 stars').check({ force: true });
  await page.getByRole('button', { name: 'Sign in to rate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** Opens the page of the app and signs in to rate it. */
async function signedIn(account = provider.account('grace')) {
  const visited = await visit(browser);
  const { page } = visited;
  await page.goto(address);
  await signInToRate(page);
  await fillIn(page, account);
  return visited;
}

/** Returns everything that the browser has stored for the pages. */
const stored = async (page: Page): Promise<string> =>
  `${await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }])')}
   ${JSON.stringify(await page.context().cookies(service.url))}`;

describe('signing in to the browser application', () => {
  it('leads through the provider with PKCE, and back to the same address (D211)', async () => {
    const { page, finish } = await visit(browser);
    const asked: URL[] = [];
    page.on('request', (request) => asked.push(new URL(request.url())));
    await page.goto(address);
    await signInToRate(page);
    await fillIn(page, provider.account('grace'));
    expect(page.url()).toBe(address);
    await page.getByTitle('Account grace').waitFor();
    await page.getByLabel('Headline').waitFor();

    const authorize = asked.find(({ pathname }) => pathname === '/auth')?.searchParams;
    expect(Object.fromEntries(authorize ?? [])).toMatchObject({
      response_type: 'code',
      client_id: 'pages',
      code_challenge_method: 'S256',
      scope: 'openid profile',
      audience: 'marketplace-gateway',
      redirect_uri: `${service.url}/market`,
    });
    expect(authorize?.has('client_secret')).toBe(false);
    await finish();
  });

  it('returns to the place and the text that was written before (D371)', async () => {
    const { page, finish } = await visit(browser, { viewport: { width: 390, height: 500 } });
    await page.goto(address);
    await page.getByLabel('5 stars').check({ force: true });
    await page.getByLabel('What do you think?').fill('It counts everything.');
    await page.getByRole('button', { name: 'Sign in to rate' }).scrollIntoViewIfNeeded();
    const top = await page.evaluate<number>('scrollY');
    expect(top).toBeGreaterThan(200);
    await page.getByRole('button', { name: 'Sign in to rate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in', exact: true }).click();
    await fillIn(page, provider.account('ida'));
    await page.getByRole('button', { name: 'Rate', exact: true }).and(page.locator(':focus')).waitFor();
    expect(await page.getByLabel('What do you think?').inputValue()).toBe('It counts everything.');
    await until(
      async () => Math.abs((await page.evaluate<number>('scrollY')) - top) <= 2,
      () => `the page did not return to ${top}`,
    );
    await finish();
  });

  it('keeps the token in the memory of the page only (D211)', async () => {
    const { page, close } = await signedIn();
    const sent = page.waitForRequest(
      (request) => request.url().includes('/graphql') && 'authorization' in request.headers(),
    );
    await page.getByLabel('4 stars').check({ force: true });
    await page.getByLabel('Headline').fill('Counts well');
    await page.getByRole('button', { name: 'Rate', exact: true }).click();
    const [header = '', payload = '', signature = ''] = (await sent).headers().authorization!.split('.');
    await page.getByRole('button', { name: 'Edit my rating' }).waitFor();
    const kept = await stored(page);
    for (const secret of [header.slice('Bearer '.length), payload, signature]) {
      expect(secret.length).toBeGreaterThan(20);
      expect(kept).not.toContain(secret);
    }
    expect(kept).not.toMatch(/token|verifier|eyJ/);
    expect(page.url()).toBe(address);
    await close();
  });

  it('is repeated without a question after a reload (D211)', async () => {
    const { page, finish } = await signedIn();
    await page.reload();
    await page.getByRole('button', { name: 'Account menu' }).waitFor();
    await page.getByLabel('Display name').waitFor();
    expect(page.url()).toBe(address);
    await finish();
  });

  it('is asked for after a reload if the session of the provider has ended (D211)', async () => {
    const { page, close } = await signedIn();
    provider.endSessions();
    await page.reload();
    await signInButton(page).waitFor();
    expect(page.url()).toBe(address);
    // Only once: another reload does not leave the page.
    provider.setLine('open');
    await page.reload();
    await signInButton(page).waitFor();
    expect(provider.asked.filter((path) => path.startsWith('/auth'))).toEqual([]);
    await close();
  });

  it('is renewed by the refresh token before it expires, once for all requests (D211)', async () => {
    provider.setTokenSeconds(20);
    const { page, finish } = await signedIn();
    await page.getByLabel('Headline').waitFor();
    provider.setTokenSeconds(3600);
    const renewals: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/token')) renewals.push(request.postData() ?? '');
    });
    await page.getByRole('link', { name: 'Ada', exact: true }).click();
    await page.getByRole('heading', { name: '1 app' }).waitFor();
    await page.goBack();
    await page.getByLabel('Headline').waitFor();
    expect(renewals).toEqual([expect.stringContaining('grant_type=refresh_token')]);
    await finish();
  });

  it('asks for the account again after signing out (D211)', async () => {
    const { page, finish } = await signedIn();
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signInToRate(page);
    await fillIn(page, provider.account('hedy'));
    await page.getByTitle('Account hedy').waitFor();
    await finish();
  });

  it('ends in all tabs, and none signs in again without a question (D211)', async () => {
    const { page, close } = await signedIn();
    const [second, away, asking] = [
      await page.context().newPage(),
      await page.context().newPage(),
      await page.context().newPage(),
    ];
    for (const tab of [second, away, asking]) {
      await tab.goto(address);
      await signInToRate(tab);
      // The provider knows the browser, and asks nothing.
      await tab.getByTitle('Account grace').waitFor();
    }
    await away.goto('about:blank');
    // This tab asks the provider again, which answers after the sign-out.
    const [question, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    await asking.route('**/auth?*', async (route) => {
      question.resolve();
      await answer.promise;
      await route.continue();
    });
    await asking.reload({ waitUntil: 'commit' });
    await question.promise;
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    answer.resolve();
    await away.goto(address);
    for (const tab of [away, asking]) await signInButton(tab).waitFor();
    await signInToRate(second);
    await second.getByLabel('Account').waitFor();
    await close();
  });

  it('goes on with a renewed token in an event stream whose token has expired (D281)', async () => {
    provider.setTokenSeconds(5);
    const { page, finish } = await visit(browser);
    const streams: string[] = [];
    page.on('request', (request) => {
      if (request.url().endsWith('/graphql/stream')) streams.push(request.headers().authorization ?? '');
    });
    await page.goto(`${service.url}/desk`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await fillIn(page, provider.account('root', { claims: { roles: ['marketplace-admin'] } }));
    await until(
      () => streams.length > 0,
      () => 'no stream was opened',
    );
    const openedAtFirst = streams.length;
    provider.setTokenSeconds(3600);
    await until(
      () => streams.length > openedAtFirst,
      () => 'the stream was not opened again',
    );
    expect(new Set(streams).size).toBeGreaterThan(1);
    expect(await page.getByRole('dialog').count()).toBe(0);
    await finish();
  });

  it('says so if it fails (D211)', async () => {
    const { page, close } = await visit(browser);
    await page.goto(`${service.url}/market?error=access_denied&error_description=No+entry&state=forged`);
    await page.getByRole('dialog').getByRole('alert').getByText('The sign-in failed').waitFor();
    await close();
  });

  it('is not possible while the provider cannot be reached, which is said, and everything public works (D211)', async () => {
    await using other = await startTestProvider();
    await using lonely = await startService({
      NODE_ENV: 'production',
      OIDC_ISSUER: other.issuer,
      OIDC_CLIENT_ID: 'pages',
      WEB: 'on',
    });
    other.setLine('cut');
    const { page, finish } = await visit(browser);
    await page.goto(`${lonely.url}/console`);
    await page.getByText('The identity provider cannot be reached').waitFor();
    await page.goto(`${lonely.url}/market`);
    await page.getByText('There are no apps yet.').waitFor();
    await finish();
  });
});

describe('text that is not sent yet', () => {
  it('survives an expired sign-in in the middle of writing (D211, D212)', async () => {
    provider.setTokenSeconds(60);
    const { page, screenshot, close } = await signedIn(provider.account('lin'));
    await page.getByLabel('2 stars').check({ force: true });
    await page.getByLabel('What do you think?').fill('It counts, but only to ten.');
    provider.endSessions();
    await page.clock.setFixedTime(Date.now() + 90_000);
    const dialog = page.getByRole('dialog', { name: 'Your sign-in has expired' });
    await page.getByRole('button', { name: 'Rate', exact: true }).click();
    await dialog.waitFor();
    await screenshot('web-expired');
    expect(await page.getByLabel('What do you think?').inputValue()).toBe('It counts, but only to ten.');
    provider.setTokenSeconds(3600);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await fillIn(page, provider.account('lin'));
    expect(page.url()).toBe(address);
    expect(await page.getByLabel('What do you think?').inputValue()).toBe('It counts, but only to ten.');
    expect(await page.getByLabel('2 stars').isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Rate', exact: true }).click();
    await page.getByRole('button', { name: 'Edit my rating' }).waitFor();
    expect(await stored(page)).not.toContain('It counts');
    await close();
  });

  it('survives a reload, is not shown to another account, and can be discarded (D212)', async () => {
    const { page, close } = await signedIn(provider.account('mae'));
    await page.getByLabel('Headline').fill('To be continued');
    await page.reload();
    await page.getByRole('button', { name: 'Account menu' }).waitFor();
    expect(await page.getByLabel('Headline').inputValue()).toBe('To be continued');
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signInToRate(page);
    await fillIn(page, provider.account('nan'));
    expect(await page.getByLabel('Headline').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await signInButton(page).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign in', exact: true }).click();
    await fillIn(page, provider.account('mae'));
    expect(await page.getByLabel('Headline').inputValue()).toBe('To be continued');
    await page.getByRole('button', { name: 'Discard the draft' }).click();
    expect(await page.getByLabel('Headline').count()).toBe(0);
    await page.getByLabel('3 stars').check({ force: true });
    expect(await page.getByLabel('Headline').inputValue()).toBe('');
    expect(await stored(page)).not.toContain('To be continued');
    await close();
  });
});
