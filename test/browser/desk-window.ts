import type { Browser, Page } from 'playwright-core';
import type { AppJson, Developer } from '../support/actors.js';
import type { Input } from '../support/api-client.js';
import type { PictureServer } from '../support/pictures.js';
import type { Service } from '../support/service.js';
import { type Visit, visit } from './chromium.js';

/** The demo administrator, as whom one click signs in. */
export const ADMINISTRATOR = 'demo-admin';

/** A window at the desk. */
export interface DeskWindow extends Visit {
  open(path?: string): Promise<void>;
  /** The heading of the page that is shown. */
  heading(name: string | RegExp): ReturnType<Page['getByRole']>;
  /** Waits until the decision can be made, and presses a key. */
  press(key: string): Promise<void>;
}

interface WindowOptions {
  /** Another administrator than the demo one; the sign-in is the same otherwise. */
  account?: string;
  admin?: boolean;
  width?: number;
}

/** Opens a window and signs in at the desk. */
export async function deskWindow(
  browser: Browser,
  service: Service,
  { account = ADMINISTRATOR, admin = true, width = 1280 }: WindowOptions = {},
): Promise<DeskWindow> {
  const visited = await visit(browser, { viewport: { width, height: 860 } });
  const { page } = visited;
  await page.route('**/dev/token', (route) =>
    route.continue({ postData: JSON.stringify({ accountUserId: account, admin, name: account }) }),
  );
  const open = async (path = '') => {
    await page.goto(`${service.url}/desk${path}`);
  };
  await open();
  await page.getByRole('button', { name: 'Demo administrator' }).click();
  await page.getByRole('button', { name: 'Account menu' }).waitFor();
  return {
    ...visited,
    open,
    heading: (name) => page.getByRole('heading', { level: 1, name }),
    press: async (key) => {
      await page.locator(`.decision button.${key === 'a' ? 'primary' : 'danger'}:not(:disabled)`).waitFor();
      await page.keyboard.press(key);
    },
  };
}

/** Submits an app whose pictures are on this machine. */
export async function aSubmission(
  service: Service,
  pictures: PictureServer,
  developer: Developer,
  listing: Input = {},
): Promise<AppJson> {
  return service.anApp(developer, 'PENDING', { ...withPictures(pictures), ...listing });
}

/** Submits apps of a category, so that a test has a queue of its own by the filter. */
export async function submissions(
  service: Service,
  pictures: PictureServer,
  developer: Developer,
  category: string,
  ...names: string[]
): Promise<AppJson[]> {
  const apps: AppJson[] = [];
  for (const name of names) apps.push(await aSubmission(service, pictures, developer, { name, category }));
  return apps;
}

export const withPictures = (pictures: PictureServer): Input => ({
  logoUrl: pictures.url('/png/512x512'),
  bannerUrl: pictures.url('/png/1200x600'),
  screenshots: [
    { url: pictures.url('/png/1280x720'), caption: 'The board' },
    { url: pictures.url('/png/800x600') },
  ],
});
