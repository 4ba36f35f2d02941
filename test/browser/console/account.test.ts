import { describe, expect, it } from '@jest/globals';
import { startReceiver, verified } from '../../modules/webhooks/receiver.js';
import { type Json, unique } from '../../support/actors.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { startService } from '../../support/service.js';
import { sharedBrowser } from '../chromium.js';
import { consoleWindow } from '../console-window.js';

const browser = sharedBrowser();
const receiver = duringTests(startReceiver);
const service = duringTests(() =>
  startService({ WEB: 'on', WORKER: 'inline' }, undefined, {
    webhooks: { allowedHosts: [receiver.host] },
  }),
);
const developer = beforeTests(() => service.aDeveloper());

describe('the account of a developer in the console', () => {
  it('is registered with mistakes told at their fields, and says where the verification stands (D225)', async () => {
    await service.anUnverifiedDeveloper();
    const accountUserId = unique('newcomer');
    const { page, descriptionOf, open, finish } = await consoleWindow(browser, service, {
      accountUserId,
    });
    await page.getByRole('heading', { name: 'Become a developer' }).waitFor();
    expect(await page.getByLabel('Name').inputValue()).toBe('Nia Newcomer');
    await page.getByLabel('E-mail address').fill('nowhere');
    await page.reload();
    expect(await page.getByLabel('E-mail address').inputValue()).toBe('nowhere');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.locator('[aria-invalid]').waitFor();
    expect(await descriptionOf('E-mail address')).toMatch(/^Enter an e-mail address/);
    await page.locator('input[type=email]:focus').waitFor();
    await page.getByLabel('E-mail address').fill(`${accountUserId}@example.com`);
    const next = page.getByRole('region', { name: 'What happens next' });
    await next.getByText('Nia Newcomer is registered').waitFor();
    await next.getByText(`You get an e-mail to ${accountUserId}@example.com.`).waitFor();
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByRole('heading', { name: 'Your account is being verified' }).waitFor();
    await page.getByText(/Place \d+ in the queue: \d+ before you\./).waitFor();

    const token = await service.token(accountUserId);
    const { id } = await service.must<Json>('me', {}, token);
    await service.administer('verifyDeveloper', { id });
    await open('/profile');
    await page.getByText('Verified', { exact: true }).waitFor();
    await page.getByLabel('Website (optional)').fill('newcomers.example');
    await page.getByLabel('Company (optional)').fill('Newcomers');
    expect(await page.getByLabel('Website (optional)').inputValue()).toBe('https://newcomers.example');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Your profile is saved.').waitFor();
    expect(await service.must('me', {}, token)).toMatchObject({ companyName: 'Newcomers' });
    await finish();
  });

  it('has a profile of which only the changed fields are sent, and what is written meanwhile stays', async () => {
    const ada = await service.aDeveloper();
    const { page, open, finish } = await consoleWindow(browser, service, ada);
    await open('/profile');
    const about = page.getByLabel('About you (optional)');
    const save = page.getByRole('button', { name: 'Save' });
    await about.fill('One.');
    // Somebody else saves another field meanwhile.
    await service.must('updateMe', { companyName: 'Acme' }, ada.token);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      if (route.request().postData()?.includes('ConsoleUpdateProfile')) await released;
      await route.continue();
    });
    await save.click();
    await about.fill('One. Two.');
    release();
    await page.getByText('Your profile is saved.').waitFor();
    expect(await service.must('me', {}, ada.token)).toMatchObject({
      companyName: 'Acme',
      bio: 'One.',
    });
    expect(await about.inputValue()).toBe('One. Two.');
    await page.getByText('Not saved yet.').waitFor();
    await finish();
  });
});

describe('API keys in the console', () => {
  it('show a key once, copy it, rotate it, and revoke it with the keys that were made with it (D225)', async () => {
    const { page, open, finish } = await consoleWindow(browser, service, developer);
    await open('/keys');
    await page.getByText('Create a key').click();
    await page.getByLabel('Name').fill('CI pipeline');
    await page.getByLabel('Change apps').check();
    await page.getByRole('button', { name: 'Create the key' }).click();
    const secret = page.getByRole('dialog');
    const key = await secret.locator('code').innerText();
    expect(await service.must('me', {}, key)).toMatchObject({ id: developer.id });
    for (let press = 0; press < 4; press += 1) await page.keyboard.press('Escape');
    expect(await secret.locator('code').innerText()).toBe(key);
    await secret.getByRole('button', { name: 'Copy' }).click();
    await secret.getByRole('button', { name: 'Copied' }).waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key);
    await secret.getByRole('button', { name: 'I have stored it' }).click();
    await secret.waitFor({ state: 'detached' });
    expect(await page.content()).not.toContain(key);

    const active = page.locator('section').filter({ hasText: 'Active keys' }).locator('li');
    const item = active.filter({ hasText: 'CI pipeline' });
    await item.getByText(/^Expires on \w+ \d+, \d{4}$/).waitFor();
    await service.must('createApiKey', { name: 'Child', scopes: ['APP_READ'] }, key);
    await page.reload();
    await item.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByText('Child').waitFor();
    await page.getByRole('button', { name: 'Revoke the key' }).click();
    await item.waitFor({ state: 'detached' });
    await page.getByText('Expired and revoked keys (2)').click();
    await page.getByRole('heading', { name: 'Child' }).waitFor();

    const other = active.filter({ hasText: 'A key' });
    await other.getByRole('button', { name: 'Rotate' }).click();
    await page.getByLabel('Keep the old key working for (hours)').fill('0');
    await page.getByRole('button', { name: 'Create the new key' }).click();
    expect(await secret.locator('code').innerText()).toMatch(/^mkt_/);
    await finish();
  });

  it('tell at a glance which key expires soon (D225)', async () => {
    const ada = await service.aDeveloper();
    await service.must('createApiKey', { name: 'Brief', scopes: ['APP_READ'], expiresInDays: 3 }, ada.token);
    const { page, open, finish } = await consoleWindow(browser, service, ada);
    await open('/keys');
    await page.getByText('Expires in 3 days: rotate it').waitFor();
    await finish();
  });
});

describe('webhooks in the console', () => {
  it('are created with a secret, tested against a real receiver, replayed and deleted (D225)', async () => {
    const { url, inbox } = receiver.address();
    const { page, open, finish } = await consoleWindow(browser, service, developer);
    await open('/webhooks');
    await page.getByText('No endpoint yet.').waitFor();
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    await page.getByLabel('URL').fill(url);
    await page.getByLabel('Only these').check();
    await page.getByLabel('app.approved').check();
    await page.getByRole('button', { name: 'Add the endpoint' }).click();
    const dialog = page.getByRole('dialog');
    const secret = await dialog.locator('code').innerText();
    for (let press = 0; press < 4; press += 1) await page.keyboard.press('Escape');
    expect(await dialog.locator('code').innerText()).toBe(secret);
    await dialog.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByText('1 kind of event').waitFor();
    await page.getByRole('link', { name: url }).click();
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText('Delivered', { exact: true }).waitFor();
    expect(verified(secret, inbox()[0]!)).toMatchObject({ type: 'webhook.test' });
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByText('2 attempts').waitFor();
    await page.getByText('Request and responses').click();
    await page.getByRole('heading', { name: 'Attempt 2: 204' }).waitFor();
    await page.getByRole('button', { name: 'Delete the endpoint' }).click();
    await dialog.getByRole('button', { name: 'Delete the endpoint' }).click();
    await page.getByText('No endpoint yet.').waitFor();
    await finish();
  });
});
