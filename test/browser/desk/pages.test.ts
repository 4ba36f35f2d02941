import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from '../../support/actors.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { startPictureServer } from '../../support/pictures.js';
import { startService } from '../../support/service.js';
import { accessibilityViolations } from '../axe.js';
import { sharedBrowser } from '../chromium.js';
import { aSubmission, deskWindow, withPictures } from '../desk-window.js';

const LONG_NAME =
  'Ein außerordentlich langer Name einer Anwendung mit vielen Silben, der nirgends umbrechen will';
const RIGHT_TO_LEFT = 'متتبع الوقت';

const browser = sharedBrowser();
const service = duringTests(() => startService({ WEB: 'on' }));
const pictures = duringTests(startPictureServer);
const developer = beforeTests(() => service.aDeveloper({ name: RIGHT_TO_LEFT, bio: 'Writes tools.' }));
const approved = beforeTests(() =>
  service.anApp(developer, 'APPROVED', { name: 'Planner', ...withPictures(pictures) }),
);
const pending = beforeTests(() =>
  aSubmission(service, pictures, developer, {
    name: LONG_NAME,
    longDescription: '# What it does\n\nIt **tracks** time.\n\n- One\n- Two',
    websiteUrl: 'https://example.com/a-very-long-address/without/any/place/to/break/it/in/two/at/all',
  }),
);
beforeAll(async () => {
  await service.administer('rejectApp', { id: pending.id, ...rejection(pending.revision) });
  await service.must('updateApp', { id: pending.id, description: 'It says more.' }, developer.token);
  await service.must('submitApp', { id: pending.id }, developer.token);
  await service.must('messageReviewers', { id: pending.id, text: 'I changed it.' }, developer.token);
});

const rejection = (revision: number) => ({
  revision,
  reasons: [{ code: 'INCOMPLETE', field: 'description' }],
  guidance: 'Say more.',
});

describe('the pages of the desk', () => {
  it('verify a developer, suspend them with a reason, and reinstate them', async () => {
    const newcomer = await service.anUnverifiedDeveloper({ name: 'Nia Newcomer' });
    const desk = await deskWindow(browser, service);
    const { page } = desk;
    await desk.open('/developers');
    await page.getByRole('link', { name: 'Nia Newcomer' }).click();
    await desk.heading(/Nia Newcomer/).waitFor();
    await page.getByText('Number 1 in the verification queue').waitFor();
    const confirm = async (name: string, reason?: string) => {
      await page.getByRole('button', { name }).click();
      const dialog = page.getByRole('dialog', { name });
      if (reason) await dialog.getByLabel('Reason').fill(reason);
      await dialog.getByRole('button', { name }).click();
      await dialog.waitFor({ state: 'hidden' });
    };
    await confirm('Verify');
    await page.getByText('Nia Newcomer is verified.').waitFor();
    await confirm('Suspend', 'It sends spam.');
    await page.getByText('Nia Newcomer is suspended.').waitFor();
    await page.getByText('It sends spam.', { exact: true }).waitFor();
    await confirm('Reinstate');
    await page.getByText('Nia Newcomer is reinstated.').waitFor();
    const { status } = await service.administer<Json>('developer', { id: newcomer.id });
    expect(status).toBe('VERIFIED');
    await desk.finish();
  });

  it('find an app, feature it, edit it with a reason, take it down and restore it', async () => {
    const desk = await deskWindow(browser, service);
    const { page } = desk;
    await desk.open('/apps?status=APPROVED');
    await page.getByRole('link', { name: 'Planner' }).click();
    await desk.heading(/Planner/).waitFor();
    const confirm = async (name: string, reason?: string) => {
      await page.getByRole('button', { name, exact: true }).click();
      const dialog = page.getByRole('dialog', { name });
      if (reason) await dialog.getByLabel('Reason').fill(reason);
      await dialog.getByRole('button', { name, exact: true }).click();
    };
    await confirm('Make a staff pick');
    await page.getByRole('heading', { level: 1, name: /Staff pick/ }).waitFor();
    await page.getByRole('button', { name: 'Edit the listing' }).click();
    await page.getByLabel('Short description').fill('It plans well.');
    await page.getByLabel('Reason').fill('A typo.');
    await page.getByRole('button', { name: 'Save the listing' }).click();
    await page.getByRole('paragraph').filter({ hasText: 'It plans well.' }).waitFor();
    await confirm('Take down', 'It misbehaves.');
    await page.getByText('Planner is taken down.').waitFor();
    await confirm('Restore');
    await page.getByText('Planner is restored.').waitFor();
    const app = await service.administer<Json>('adminApp', { id: approved.id });
    expect(app).toMatchObject({ status: 'APPROVED', description: 'It plans well.' });
    await desk.finish();
  });

  it('answer the reports of a rating, hide it with a reason and show it again', async () => {
    const rating = await service.aRating(approved, { rating: 1, title: 'Rude words' });
    const reporter = await service.token('a-reader');
    await service.must('reportRating', { id: rating.id, reason: 'It insults people.' }, reporter);
    const desk = await deskWindow(browser, service);
    const { page } = desk;
    await desk.open('/ratings');
    await page.getByText('It insults people.').waitFor();
    await page.getByRole('button', { name: 'Hide' }).click();
    await page.getByLabel('Reason').fill('Insults.');
    await page.getByLabel('Reason').press('Control+Enter');
    await page.getByText('No rating has open reports.').waitFor();
    await page.getByRole('button', { name: 'Hidden' }).click();
    await page.getByText(/by demo-admin \(you\): Insults\./).waitFor();
    expect(new URL(page.url()).search).toBe('?status=hidden');
    await page.getByRole('button', { name: 'Show again' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Show again' }).click();
    await page.getByText('No rating is hidden.').waitFor();
    await desk.finish();
  });

  it('filter the audit log by the address, and say what an entry changed', async () => {
    const desk = await deskWindow(browser, service);
    const { page } = desk;
    await desk.open(`/audit?app=${pending.id}`);
    await page.getByLabel('Kind').selectOption('App rejected');
    const entries = page.locator('.audit-entry');
    await entries.filter({ hasText: 'submitted' }).first().waitFor({ state: 'detached' });
    await entries.filter({ hasText: 'rejected' }).first().getByRole('button').click();
    await entries.locator('.changes').getByText('Pending → Rejected').waitFor();
    await page.getByRole('button', { name: /^Only / }).click();
    expect(new URL(page.url()).searchParams.get('app')).toBeNull();
    expect(new URL(page.url()).searchParams.get('kind')).toBe('APP_REJECTED');
    await desk.finish();
  });

  it('are accessible in both themes, and fit a narrow screen (D222)', async () => {
    const desk = await deskWindow(browser, service, { width: 390 });
    const { page } = desk;
    const pages: [path: string, shows: string][] = [
      ['', 'Review next'],
      [`/reviews/${pending.id}`, 'I changed it.'],
      [`/apps/${approved.id}`, 'Timeline'],
      [`/apps`, 'Planner'],
      [`/developers/${developer.id}`, 'Profile'],
      ['/developers?status=all', developer.email],
      ['/ratings', 'Reported'],
      ['/audit', 'for review'],
      ['/figures', 'By reviewer'],
    ];
    for (const [path, text] of pages) {
      await desk.open(path);
      await page.getByText(text).first().waitFor();
      if (path.startsWith('/reviews')) await desk.press('r');
      expect({ path, violations: await accessibilityViolations(page) }).toEqual({ path, violations: [] });
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect({ path, overflow }).toEqual({ path, overflow: 0 });
    }
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await desk.finish();
  });
});
