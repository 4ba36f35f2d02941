import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Page,
  type PageScreenshotOptions,
  type Request,
} from 'playwright-core';
import { beforeTests } from '../support/before-tests.js';
import { shared } from '../support/shared.js';

const SCREENSHOTS = join(import.meta.dirname, 'screenshots');

/** Debian's Chromium, if possible without the windows of a desktop, which need half of the time. */
const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** Chromium without its own conversations with the internet. */
async function launchChromium(): Promise<Browser> {
  const executablePath = [process.env.CHROMIUM ?? installed].flat().find(existsSync);
  if (!executablePath)
    throw new Error('There is no Chromium: apt-get install chromium-headless-shell, or set CHROMIUM.');
  return chromium.launch({
    executablePath,
    args: [
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--disable-gpu',
      '--disable-quic',
      // Chromium's own sandbox refuses root, which is what CI containers run as.
      ...(process.geteuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
}

const oneChromium = shared(launchChromium);

/** The browser that the test files of a folder share; their windows are private ones. */
export const sharedBrowser = (): Browser => beforeTests(oneChromium);

/** A warning of Altair about variables that are being replaced; it comes only if the machine is slow. */
const halfTyped = 'Could not parse JSON. Using default instead.';

/** Chromium now and then cannot take a screenshot on a busy machine; the next attempt succeeds. */
async function takeScreenshot(page: Page, options: PageScreenshotOptions): Promise<void> {
  const failed = (error: Error) => {
    if (!error.message.includes('Unable to capture screenshot')) throw error;
    return page.screenshot(options);
  };
  await page.screenshot(options).catch(failed);
}

/** A window of its own, like a private one. */
export interface Visit {
  page: Page;
  /** Console errors, page errors, failed requests and requests that leave this machine or have an unknown document, as they happen. */
  problems: string[];
  screenshot(name: string, options?: { fullPage?: boolean }): Promise<void>;
  close(): Promise<void>;
  /** Expects that nothing has gone wrong, and closes the window. */
  finish(): Promise<void>;
}

/** Opens a window and notes whatever goes wrong in it. */
export async function visit(browser: Browser, options: BrowserContextOptions = {}): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && message.text() !== halfTyped)
      problems.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`page error: ${error.message}`));
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    if (!['data:', 'blob:'].includes(protocol) && hostname !== '127.0.0.1')
      problems.push(`left: ${request.url()}`);
    const document = documentOf(request);
    // A GRAPHQL_SAFELIST has the documents of the pages (D82). Those of the playground are its user's.
    if (document && !isOfPlayground(request) && !ownDocuments().includes(document))
      problems.push(`not in dist/documents.json: ${document}`);
  });
  context.on('response', (response) => {
    if (response.status() >= 400) problems.push(`${response.status()}: ${response.url()}`);
  });
  if (options.javaScriptEnabled !== false) awaitScript(page);
  return {
    page,
    problems,
    screenshot: (name, options) =>
      takeScreenshot(page, { ...options, path: join(SCREENSHOTS, `${name}.png`) }),
    close: () => context.close(),
    finish: async () => {
      expect(problems).toEqual([]);
      await context.close();
    },
  };
}

const ownDocuments = (): string[] => JSON.parse(readFileSync('dist/documents.json', 'utf8')).web;

const isOfPlayground = (request: Request) => new URL(request.frame().url()).pathname.includes('/playground');

/** Returns the GraphQL document that a page sends. */
function documentOf(request: Request): string | null {
  const { pathname, searchParams } = new URL(request.url());
  if (!/\/graphql(\/stream)?$/.test(pathname)) return null;
  return request.method() === 'POST' ? (request.postDataJSON()?.query ?? null) : searchParams.get('query');
}

/** Lets `goto` and `reload` wait until the script has replaced the page that the service has sent. */
function awaitScript(page: Page): void {
  for (const name of ['goto', 'reload'] as const) {
    const load = page[name].bind(page) as (...values: unknown[]) => ReturnType<Page['goto']>;
    page[name] = async (...values: unknown[]) => {
      const response = await load(...values);
      await page.locator('#page').waitFor({ state: 'detached' });
      return response;
    };
  }
}
