import { describe, expect, it } from '@jest/globals';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { startService } from '../../support/service.js';
import { sharedBrowser } from '../chromium.js';
import { consoleWindow } from '../console-window.js';

const browser = sharedBrowser();
const service = duringTests(() => startService({ WEB: 'on' }));
const developer = beforeTests(() => service.aDeveloper());

describe('a response of a broken proxy', () => {
  it('is said to be empty if it has no data and no error (D420)', async () => {
    const { page, open, close } = await consoleWindow(browser, service, developer);
    await page.route('**/graphql', (route) => route.fulfill({ json: { data: null } }));
    await open('/keys');
    await page.getByText('The service has sent an empty response').first().waitFor();
    await close();
  });
});

describe('a limit that is used up', () => {
  it('is said in plain words, and the page goes on by itself when it is over', async () => {
    const { page, open, close } = await consoleWindow(browser, service, developer);
    const message = 'The limit "graphql" of 50000 points per minute for this address is used up.';
    const errors = [{ message, extensions: { code: 'RATE_LIMITED', details: [], requestId: 'limited' } }];
    await page.route('**/graphql', (route) => route.fulfill({ status: 429, json: { errors } }));
    await open('/keys');
    await page.getByText('There are too many requests. Try again in a moment.').first().waitFor();
    expect(await page.getByText('50000').count()).toBe(0);
    await page.unroute('**/graphql');
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    await page.getByText('There are too many requests').waitFor({ state: 'detached' });
    await close();
  });
});
