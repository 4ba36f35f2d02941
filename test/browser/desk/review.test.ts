import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../support/actors.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { until } from '../../support/mail-server.js';
import { startPictureServer } from '../../support/pictures.js';
import { startService } from '../../support/service.js';
import { becomesOverdue } from '../../support/workers.js';
import { sharedBrowser } from '../chromium.js';
import { ADMINISTRATOR, deskWindow, submissions, withPictures } from '../desk-window.js';

const browser = sharedBrowser();
const service = duringTests(() => startService({ WEB: 'on' }));
const pictures = duringTests(startPictureServer);
const developer = beforeTests(() => service.aDeveloper({ name: 'Ada Lovelace', companyName: 'Engines' }));

const submit = (category: string, ...names: string[]) =>
  submissions(service, pictures, developer, category, ...names);

interface QueueJson {
  edges: { node: { app: { name: string }; claim: { by: string } | null } }[];
}

const statusOf = async (id: string) => (await service.administer<Json>('adminApp', { id })).status;

describe('a review at the desk', () => {
  it('approves with one key and goes straight on to the next one, until nothing is left (D220)', async () => {
    const [first, second] = await submit('FINANCE', 'Ledger', 'Budget');
    const desk = await deskWindow(browser, service);
    await desk.open('?category=FINANCE');
    await desk.heading('Queue').waitFor();
    await desk.page.keyboard.press('n');
    await desk.heading('Ledger').waitFor();
    await desk.page.getByText('You have claimed it until').waitFor();
    await desk.press('a');
    await desk.heading('Budget').waitFor();
    await desk.page.getByText('Next: Budget.').waitFor();
    await desk.page.locator(':focus', { hasText: /^Budget$/ }).waitFor();
    await desk.press('a');
    await desk.page.getByText('No other submission is waiting for you.').waitFor();
    await desk.page.getByText('Budget is approved.').waitFor();
    expect(await statusOf(first!.id)).toBe('APPROVED');
    await desk.page.getByText('No submission in the queue matches these filters.').waitFor();
    expect(await statusOf(second!.id)).toBe('APPROVED');
    await desk.finish();
  });

  it('opens one’s own claims first, and releases at the queue what one has not begun (D220)', async () => {
    const [parked] = await submit('OTHER', 'Parked', 'Second', 'Third');
    const desk = await deskWindow(browser, service);
    const { page } = desk;
    await desk.open(`/reviews/${parked!.id}?category=OTHER`);
    await desk.heading('Parked').waitFor();
    await page.keyboard.press('c');
    await page.getByText('You have claimed it until').waitFor();
    await desk.open('?category=OTHER');
    await page.getByRole('link', { name: 'Parked' }).waitFor();
    for (const name of ['Parked', 'Second', 'Third']) {
      await page.keyboard.press('n');
      await desk.heading(name).waitFor();
    }
    await page.getByText('Add a note').click();
    await page.getByLabel('Note to the developer').fill('Nice.');
    await page.getByLabel('Note to the developer').blur();
    await page.keyboard.press('q');
    await page.getByText('Your unused claims were released.').waitFor();
    const { edges } = await service.administer<QueueJson>('reviewQueue', { category: 'OTHER' });
    expect(edges.map(({ node }) => [node.app.name, node.claim?.by ?? null])).toEqual([
      ['Parked', ADMINISTRATOR],
      ['Second', null],
      ['Third', ADMINISTRATOR],
    ]);
    await desk.finish();
  });

  it('releases what it has claimed by itself when one leaves for another page or another site, but not what one has claimed (D220)', async () => {
    await submit('ANALYTICS', 'Decided', 'Left', 'Asked For');
    const claims = async () => {
      const { edges } = await service.administer<QueueJson>('reviewQueue', { category: 'ANALYTICS' });
      return edges.map(({ node }) => [node.app.name, node.claim?.by ?? null]);
    };
    const desk = await deskWindow(browser, service);
    const { page } = desk;
    await desk.open('?category=ANALYTICS');
    await page.getByRole('link', { name: 'Decided' }).waitFor();
    await page.keyboard.press('n');
    await desk.heading('Decided').waitFor();
    await desk.press('a');
    await desk.heading('Left').waitFor();
    await page.getByText('You have claimed it until').waitFor();
    await page.getByRole('navigation').getByRole('link', { name: 'Figures' }).click();
    await page.getByText('Your unused claims were released.').waitFor();
    await page.getByText('Decided is approved.').waitFor();
    expect(await claims()).toEqual([
      ['Left', null],
      ['Asked For', null],
    ]);

    await desk.open('?category=ANALYTICS');
    await page.getByRole('link', { name: 'Left' }).waitFor();
    for (const name of ['Left', 'Asked For']) {
      await page.keyboard.press('n');
      await desk.heading(name).waitFor();
      await page.getByText('You have claimed it until').waitFor();
    }
    await page.keyboard.press('c');
    await page.getByText('The claim is renewed.').waitFor();
    expect(await claims()).toEqual([
      ['Left', ADMINISTRATOR],
      ['Asked For', ADMINISTRATOR],
    ]);
    await page.goto('about:blank');
    await until(
      async () => (await claims())[0]?.[1] === null,
      () => 'the claim was never released',
    );
    expect(await claims()).toEqual([
      ['Left', null],
      ['Asked For', ADMINISTRATOR],
    ]);
    await desk.close();
  });

  it('shows a question of the developer in the queue and beside the decision', async () => {
    const [app] = await submit('DEVELOPER_TOOLS', 'Questionable');
    await service.must('messageReviewers', { id: app!.id, text: 'Is it right?' }, developer.token);
    const desk = await deskWindow(browser, service);
    await desk.open('?category=DEVELOPER_TOOLS');
    await desk.page
      .getByRole('row', { name: /Questionable/ })
      .getByText('Unanswered message')
      .waitFor();
    await desk.open(`/reviews/${app!.id}`);
    await desk.page.locator('.decision').getByText('Unanswered message').waitFor();
    await desk.page.getByLabel('Message to the developer').fill('It is.');
    await desk.page.getByRole('button', { name: 'Send' }).click();
    await desk.page.getByText('Unanswered message').waitFor({ state: 'detached' });
    await desk.finish();
  });

  it('says which pictures only the browser could not load, and keeps the button to reject in view', async () => {
    const [app] = await submit('UTILITIES', 'Broken');
    const desk = await deskWindow(browser, service);
    const { page } = desk;
    await page.route('**/png/**', (route) => route.abort());
    await desk.open(`/reviews/${app!.id}`);
    await page.getByText('Your browser cannot load it').first().waitFor();
    await page.getByText('Pictures and links have not been checked yet.').waitFor();
    await desk.press('r');
    await page.locator('fieldset input:focus').waitFor();
    for (const key of ['1', '4', '5']) await page.keyboard.press(key);
    await page.getByRole('group', { name: /^Image quality/ }).waitFor();
    const reject = (await page.getByRole('button', { name: 'Reject' }).boundingBox())!;
    expect(reject.y + reject.height).toBeLessThanOrEqual(860);
    await desk.close();
  });

  it('rejects with two reasons whose texts were edited; the draft survives a reload (D220)', async () => {
    const [app] = await submit('EDUCATION', 'Flash Cards');
    const desk = await deskWindow(browser, service);
    const { page } = desk;
    await desk.open(`/reviews/${app!.id}?category=EDUCATION`);
    await desk.heading('Flash Cards').waitFor();
    await desk.press('r');
    await page.locator('fieldset input:focus').waitFor();
    await page.keyboard.press('1');
    await page.keyboard.press('4');
    const incomplete = page.getByRole('group', { name: /^Incomplete/ });
    await incomplete.getByLabel('Text').fill('Say who the cards are for.');
    await incomplete.getByLabel('About').selectOption('Short description');
    const images = page.getByRole('group', { name: /^Image quality/ });
    await images.getByLabel('About').selectOption('Screenshot 2');
    await page.getByLabel('Guidance').fill('Two small things.');
    await page.reload();
    expect(await incomplete.getByLabel('Text').inputValue()).toBe('Say who the cards are for.');
    expect(await page.getByLabel('Guidance').inputValue()).toBe('Two small things.');
    await page.getByLabel('Guidance').press('Control+Enter');
    await page.getByText('Flash Cards is rejected.').waitFor();
    const { rejection } = await service.administer<Json>('adminApp', { id: app!.id });
    expect(rejection).toMatchObject({
      guidance: 'Two small things.',
      reasons: [
        { code: 'INCOMPLETE', field: 'description', message: 'Say who the cards are for.' },
        {
          code: 'IMAGE_QUALITY',
          field: 'screenshots.1.url',
          message: expect.stringContaining('sharp image'),
        },
      ],
    });
    expect(
      await page.evaluate('Object.keys(localStorage).filter((key) => !/^demo-account/.test(key))'),
    ).toEqual([]);
    await desk.finish();
  });

  it('shows pictures with their measured sizes and takes a broken rule over as a reason', async () => {
    const [app] = await submit('UTILITIES', 'Renamer');
    const desk = await deskWindow(browser, service);
    await desk.open(`/reviews/${app!.id}`);
    expect(
      await desk.page
        .getByRole('link', { name: /^Queue/ })
        .first()
        .getAttribute('aria-current'),
    ).toBe('true');
    const second = desk.page.getByRole('figure').filter({ hasText: 'Screenshot 2' });
    await second.scrollIntoViewIfNeeded();
    await second.getByText('800 × 600').waitFor();
    await second.getByText('Wrong size').waitFor();
    await desk.page.getByRole('figure').filter({ hasText: 'Screenshot 1' }).getByText('Good size').waitFor();
    await second.getByRole('button', { name: 'Use as a reason' }).click();
    const reason = desk.page.getByRole('group', { name: /^Image quality/ });
    expect(await reason.getByLabel('Text').inputValue()).toContain('800 × 600');
    expect(await reason.getByLabel('About').inputValue()).toBe('screenshots.1.url');
    await desk.finish();
  });

  it('tells the slower of two reviewers who has claimed it (D220)', async () => {
    const [app] = await submit('COMMUNICATION', 'Chat Bridge');
    const one = await deskWindow(browser, service);
    const other = await deskWindow(browser, service, { account: 'second-admin' });
    for (const { open, heading } of [one, other]) {
      await open(`/reviews/${app!.id}`);
      await heading('Chat Bridge').waitFor();
    }
    await Promise.all([one.page.keyboard.press('c'), other.page.keyboard.press('c')]);
    const mine = (page: typeof one.page) => page.getByText('You have claimed it until');
    const theirs = (page: typeof one.page) => page.getByText(/(demo|second)-admin has claimed it/);
    for (const { page } of [one, other]) await mine(page).or(theirs(page)).waitFor();
    const winners = await Promise.all([one, other].map(({ page }) => mine(page).isVisible()));
    expect(winners.filter(Boolean)).toHaveLength(1);
    const loser = winners[0] ? other : one;
    await loser.page.getByText('To decide yourself, press “Take over” first.').waitFor();
    expect(await loser.page.getByText(/takeOver|T\d\d:\d\d/).count()).toBe(0);
    expect(await loser.page.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true);
    for (const key of ['a', 'r']) {
      await loser.page.keyboard.press(key);
      await loser.page.locator('.announcements').getByText('press “Take over” first').last().waitFor();
    }
    await loser.page.getByRole('button', { name: 'Take over' }).click();
    await loser.page.getByRole('dialog').getByRole('button', { name: 'Take it over' }).click();
    await mine(loser.page).waitFor();
    await theirs((winners[0] ? one : other).page).waitFor();
    await (winners[0] ? one : other).page.getByText('has taken over this review').waitFor();
    await one.finish();
    await other.finish();
  });

  it('explains before one tries that another administrator must decide on one’s own app', async () => {
    const token = await service.token(ADMINISTRATOR);
    const profile = { accountUserId: ADMINISTRATOR, name: 'Myself', email: 'myself@example.com' };
    const { id } = await service.must<Json>('registerDeveloper', profile, token);
    await service.administer('verifyDeveloper', { id });
    const own = { ...developer, id, token, accountUserId: ADMINISTRATOR };
    const app = await service.anApp(own, 'PENDING', { name: 'My Own', ...withPictures(pictures) });
    const desk = await deskWindow(browser, service);
    await desk.open(`/reviews/${app.id}`);
    await desk.heading('My Own').waitFor();
    await desk.page.getByText('This app is your own: another administrator must do this.').first().waitFor();
    expect(await desk.page.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true);
    expect(await desk.page.getByRole('button', { name: 'Reject' }).isDisabled()).toBe(true);
    await desk.page.keyboard.press('a');
    expect(await statusOf(app.id)).toBe('PENDING');
    await desk.finish();
  });

  it('approves nothing unseen: a change during the review is shown first (D221)', async () => {
    const [app] = await submit('ANALYTICS', 'Workload');
    const desk = await deskWindow(browser, service);
    await desk.open(`/reviews/${app!.id}?category=ANALYTICS`);
    await desk.heading('Workload').waitFor();
    await service.must(
      'updateApp',
      { id: app!.id, description: 'It now does something else.' },
      developer.token,
    );
    await desk.page.getByText('The listing was changed while you were reading it.').waitFor();
    await desk.press('a');
    await desk.page.locator('.decision ins').first().waitFor();
    expect(await statusOf(app!.id)).toBe('PENDING');
    await desk.page.getByRole('button', { name: 'I have seen the current listing' }).click();
    await desk.press('a');
    await desk.page.getByText('Workload is approved.').waitFor();
    await desk.finish();
  });

  it('offers to rebase a version whose app was edited meanwhile, and shows the differences', async () => {
    const app = await service.anApp(developer, 'APPROVED', { name: 'Planner', ...withPictures(pictures) });
    const version = await service.must<Json>(
      'createAppVersion',
      { appId: app.id, description: 'It plans even more.' },
      developer.token,
    );
    await service.must('submitAppVersion', { id: version.id }, developer.token);
    await service.administer('editApp', { id: app.id, description: 'It plans.', reason: 'A typo.' });
    const desk = await deskWindow(browser, service);
    await desk.open(`/reviews/${version.id}?versions=true`);
    await desk.heading('Planner').waitFor();
    await desk.page.getByRole('button', { name: 'Include the live changes' }).click();
    await desk.page
      .getByRole('heading', { name: /Changed by the developer and by an administrator/ })
      .waitFor();
    await desk.page.getByRole('button', { name: 'I have seen the current listing' }).click();
    await desk.press('a');
    await desk.page.getByText('Planner is approved.').waitFor();
    await desk.finish();
  });
});

