import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { startService } from '../../support/service.js';
import { sharedBrowser } from '../chromium.js';
import { consoleWindow } from '../console-window.js';

const browser = sharedBrowser();
const service = duringTests(() => startService({ WEB: 'on', QUOTA_IDEMPOTENCY_KEYS: '100' }));
const developer = beforeTests(() => service.aDeveloper());

/** The service carries out the next mutation, and the page never gets the response. */
async function loseResponseTo(page: Page, mutation: string): Promise<() => Promise<void>> {
  const { promise: lost, resolve } = Promise.withResolvers<void>();
  await page.route('**/graphql', async (route) => {
    if (!route.request().postData()?.includes(mutation)) return route.continue();
    await route.fetch();
    await route.abort('connectionreset');
    resolve();
  });
  return async () => {
    await lost;
    await page.unroute('**/graphql');
  };
}
const count = async (from: string, value: string) =>
  (await service.sql<{ count: number }>(`select count(*)::int as count from ${from}`, [value]))[0]!.count;
const unreached = 'The service could not be reached.';

describe('a creation whose response is lost (D425)', () => {
  it('makes no second draft of an app, also after a reload', async () => {
    const { page, open, close } = await consoleWindow(browser, service, developer);
    await open('/new');
    await page.getByLabel('Name').fill('Lost and found');
    await page.getByLabel('Short description').fill('It is made once.');
    const lost = await loseResponseTo(page, 'ConsoleCreateApp');
    const create = page.getByRole('button', { name: 'Create draft' });
    await create.click();
    await lost();
    await page.getByText(unreached).first().waitFor();
    await page.reload();
    await create.click();
    await page.getByText('Draft created.').waitFor();
    expect(await count('apps where name = $1', 'Lost and found')).toBe(1);
    // Another one of the same name is another request.
    await open('/new');
    await page.getByLabel('Name').fill('Lost and found');
    await page.getByLabel('Short description').fill('It is made once.');
    await create.click();
    await page.getByText('Draft created.').waitFor();
    expect(await count('apps where name = $1', 'Lost and found')).toBe(2);
    await close();
  });

  it('makes no second API key, and says that there is one; the next attempt makes another', async () => {
    const { page, open, close } = await consoleWindow(browser, service, developer);
    await open('/keys');
    await page.getByText('Create a key').first().click();
    await page.getByLabel('Name').fill('Lost key');
    await page.getByRole('checkbox').first().check();
    const lost = await loseResponseTo(page, 'createApiKey');
    const create = page.getByRole('button', { name: 'Create the key' });
    await create.click();
    await lost();
    await page.getByText(unreached).first().waitFor();
    await create.click();
    await page.getByText('This was done before, but the page got no answer.').waitFor();
    expect(await count('api_keys where name = $1', 'Lost key')).toBe(1);
    await create.click();
    await page.getByText('The key is created.').waitFor();
    expect(await count('api_keys where name = $1', 'Lost key')).toBe(2);
    await close();
  });

  it('sends no second message to the reviewers', async () => {
    const { id } = await service.anApp(developer, 'PENDING');
    const { page, open, close } = await consoleWindow(browser, service, developer);
    await open(`/apps/${id}`);
    await page.getByLabel('Message to the reviewers').fill('Once only.');
    const lost = await loseResponseTo(page, 'messageReviewers');
    const send = page.getByRole('button', { name: 'Send' });
    await send.click();
    await lost();
    await page.getByText(unreached).first().waitFor();
    await send.click();
    await page.getByText('Your message is sent.').waitFor();
    expect(await count('review_messages where text = $1', 'Once only.')).toBe(1);
    await close();
  });

  it('is possible without a key if too many keys are stored', async () => {
    const busy = await service.aDeveloper();
    await service.sql(
      `insert into stored_responses (id, body_hash, status, body, developer_id, created_at)
       select sha256(($1 || n)::bytea), sha256('x'), 200, '{}', $1::uuid, now() from generate_series(1, 100) n`,
      [busy.id],
    );
    const { page, open, close } = await consoleWindow(browser, service, busy);
    await open('/new');
    await page.getByLabel('Name').fill('Made without a key');
    await page.getByLabel('Short description').fill('It is made.');
    await page.getByRole('button', { name: 'Create draft' }).click();
    await page.getByText('Draft created.').waitFor();
    await close();
  });
});
