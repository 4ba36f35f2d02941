import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import type { Json } from '../../support/actors.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { until } from '../../support/mail-server.js';
import { startPictureServer } from '../../support/pictures.js';
import { startService } from '../../support/service.js';
import { sharedBrowser } from '../chromium.js';
import { deskWindow, submissions } from '../desk-window.js';

const browser = sharedBrowser();
const service = duringTests(() => startService({ WEB: 'on' }));
const pictures = duringTests(startPictureServer);
const developer = beforeTests(() => service.aDeveloper({ name: 'Ada Lovelace', companyName: 'Engines' }));

const submit = (category: string, ...names: string[]) =>
  submissions(service, pictures, developer, category, ...names);

const statusOf = async (id: string) => (await service.administer<Json>('adminApp', { id })).status;
const becomes = (id: string, status: string) =>
  until(
    async () => (await statusOf(id)) === status,
    () => `the app never became ${status}`,
  );

/** Opens the queue of a category and claims its first submission. */
async function reviewing(category: string, first: string) {
  const desk = await deskWindow(browser, service);
  await desk.open(`?category=${category}`);
  await desk.page.getByRole('link', { name: first }).waitFor();
  await desk.page.keyboard.press('n');
  await desk.heading(first).waitFor();
  return desk;
}

const bar = (page: Page) => page.locator('.decision-bar');