describe('the queue', () => {
  it('is live, and is used by keyboard alone: select, open, back, and the list of keys', async () => {
    const desk = await deskWindow(browser, service);
    const { page } = desk;
    await desk.open('?category=AI_ML');
    await page.getByText('No submission in the queue matches these filters.').waitFor();
    await submit('AI_ML', 'Summary', 'Finder');
    await page.getByRole('link', { name: 'Finder' }).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.locator(':focus', { hasText: /^Summary$/ }).waitFor();
    await page.keyboard.press('Enter');
    await desk.heading('Summary').waitFor();
    await page.keyboard.press('q');
    await desk.heading('Queue').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await desk.finish();
  });

  it('keeps its filters in the address, and marks what is overdue and claimed', async () => {
    const [late] = await submit('BUSINESS', 'Late', 'Early');
    await becomesOverdue(service, late!.id);
    const desk = await deskWindow(browser, service);
    const { page } = desk;
    await desk.open('?category=BUSINESS');
    await page.getByRole('link', { name: 'Early' }).waitFor();
    await page.getByRole('button', { name: /^Overdue/ }).click();
    await page.getByRole('link', { name: 'Early' }).waitFor({ state: 'hidden' });
    await page.getByRole('row', { name: /Late/ }).getByText('Overdue by').waitFor();
    expect(new URL(page.url()).search).toBe('?category=BUSINESS&overdue=true');
    await service.administer('claimReview', { id: late!.id });
    await page.getByRole('row', { name: /the-administrator/ }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: /^Overdue/, pressed: true }).waitFor();
    await page.getByRole('row', { name: /Late/ }).waitFor();
    await page.getByRole('button', { name: 'Mine' }).click();
    await page.getByText('No submission in the queue matches these filters.').waitFor();
    await desk.finish();
  });

  it('tells somebody who is not an administrator so', async () => {
    const desk = await deskWindow(browser, service, { account: 'somebody', admin: false });
    await desk.heading('You are not an administrator').waitFor();
    // Its pages would say the same.
    await desk.page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'detached' });
    await desk.finish();
  });
});
