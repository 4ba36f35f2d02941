import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { duringTests } from '../../support/before-tests.js';
import { startTestProvider } from '../../support/oidc-provider.js';
import { startService } from '../../support/service.js';
import { Altair } from '../altair.js';
import { sharedBrowser, visit } from '../chromium.js';

const browser = sharedBrowser();
const provider = duringTests(startTestProvider);
const service = duringTests(() =>
  startService({
    NODE_ENV: 'production',
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: 'playground',
    OIDC_ROLES_CLAIM: 'realm_access.roles',
    PLAYGROUND: 'on',
    WEB: 'on',
  }),
);
beforeAll(async () => {
  const redirectUris = ['playground', 'console'].map((page) => `${service.url}/${page}`);
  provider.setClient({ id: 'playground', redirectUris });
});
beforeEach(() => {
  provider.setTokenSeconds(3600);
  provider.setLine('open');
});

const root = () => provider.account('root', { claims: { realm_access: { roles: ['marketplace-admin'] } } });

async function signIn(page: Page, { id, secret }: { id: string; secret: string }): Promise<void> {
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await fillIn(page, { id, secret });
}

async function fillIn(page: Page, { id, secret }: { id: string; secret: string }): Promise<void> {
  await page.getByLabel('Account').fill(id);
  await page.getByLabel('Secret').fill(secret);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

/** Opens the playground and signs in as an administrator. */
async function signedIn() {
  const visited = await visit(browser);
  const altair = new Altair(visited.page);
  await visited.page.goto(`${service.url}/playground?as=admin`);
  await altair.ready({ opens: 'Review queue' });
  await signIn(visited.page, root());
  await altair.ready({ opens: 'Review queue' });
  return { ...visited, altair };
}

/** Runs in the page: what Altair sends from a tab of an administrator, three times at once. */
const THREE_REQUESTS = `Promise.all([1, 2, 3].map(async () => {
  const headers = { 'content-type': 'application/json', authorization: 'Bearer signed-in-account' };
  const body = JSON.stringify({ query: '{ reviewCounts { total } }' });
  return (await fetch(new URL('../graphql', document.baseURI), { method: 'POST', headers, body })).status;
}))`;

describe('signing in to the playground in production', () => {
  it('gives all tabs the token of the account, with PKCE and without a secret (D173)', async () => {
    const { page, screenshot, finish } = await visit(browser);
    const altair = new Altair(page);
    const asked: URL[] = [];
    page.on('request', (request) => asked.push(new URL(request.url())));
    await page.goto(`${service.url}/playground?as=admin`);
    await altair.ready({ opens: 'Review queue' });
    await screenshot('playground-signed-out');
    const before = await altair.send('UNAUTHENTICATED');
    expect(before.authorization).toBeUndefined();
    await signIn(page, root());
    await altair.ready({ opens: 'Review queue' });
    await screenshot('playground-signed-in');
    const { authorization } = await altair.send('"totalCount": 0');
    await altair.open('Developers');
    expect((await altair.send('"totalCount": 0')).authorization).toBe(authorization);
    expect(authorization).toMatch(/^Bearer eyJ/);

    const authorize = asked.find(({ pathname }) => pathname === '/auth')?.searchParams;
    expect(Object.fromEntries(authorize ?? [])).toMatchObject({
      response_type: 'code',
      client_id: 'playground',
      code_challenge_method: 'S256',
      scope: 'openid profile',
      audience: 'marketplace-gateway',
      redirect_uri: `${service.url}/playground`,
    });
    expect(await page.getByRole('button', { name: 'Sign out' }).getAttribute('title')).toBe(
      'Signed in as Account root',
    );
    expect(page.url()).toBe(`${service.url}/playground?as=admin`);
    await finish();
  });

  it('keeps the token in the page only (D173)', async () => {
    const { altair, close } = await signedIn();
    const { authorization = '' } = await altair.send('"totalCount": 0');
    await altair.open('Audit log');
    await altair.stored('totalCount');
    const stored = await altair.storage();
    const [header = '', payload = ''] = authorization.slice('Bearer '.length).split('.');
    expect(stored).toContain('{{token}}');
    expect(stored).not.toContain(payload);
    expect(stored).not.toContain(header);
    expect(stored).not.toMatch(/refresh_token|code_verifier/);
    await close();
  });

  it('keeps the tabs over a reload, and signs in again without a question (D173, D175)', async () => {
    const { page, altair, finish } = await signedIn();
    await altair.open('Developers');
    await altair.fillQuery('query Mine { reviewCounts { total overdue } }');
    await altair.stored('query Mine');
    await page.reload();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await altair.ready({ opens: 'Developers' });
    expect(await altair.query()).toContain('query Mine');
    expect((await altair.send('"overdue": 0')).authorization).toMatch(/^Bearer eyJ/);
    await finish();
  });

  it('says that the sign-in has expired if the provider does not renew it, and keeps the tabs (D173)', async () => {
    provider.setTokenSeconds(1);
    const { page, altair, screenshot, close } = await signedIn();
    provider.endSessions();
    const expired = page.locator('.notice', { hasText: 'Your sign-in has expired' });
    while (!(await expired.isVisible())) await page.evaluate(THREE_REQUESTS);
    expect((await altair.send('UNAUTHENTICATED')).authorization).toBeUndefined();
    await screenshot('playground-expired');
    provider.setTokenSeconds(3600);
    await signIn(page, root());
    await altair.ready({ opens: 'Review queue' });
    await altair.send('"totalCount": 0');
    await close();
  });

  it('asks for the account again after signing out, and forgets the tabs and the responses (D173)', async () => {
    const { page, altair, close } = await signedIn();
    await altair.send('"totalCount": 0');
    await altair.stored('totalCount');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await altair.ready({ opens: 'Review queue' });
    expect((await altair.send('UNAUTHENTICATED')).authorization).toBeUndefined();
    await signIn(page, provider.account('ada'));
    await altair.ready({ opens: 'Review queue' });
    await altair.send('FORBIDDEN');
    await close();
  });

  it('ends when somebody signs out on another page, and is not resumed (D281)', async () => {
    const { page, altair, close } = await signedIn();
    const console = await page.context().newPage();
    await console.goto(`${service.url}/console`);
    await console.getByRole('button', { name: 'Sign in' }).click();
    await console.getByRole('button', { name: 'Account menu' }).click();
    await console.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await altair.ready({ opens: 'Review queue' });
    expect((await altair.send('UNAUTHENTICATED')).authorization).toBeUndefined();
    await signIn(page, root());
    await close();
  });

  it('says so if it fails (D173)', async () => {
    const { page, screenshot, close } = await visit(browser);
    await page.goto(`${service.url}/playground?error=access_denied&error_description=No+entry&state=forged`);
    await page.locator('.notice', { hasText: 'The sign-in failed' }).waitFor();
    await screenshot('playground-sign-in-failed');
    await close();
  });
});

describe('a playground in production without a client', () => {
  it('takes a pasted token for all tabs, which is not stored', async () => {
    const pasted = await startService({
      NODE_ENV: 'production',
      OIDC_ISSUER: provider.issuer,
      PLAYGROUND: 'on',
    });
    const { page, problems, close } = await visit(browser);
    try {
      const altair = new Altair(page);
      await page.goto(`${pasted.url}/playground?as=admin`);
      await altair.ready({ opens: 'Review queue' });
      const token = await provider.token('boss', { admin: true });
      page.once('dialog', (dialog) => void dialog.accept(`Bearer ${token}`));
      await page.getByRole('button', { name: 'Token' }).click();
      expect((await altair.send('"totalCount": 0')).authorization).toBe(`Bearer ${token}`);
      await altair.open('Developers');
      expect((await altair.send('"totalCount": 0')).authorization).toBe(`Bearer ${token}`);
      await altair.stored('totalCount');
      expect(await altair.storage()).not.toContain(token.split('.')[1]);
      expect(problems).toEqual([]);
    } finally {
      await close();
      await pasted.close();
    }
  });
});