describe('a decision at the desk', () => {
  it('is undone with one key: nothing is sent, and the submission is open again (D370)', async () => {
    const [first] = await submit('FINANCE', 'Ledger', 'Budget');
    const desk = await reviewing('FINANCE', 'Ledger');
    const sent: string[] = [];
    desk.page.on('request', (request) => sent.push(request.postData() ?? ''));
    await desk.press('a');
    await desk.heading('Budget').waitFor();
    await bar(desk.page).getByText('Approving Ledger').waitFor();
    expect(await statusOf(first!.id)).toBe('PENDING');
    await desk.page.keyboard.press('u');
    await desk.heading('Ledger').waitFor();
    await bar(desk.page).waitFor({ state: 'detached' });
    await desk.page.getByText('You have claimed it until').waitFor();
    // Longer than a decision is held.
    await desk.page.waitForTimeout(10_500);
    expect(sent.filter((body) => body.includes('approveApp(')).length).toBe(0);
    expect(await statusOf(first!.id)).toBe('PENDING');
    await desk.finish();
  });

  it('is sent on the next decision, and by itself after ten seconds (D370)', async () => {
    const [first, second] = await submit('BUSINESS', 'Invoices', 'Offers');
    const desk = await reviewing('BUSINESS', 'Invoices');
    await desk.press('a');
    await desk.heading('Offers').waitFor();
    await bar(desk.page).getByText('Approving Invoices').waitFor();
    await desk.press('a');
    await bar(desk.page).getByText('Approving Offers').waitFor();
    await becomes(first!.id, 'APPROVED');
    expect(await statusOf(second!.id)).toBe('PENDING');
    await desk.page.getByText('Offers is approved.').waitFor();
    expect(await statusOf(second!.id)).toBe('APPROVED');
    await desk.page.getByText('No submission in the queue matches these filters.').waitFor();
    await desk.finish();
  });

  it('that the service has not stored yet is not opened again as one that is claimed (D370)', async () => {
    const [first] = await submit('UTILITIES', 'Polls', 'Groups');
    const desk = await reviewing('UTILITIES', 'Polls');
    // The list of claims is read before the first approval is stored, and comes back after it.
    const { promise: read, resolve: noteRead } = Promise.withResolvers<void>();
    await desk.page.route('**/graphql', async (route) => {
      const sent = route.request().postData() ?? '';
      if (sent.includes('DeskOwnClaims')) {
        const response = await route.fetch();
        noteRead();
        await becomes(first!.id, 'APPROVED');
        await desk.page.getByText('Polls is approved.').waitFor();
        return route.fulfill({ response });
      }
      if (sent.includes('DeskApproveApp') && sent.includes(first!.id)) await read;
      return route.continue();
    });
    await desk.press('a');
    await desk.heading('Groups').waitFor();
    await desk.press('a');
    await desk.heading('Queue').waitFor();
    expect(desk.problems).toEqual([]);
    await desk.page.unroute('**/graphql');
    await desk.close();
  });

  it('is sent when the page is left, whole, with its texts (D370)', async () => {
    const [app] = await submit('EDUCATION', 'Flash Cards');
    const desk = await reviewing('EDUCATION', 'Flash Cards');
    await desk.press('r');
    await desk.page.locator('fieldset input:focus').waitFor();
    await desk.page.keyboard.press('1');
    await desk.page.getByLabel('Guidance').fill('One small thing.');
    await desk.page.getByLabel('Guidance').press('Control+Enter');
    await bar(desk.page).getByText('Rejecting Flash Cards').waitFor();
    expect(await statusOf(app!.id)).toBe('PENDING');
    await desk.page.goto('about:blank');
    await becomes(app!.id, 'REJECTED');
    const { rejection } = await service.administer<Json>('adminApp', { id: app!.id });
    expect(rejection).toMatchObject({ guidance: 'One small thing.', reasons: [{ code: 'INCOMPLETE' }] });
    await desk.close();
  });

  it('opens no other submission if it is undone, or the page is left, before the next one is claimed (D370)', async () => {
    await submit('PRODUCTIVITY', 'Daily Notes', 'Weekly Notes');
    const desk = await reviewing('PRODUCTIVITY', 'Daily Notes');
    let answer = () => {};
    await desk.page.route('**/graphql', async (route) => {
      if (!route.request().postData()?.includes('DeskClaimNext')) return route.continue();
      const held = Promise.withResolvers<void>();
      answer = held.resolve;
      await held.promise;
      return route.continue();
    });
    const answered = async () => {
      const released = desk.page.waitForResponse((response) =>
        Boolean(response.request().postData()?.includes('DeskRelease')),
      );
      answer();
      await released;
    };
    await desk.press('a');
    await bar(desk.page).getByText('Approving Daily Notes').waitFor();
    await desk.page.keyboard.press('u');
    await bar(desk.page).waitFor({ state: 'detached' });
    await answered();
    await desk.heading('Daily Notes').waitFor();
    await desk.press('a');
    await bar(desk.page).getByText('Approving Daily Notes').waitFor();
    await desk.page.getByRole('link', { name: 'Audit log' }).click();
    await answered();
    await desk.heading('Audit log').waitFor();
    await desk.finish();
  });

  it('is sent however long its texts are (D370)', async () => {
    const [app] = await submit('COMMUNICATION', 'Many Faults');
    const desk = await reviewing('COMMUNICATION', 'Many Faults');
    await desk.press('r');
    await desk.page.locator('fieldset input:focus').waitFor();
    const useAsReason = desk.page.getByRole('button', { name: 'Use as a reason (Logo)' });
    for (let count = 0; count < 12; count += 1) await useAsReason.click();
    const texts = desk.page.locator('fieldset.reason textarea');
    for (const text of await texts.all()) await text.fill('語'.repeat(2_000));
    await desk.page.getByLabel('Guidance').press('Control+Enter');
    await becomes(app!.id, 'REJECTED');
    await desk.finish();
  });

  it('that the service refuses is named, and opens again with what has changed (D370)', async () => {
    const [app] = await submit('ANALYTICS', 'Workload', 'Velocity', 'Burndown');
    const desk = await reviewing('ANALYTICS', 'Workload');
    await desk.press('a');
    await desk.heading('Velocity').waitFor();
    await service.must('updateApp', { id: app!.id, description: 'Now a casino.' }, developer.token);
    await desk.press('a');
    const refused = desk.page.getByRole('alert').locator('.refused');
    await refused.getByText('Workload was not approved.').waitFor();
    await refused.getByRole('button', { name: 'Open it again' }).click();
    await desk.heading('Workload').waitFor();
    await desk.page.locator('.decision ins').first().waitFor();
    await desk.page.getByRole('button', { name: 'I have seen the current listing' }).click();
    await desk.press('a');
    await desk.page.getByText('Workload is approved.').waitFor();
    await desk.finish();
  });

  it('asks for another key, with the finding in view, if there is a warning or an unanswered message (D370)', async () => {
    const [app] = await submit('DEVELOPER_TOOLS', 'Questionable');
    await service.must('messageReviewers', { id: app!.id, text: 'Is it right?' }, developer.token);
    await service.sql('update apps set logo_url = null where id = $1', [app!.id]);
    const desk = await reviewing('DEVELOPER_TOOLS', 'Questionable');
    await desk.press('a');
    const dialog = desk.page.getByRole('dialog', { name: 'Approve it anyway?' });
    await dialog.getByText('Is it right?').waitFor();
    await dialog.getByText('Logo', { exact: true }).waitFor();
    await desk.page.keyboard.press('a');
    await desk.page.keyboard.press('a');
    expect(await bar(desk.page).count()).toBe(0);
    await desk.page.keyboard.press('y');
    await bar(desk.page).getByText('Approving Questionable').waitFor();
    await desk.page.goto('about:blank');
    await becomes(app!.id, 'APPROVED');
    await desk.finish();
  });

  it('says why the key does nothing in the moment after the submission was opened (D370)', async () => {
    const [app] = await submit('FINANCE', 'Just Opened');
    const desk = await deskWindow(browser, service);
    // Presses the key as soon as the decision is shown.
    await desk.page.addInitScript(`
      const observer = new MutationObserver(() => {
        if (!document.querySelector('.decision')) return;
        observer.disconnect();
        setTimeout(() => document.dispatchEvent(new KeyboardEvent('keydown', { key: 'a' })), 100);
      });
      observer.observe(document, { childList: true, subtree: true });`);
    await desk.open(`/reviews/${app!.id}`);
    await desk.page.locator('.announcements').getByText('has just been opened').waitFor();
    expect(await bar(desk.page).count()).toBe(0);
    await desk.close();
  });

  it('ends the question of a developer: the next version does not ask for an answer again (D370)', async () => {
    const [app] = await submit('AI_ML', 'Answered by Approval');
    await service.must('messageReviewers', { id: app!.id, text: 'Is it right?' }, developer.token);
    const { id, revision } = app!;
    await service.administer('approveApp', { id, revision });
    const change = { appId: id, description: 'Better.' };
    const version = await service.must<Json>('createAppVersion', change, developer.token);
    await service.must('submitAppVersion', { id: version.id }, developer.token);
    const desk = await deskWindow(browser, service);
    await desk.open('?category=AI_ML');
    const row = desk.page.getByRole('row', { name: /Answered by Approval/ });
    await row.waitFor();
    expect(await row.getByText('Unanswered message').count()).toBe(0);
    await row.getByRole('link', { name: 'Answered by Approval' }).click();
    await desk.page.getByRole('region', { name: 'Messages' }).getByText('Is it right?').waitFor();
    expect(await desk.page.getByText('Unanswered message').count()).toBe(0);
    await desk.finish();
  });

  it('stays in view while the column beside the listing scrolls with the page (D370)', async () => {
    const [app] = await submit('EDUCATION', 'Tall Column');
    const desk = await deskWindow(browser, service, { width: 1440 });
    await desk.open(`/reviews/${app!.id}`);
    await desk.heading('Tall Column').waitFor();
    const scrolls = await desk.page
      .locator('.review-side, .review-side > *')
      .evaluateAll((parts) => parts.filter((part) => part.scrollHeight > part.clientHeight + 1).length);
    expect(scrolls).toBe(0);
    await desk.page.getByRole('heading', { name: 'Timeline' }).scrollIntoViewIfNeeded();
    expect(Math.round((await desk.page.locator('.decision').boundingBox())!.y)).toBe(12);
    await desk.screenshot('desk-column-1440');
    await desk.finish();
  });

  it('waits for the pictures of the submission, but not longer than five seconds (D370)', async () => {
    const [app] = await submit('COMMUNICATION', 'Slow Pictures');
    const desk = await deskWindow(browser, service);
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await desk.page.route('**/png/1280x720', async (route) => {
      await released;
      await route.continue();
    });
    await desk.open(`/reviews/${app!.id}`);
    await desk.heading('Slow Pictures').waitFor();
    const approve = desk.page.getByRole('button', { name: /^Approve/ });
    await desk.page.waitForTimeout(2_000);
    expect(await approve.isDisabled()).toBe(true);
    await desk.page.keyboard.press('a');
    expect(await bar(desk.page).count()).toBe(0);
    await desk.page.locator('.announcements').getByText('Waiting for the pictures').waitFor();
    await desk.page.locator('.decision button.primary:enabled').waitFor({ timeout: 6_000 });
    release();
    await desk.close();
  });
});
