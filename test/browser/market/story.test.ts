import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { duringTests } from '../../support/before-tests.js';
import { startService } from '../../support/service.js';
import { sharedBrowser, type Visit, visit } from '../chromium.js';

let developer: Visit;
let reviewer: Visit;
let user: Visit;
const browser = sharedBrowser();
const service = duringTests(() => startService({ WEB: 'on', WORKER: 'inline' }));
beforeAll(async () => {
  [developer, reviewer, user] = await Promise.all([visit(browser), visit(browser), visit(browser)]);
  for (const { page } of [developer, reviewer, user]) page.setDefaultTimeout(20_000);
});

/** Opens an area and signs in with one click. */
async function enter({ page }: Visit, path: string, account: RegExp): Promise<void> {
  await page.goto(service.url + path);
  await page.getByRole('button', { name: account }).click();
  await page.getByRole('button', { name: 'Account menu' }).waitFor();
}

const text = (page: Page, words: string | RegExp) => page.getByText(words).first().waitFor();
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
/** Submits a listing without warnings. */
async function submit(page: Page): Promise<void> {
  await button(page, 'Submit for review');
  await page.getByRole('dialog').getByRole('button', { name: 'Submit', exact: true }).click();
}
const picture = (name: string) => `${service.url}/dev/pictures/${name}.png`;

const APP = 'Sprint Bells';

/** A part of the story. Each goes on where the one before has ended, so that the first failure is the only one. */
let hasFailed = false;
const part = (name: string, act: () => Promise<void> | void) =>
  it(name, async () => {
    if (hasFailed) throw new Error('a part before this one has failed');
    hasFailed = true;
    await act();
    hasFailed = false;
  });

