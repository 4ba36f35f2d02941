import { describe, expect, it } from '@jest/globals';
import { type Json, unique } from '../../support/actors.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { mayFetch, startPictureServer } from '../../support/pictures.js';
import { type Service, startService } from '../../support/service.js';
import { sharedBrowser } from '../chromium.js';
import { consoleWindow } from '../console-window.js';

const browser = sharedBrowser();
const pictures = duringTests(startPictureServer);
const service = duringTests(() => startService({ WEB: 'on' }, undefined, mayFetch(pictures)));
const developer = beforeTests(() => service.aDeveloper());

/** An app whose pictures the browser can load. */
const anApp = (status: Parameters<Service['anApp']>[1], listing = {}) =>
  service.anApp(developer, status, {
    logoUrl: pictures.url('/png/512x512'),
    screenshots: [{ url: pictures.url('/png/1280x720') }, { url: pictures.url('/png/1280x721') }],
    ...listing,
  });

const ofReviewer = async (...[name, input]: [Parameters<Service['client']['must']>[0], object]) =>
  service.administer<Json>(name, { ...input });

describe('a listing in the console', () => {
  it('tells mistakes at their fields while one types, is submitted, and shows its place live (D226)', async () => {
    const { page, descriptionOf, open, finish } = await consoleWindow(browser, service, developer);
    await open();
    await page.getByRole('link', { name: 'New app' }).click();
    await page.getByLabel('Short description').fill('It lists shopping.');
    await page.getByRole('button', { name: 'Create draft' }).click();
    await page.locator('[aria-invalid]').waitFor();
    expect(await descriptionOf('Name')).toMatch(/^Enter a name\./);
    const name = unique('Shopping');
    await page.getByLabel('Name').fill(name);
    expect(await page.locator('[aria-invalid]').count()).toBe(0);
    await page.getByRole('button', { name: 'Create draft' }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();

    const submit = page.getByRole('button', { name: 'Submit for review' });
    await page.getByText('Add 2 screenshots.').first().waitFor();
    expect(await submit.isDisabled()).toBe(true);
    await page.getByLabel('Website').fill('nonsense');
    await page.getByText('This is not a web address.').first().waitFor();
    expect(await page.getByLabel('Website').getAttribute('aria-invalid')).toBe('true');
    await page.getByLabel('Website').fill('');
    for (const [index, size] of ['800x600', '1280x720'].entries()) {
      await page.getByRole('button', { name: 'Add a screenshot' }).click();
      const field = page.getByLabel(`Screenshot ${index + 1}`, { exact: true });
      // The focus moves after the field is drawn.
      await field.and(page.locator(':focus')).waitFor();
      await field.fill(pictures.url(`/png/${size}`));
    }
    await page.getByText('800×600 does not fit').waitFor();
    await page.getByText('1280×720 ✓ fits').waitFor();
    expect(await descriptionOf('Screenshot 1')).toContain('Use a PNG or JPG of at least 1280×720 pixels.');
    await page.getByLabel('Screenshot 1', { exact: true }).fill(pictures.url('/png/1280x720'));
    expect(await descriptionOf('Screenshot 2')).toContain('This is screenshot 1 again.');
    await page.getByLabel('Screenshot 1', { exact: true }).fill(pictures.url('/png/1920x1080'));
    await page.getByText('1920×1080 ✓ fits').waitFor();
    await page.getByText('Save your changes first.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    // The logo is missing.
    await page.getByText('Saved. Ready, with 1 warning.').waitFor();
    await submit.click();
    const question = page.getByRole('dialog', { name: 'Submit for review?' });
    await question.getByText('Logo:').waitFor();
    await question.getByRole('button', { name: 'Submit anyway' }).click();
    await page.getByText('You are next in the queue.').waitFor();

    const id = page.url().split('/').at(-1)!;
    await ofReviewer('claimReview', { id });
    await page.getByText('A reviewer is looking at it now.').waitFor();
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click();
    await submit.waitFor();
    // What cannot be undone is the last thing on the page.
    expect(await page.locator('aside h2').last().innerText()).toBe('Delete the app');
    await page.getByRole('button', { name: 'Delete the app' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the app' }).click();
    await page.getByRole('heading', { name: 'Your apps' }).waitFor();
    await finish();
  });

  it('keeps what is not saved over a reload, and shows what was changed elsewhere meanwhile (D226)', async () => {
    const { id } = await anApp('DRAFT', { description: 'It tracks.' });
    const { page, open, finish } = await consoleWindow(browser, service, developer);
    await open(`/apps/${id}`);
    const description = page.getByLabel('Short description');
    await description.fill('It tracks time.');
    await page.reload();
    expect(await description.inputValue()).toBe('It tracks time.');
    await page.getByText('Not saved:').waitFor();
    await service.must('updateApp', { id, name: 'Another name' }, developer.token);
    const conflict = page.getByRole('alert');
    await conflict.getByRole('heading', { name: 'The listing was changed elsewhere' }).waitFor();
    expect(await conflict.locator('ins').allInnerTexts()).toEqual(['Another name']);
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Keep my changes' }).click();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Another name');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. Ready to submit.').waitFor();
    expect(await service.must('myApp', { id }, developer.token)).toMatchObject({
      name: 'Another name',
      description: 'It tracks time.',
    });
    await page.getByLabel('Logo').fill('nonsense');
    await description.fill('It tracks all time.');
    await page.keyboard.press('Control+s');
    await page.getByText('Everything else was saved.').waitFor();
    await page.getByLabel('Logo').and(page.locator(':focus')).waitFor();
    expect(await page.locator('.field .wrong').allInnerTexts()).toEqual([
      expect.stringContaining('This is not a web address.'),
    ]);
    // The list says so too, until the text is saved or discarded.
    await open();
    const unsaved = page.getByRole('listitem').filter({ hasText: 'Not saved' });
    await unsaved.getByRole('link').click();
    await page.getByRole('button', { name: 'Discard the changes' }).click();
    await page.getByRole('button', { name: 'Preview in the marketplace' }).click();
    await page.getByRole('article').getByText('It tracks all time.').waitFor();
    await open();
    await page.getByRole('listitem').first().waitFor();
    expect(await unsaved.count()).toBe(0);
    await finish();
  });

  it('has its reasons of rejection ticked off one by one, and a conversation with the reviewers (D226)', async () => {
    const { id, revision } = await anApp('PENDING');
    await ofReviewer('rejectApp', {
      id,
      revision,
      reasons: [
        { code: 'INCOMPLETE', field: 'description', message: 'It says too little.' },
        { code: 'IMAGE_QUALITY', field: 'screenshots.0', message: 'It is blurred.' },
      ],
      guidance: 'Say more.',
    });
    const { page, open, finish } = await consoleWindow(browser, service, developer);
    await open(`/apps/${id}`);
    await page.getByText('Rejected: 0 of 2 reasons addressed').waitFor();
    await page.getByText('Saved. 2 reasons are still open.').waitFor();
    expect(await page.getByText(/Ready|complete/).count()).toBe(0);
    await page.getByText('Say more.').first().waitFor();
    const blurred = page.getByLabel('Screenshot 1: It is blurred.');
    const submit = page.getByRole('button', { name: 'Submit for review' });
    // A click right after a tick must not ask about the state before it.
    let answer = () => {};
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route('**/graphql', async (route) => {
      await answered;
      await route.continue();
    });
    await blurred.click();
    expect(await submit.isDisabled()).toBe(true);
    expect(await blurred.isChecked()).toBe(true);
    answer();
    await page.unroute('**/graphql');
    await page.getByText('Rejected: 1 of 2 reasons addressed').waitFor();
    // A reason leads to its field, also from the preview, and stands there until it is ticked off.
    await page.getByRole('button', { name: 'Preview in the marketplace' }).click();
    await page.getByRole('button', { name: 'Short description', exact: true }).click();
    await page.getByText('From the review: It says too little.').waitFor();
    await page.getByLabel('Short description').and(page.locator(':focus')).waitFor();
    expect(await page.getByText('From the review: It is blurred.').count()).toBe(0);
    const message = page.getByLabel('Message to the reviewers');
    await message.fill('Which product\ndo you mean?');
    await page.reload();
    await page.getByText('Rejected: 1 of 2 reasons addressed').waitFor();
    expect(await message.inputValue()).toBe('Which product\ndo you mean?');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.thread').getByText('Which product').waitFor();
    expect(await message.inputValue()).toBe('');
    await ofReviewer('messageDeveloper', { id, text: 'The second one.' });
    await page.locator('.thread').getByText('The second one.').waitFor();
    await page.locator('.timeline').getByText('App rejected').waitFor();
    // The section about the rejection says what is open; no other one repeats it.
    expect(await page.locator('.steps h2').allInnerTexts()).toEqual(['Rejected: 1 of 2 reasons addressed']);
    await page.getByRole('button', { name: 'Submit for review' }).click();
    const question = page.getByRole('dialog', { name: 'Submit for review?' });
    await question.getByText('1 reason is still open.').waitFor();
    await question.getByRole('button', { name: 'Submit anyway' }).click();
    await page.getByRole('heading', { name: 'Last rejection: 1 of 2 reasons addressed' }).waitFor();
    await page.getByText('the reviewer sees every change that you save').waitFor();
    await page.getByText('Saved. This is what the reviewer sees.').waitFor();
    await finish();
  });

  it('has a new version with its difference, which takes over edits and is submitted (D226)', async () => {
    const { id } = await anApp('APPROVED', { description: 'It tracks time.' });
    const { page, open, finish } = await consoleWindow(browser, service, developer);
    await open(`/apps/${id}`);
    await page.getByRole('link', { name: 'Start a new version' }).click();
    await page.getByRole('button', { name: 'Start a new version' }).click();
    await page
      .getByText('Saved. Change something first: nothing differs from the live listing yet.')
      .waitFor();
    expect(await page.getByRole('button', { name: 'Submit for review' }).isDisabled()).toBe(true);
    await page.getByLabel('Short description').fill('It tracks hours.');
    await page.getByLabel('Screenshot 2', { exact: true }).fill(pictures.url('/png/1920x1080'));
    await page.getByRole('button', { name: 'Save' }).click();
    const difference = page.locator('section').filter({ hasText: 'Changes from the live listing' });
    await difference.getByText('hours').waitFor();
    expect(await difference.locator('del').allInnerTexts()).toEqual(['time']);
    await difference.getByRole('img', { name: 'Screenshots 2, before' }).waitFor();
    await difference.getByRole('img', { name: 'Screenshots 2, after' }).waitFor();
    expect(await difference.getByText(pictures.url('')).count()).toBe(0);
    await ofReviewer('editApp', { id, description: 'It tracks minutes.', reason: 'Clearer.' });
    const edited = page.locator('.note.warn');
    await edited.getByText('Live now: It tracks minutes.').waitFor();
    await edited.getByRole('button', { name: 'Include these edits' }).click();
    await edited.getByRole('button').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Submit for review' }).click();
    const confirmation = page.getByRole('dialog', { name: 'Submit for review?' });
    await confirmation.getByText('it replaces the live listing').waitFor();
    await confirmation.getByRole('button', { name: 'Submit', exact: true }).click();
    await page.getByRole('heading', { name: 'In review', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Discard the version' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard the version' }).click();
    await page.getByRole('heading', { name: 'Change what people see' }).waitFor();
    await finish();
  });

  it('has charts with a table, the range in the address, and ratings with replies (D226)', async () => {
    const app = await anApp('APPROVED');
    for (const installationId of ['one', 'two', 'one'])
      await service.must('recordInstall', { slug: app.slug, installationId });
    await service.aRating(app, { rating: 4, title: 'Nice', text: 'It works.' });
    const { page, open, finish } = await consoleWindow(browser, service, developer);
    await open(`/apps/${app.id}/analytics?days=7`);
    const today = new Date().toISOString().slice(0, 10);
    const table = page.getByRole('table', { name: 'Installs' });
    await table.getByRole('row', { name: `${today}, so far · Published 2 2` }).waitFor();
    expect(await table.getByRole('row').count()).toBe(8);
    await page.locator('.chart canvas').first().waitFor();
    await page.getByLabel('Group by').selectOption('MONTH');
    await page.waitForURL(/days=7&bucket=MONTH/);
    await page.getByRole('button', { name: 'Reply' }).click();
    await page.getByLabel('Your public reply').fill('Thank you!');
    await page.getByRole('button', { name: 'Publish the reply' }).click();
    await page.locator('blockquote').getByText('Thank you!').waitFor();
    const draft = await anApp('DRAFT');
    await open(`/apps/${draft.id}/analytics`);
    await page.getByRole('heading', { name: 'No figures yet' }).waitFor();
    expect(await page.locator('.chart').count()).toBe(0);
    await finish();
  });
});
