import type { Browser, Page } from 'playwright-core';
import type { Developer } from '../support/actors.js';
import type { Service } from '../support/service.js';
import { type Visit, visit } from './chromium.js';

/** A window in the console. */
export interface ConsoleWindow extends Visit {
  open(path?: string): Promise<void>;
  /** The message that a control is described by, such as what is wrong with a field. */
  descriptionOf(label: string): Promise<string>;
}

/** Opens a window and signs in as an account. The demo account that is clicked gets the token of that account. */
export async function consoleWindow(
  browser: Browser,
  service: Service,
  { accountUserId }: Pick<Developer, 'accountUserId'>,
): Promise<ConsoleWindow> {
  const visited = await visit(browser, { permissions: ['clipboard-read', 'clipboard-write'] });
  const { page } = visited;
  await page.route('**/dev/token', (route) =>
    route.continue({ postData: JSON.stringify({ accountUserId, name: 'Nia Newcomer' }) }),
  );
  const open = async (path = '') => {
    await page.goto(`${service.url}/console${path}`);
  };
  await open();
  await page.getByRole('button', { name: 'Demo developer' }).click();
  await page.getByRole('button', { name: 'Account menu' }).waitFor();
  return { ...visited, open, descriptionOf: (label) => descriptionOf(page, label) };
}

async function descriptionOf(page: Page, label: string): Promise<string> {
  const id = await page.getByLabel(label, { exact: true }).getAttribute('aria-describedby');
  return page.locator(`[id="${id}"]`).innerText();
}