describe('from a registration to a moving chart', () => {
  part('a newcomer registers, and is told where the verification stands', async () => {
    const { page } = developer;
    await enter(developer, '/console', /newcomer/i);
    await page.getByLabel('E-mail address').fill('nia@example.com');
    await button(page, 'Register');
    await text(page, /next in the queue|Place 1/);
  });

  part('an administrator verifies the newcomer at the desk', async () => {
    const { page } = reviewer;
    await enter(reviewer, '/desk', /^Administrator|Demo administrator/);
    await page.getByRole('link', { name: /^Developers/ }).click();
    await page.getByRole('link', { name: /Nia Newcomer/ }).click();
    await button(page, 'Verify');
    await page.getByRole('dialog').getByRole('button', { name: 'Verify' }).click();
    await text(page, /is verified/);
  });

  part('the developer makes a key, which is shown once', async () => {
    const { page } = developer;
    await page.goto(`${service.url}/console/keys`);
    await page.getByRole('heading', { name: 'Create a key' }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('CI pipeline');
    await button(page, 'Create the key');
    await page.getByRole('dialog').getByText(/^mkt_/).waitFor();
    await button(page, 'I have stored it');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.getByText(/mkt_\w{20}/).count()).toBe(0);
  });

  part('writes a listing with a mistake, is told, mends it and submits it', async () => {
    const { page } = developer;
    await page.goto(`${service.url}/console/new`);
    await page.getByLabel('Name', { exact: true }).fill(APP);
    await page.getByLabel('Short description').fill('Rings a bell when a sprint ends.');
    await button(page, 'Create draft');
    await page.getByRole('heading', { level: 1, name: APP }).waitFor();
    await text(page, 'Add 2 screenshots.');
    await page.getByLabel(/^Logo/).fill(picture('time-tracker/logo'));
    await button(page, 'Add a screenshot');
    await page.getByLabel('Screenshot 1', { exact: true }).fill(picture('time-tracker/screen-1'));
    await button(page, 'Add a screenshot');
    await page.getByLabel('Screenshot 2', { exact: true }).fill(picture('time-tracker/screen-2'));
    await button(page, 'Save');
    await text(page, 'Saved. Ready to submit.');
    // Another submission is ahead.
    await service.anApp(await service.aDeveloper(), 'PENDING', {
      logoUrl: picture('activity-monitor/logo'),
      screenshots: ['screen-1', 'screen-2'].map((name) => ({ url: picture(`time-tracker/${name}`) })),
    });
    await service.sql(
      "update submissions set queued_at = queued_at - interval '1 hour' where ended_at is null",
    );
    await submit(page);
    await text(page, /Place 2 in the queue: 1 before you/);
  });

  part('watches the place move while the reviewer works', async () => {
    const { page } = reviewer;
    await page.goto(`${service.url}/desk`);
    await page.getByRole('row').nth(1).waitFor();
    await page.keyboard.press('n');
    await page.getByRole('button', { name: /^Approve/ }).waitFor();
    await pressApprove(page);
    await page.getByRole('heading', { name: APP }).first().waitFor();
    await text(developer.page, 'A reviewer is looking at it now.');
  });

  part('the reviewer rejects with two reasons', async () => {
    const { page } = reviewer;
    await page.keyboard.press('r');
    const form = page.getByRole('form', { name: 'Rejection' });
    await form.getByLabel(/^Incomplete/).check();
    await form.getByLabel(/^Image quality/).check();
    await form.getByLabel('Text').first().fill('Say which calendars it knows.');
    await form.getByLabel('Guidance').fill('Mend both, then submit again.');
    await page.keyboard.press('Control+Enter');
    await text(page, `Rejecting ${APP}`);
    await text(page, `${APP} is rejected.`);
  });

  part('the developer ticks the reasons off, writes a message and submits again', async () => {
    const { page } = developer;
    await text(page, 'Rejected: 0 of 2 reasons addressed');
    await text(page, 'Say which calendars it knows.');
    await page.getByRole('checkbox').nth(0).check();
    await text(page, 'Rejected: 1 of 2 reasons addressed');
    await page.getByRole('checkbox').nth(1).check();
    await text(page, 'Rejected: 2 of 2 reasons addressed');
    await page.getByLabel('Message to the reviewers').fill('Both are mended. Thank you!');
    await button(page, 'Send');
    await page.getByLabel('Short description').fill('Rings a bell when a sprint ends, in every calendar.');
    await button(page, 'Save');
    await text(page, 'Saved. Ready to submit.');
    await submit(page);
    await text(page, 'You are next in the queue.');
  });

  part('is approved, although a message is not answered', async () => {
    const { page } = reviewer;
    await page.goto(`${service.url}/desk`);
    await page.getByRole('row').nth(1).waitFor();
    await page.keyboard.press('n');
    await text(page, 'Both are mended. Thank you!');
    await pressApprove(page);
    // The message has no answer.
    await page.getByRole('dialog', { name: 'Approve it anyway?' }).waitFor();
    await page.keyboard.press('y');
    await text(page, `${APP} is approved.`);
    await text(developer.page, /Approved/);
  });

  part('is in the storefront, where it is installed and rated', async () => {
    const { page } = user;
    await page.goto(`${service.url}/market`);
    await page.getByRole('link', { name: APP }).first().click();
    await page.getByRole('heading', { level: 1, name: APP }).waitFor();
    await button(page, 'Install');
    await page.locator('.install').getByText('Installed').waitFor();
    await page.getByLabel(/5 stars|^5/).check({ force: true });
    await button(page, 'Sign in to rate');
    await button(page, /^Demo developer|^Developer with apps/);
    // The form of before the sign-in has this field too.
    await page.getByRole('button', { name: 'Rate', exact: true }).waitFor();
    await page.getByLabel('Headline').fill('It rings');
    await button(page, 'Rate');
    await text(page, 'It rings');
  });

  part('and the chart of the developer moves', async () => {
    const { page } = developer;
    await page.getByRole('link', { name: 'Analytics' }).click();
    const today = new Date().toISOString().slice(0, 10);
    await page.locator('table', { hasText: today }).first().waitFor({ state: 'attached' });
    const row = page.locator('tr', { hasText: today }).first();
    expect(await row.textContent()).toContain('1');
  });

  part('without an error in a console, a failed request, or a request that leaves the machine', () => {
    expect({
      developer: developer.problems,
      reviewer: reviewer.problems,
      user: user.problems,
    }).toEqual({ developer: [], reviewer: [], user: [] });
  });
});

/** Approves the submission that is shown. The button wakes up a moment after the submission has appeared. */
async function pressApprove(page: Page): Promise<void> {
  await page.locator('button:enabled', { hasText: 'Approve' }).waitFor();
  await page.keyboard.press('a');
}
