import { describe, it } from '@jest/globals';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { startService } from '../support/service.js';
import { browserWithDatabase } from './chromium.js';
import { consoleWindow } from './console-window.js';

const browser = browserWithDatabase();
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
