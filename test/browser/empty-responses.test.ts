import { afterAll, beforeAll, describe, it } from '@jest/globals';
import type { Browser } from 'playwright-core';
import type { Developer } from '../support/actors.js';
import { type Service, startService } from '../support/service.js';
import { startTestCluster } from '../support/test-cluster.js';
import { launchChromium } from './chromium.js';
import { consoleWindow } from './console-window.js';

let browser: Browser;
let stopCluster: () => Promise<void>;
let service: Service;
let developer: Developer;
beforeAll(async () => {
  browser = await launchChromium();
  stopCluster = await startTestCluster();
  service = await startService({ WEB: 'on' });
  developer = await service.aDeveloper();
});
afterAll(async () => {
  await browser?.close();
  await service?.close();
  await stopCluster?.();
});

describe('a response of a broken proxy', () => {
  it('is said to be empty if it has no data and no error (D420)', async () => {
    const { page, open, close } = await consoleWindow(browser, service, developer);
    await page.route('**/graphql', (route) => route.fulfill({ json: { data: null } }));
    await open('/keys');
    await page.getByText('The service has sent an empty response').first().waitFor();
    await close();
  });
});
