import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Json, unique } from '../../support/actors.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { startPictureServer } from '../../support/pictures.js';
import { startService } from '../../support/service.js';
import { accessibilityViolations } from '../axe.js';
import { sharedBrowser } from '../chromium.js';
import { deskWindow, withPictures } from '../desk-window.js';

const browser = sharedBrowser();
const service = duringTests(() => startService({ WEB: 'on' }));
const pictures = duringTests(startPictureServer);
const developer = beforeTests(() => service.aDeveloper({ name: 'Ada Lovelace', companyName: 'Engines' }));
beforeAll(async () => {
  await service.aDeveloper({ name: 'Grace Hopper' });
});

describe('the desk', () => {
  it('searches while one types', async () => {
    const desk = await deskWindow(browser, service);
    const { page } = desk;
    await desk.open('/developers?status=VERIFIED');
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor();
    const entries = await page.evaluate('history.length');
    const filter = page.getByLabel('Name, company or e-mail');
    await filter.pressSequentially('ada ', { delay: 40 });
    await page.getByRole('link', { name: 'Grace Hopper' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Ada Lovelace' }).waitFor();
    expect(new URL(page.url()).searchParams.get('search')).toBe('ada');
    await filter.pressSequentially('lovel', { delay: 40 });
    await page.waitForURL((url) => url.searchParams.get('search') === 'ada lovel');
    await filter.blur();
    expect(await filter.inputValue()).toBe('ada lovel');
    expect(await page.evaluate('history.length')).toBe(entries);
    await desk.finish();
  });

  it('shows pictures of a new version before and after, side by side', async () => {
    const app = await service.anApp(developer, 'APPROVED', {
      ...withPictures(pictures),
      name: unique('Planner'),
    });
    const version = await service.must<Json>(
      'createAppVersion',
      { appId: app.id, logoUrl: pictures.url('/png/1024x1024') },
      developer.token,
    );
    await service.must('submitAppVersion', { id: version.id }, developer.token);
    const desk = await deskWindow(browser, service);
    await desk.open(`/reviews/${version.id}?versions=true`);
    const logo = desk.page.getByRole('region', { name: 'Logo' });
    const sources = () =>
      logo.getByRole('img').evaluateAll((images) => images.map((image) => image.getAttribute('src')));
    await logo.getByRole('img').nth(1).waitFor();
    expect(await sources()).toEqual([pictures.url('/png/512x512'), pictures.url('/png/1024x1024')]);
    expect(await accessibilityViolations(desk.page)).toEqual([]);
    await desk.screenshot('desk-pictures-before-after');
    await desk.finish();
  });

  it('has exact times and grouped kinds in the audit log', async () => {
    const desk = await deskWindow(browser, service);
    await desk.open('/audit');
    await desk.page.locator('main time').first().waitFor();
    expect(await desk.page.locator('main time').first().innerText()).toMatch(/^\d\d:\d\d$/);
    expect(await desk.page.locator('main .audit-day > p').first().innerText()).toMatch(/ \d{1,2}, \d{4}$/);
    const groups = await desk.page
      .getByLabel('Kind')
      .locator('optgroup')
      .evaluateAll((found) => found.map((group) => group.getAttribute('label')));
    expect(groups).toEqual(
      expect.arrayContaining(['App', 'Developer', 'Key', 'Rating', 'Review', 'Version']),
    );
    // The names are those of the webhooks' events; messages are told from the administrators' side.
    const names = await desk.page.getByLabel('Kind').locator('option').allInnerTexts();
    expect(names.filter((name) => /app taken down|staff pick|pipeline|message/i.test(name))).toEqual([
      'App made a staff pick',
      'App taken down',
      'App removed from staff picks',
      'Pipeline trusted',
      'Pipeline got a key',
      'Pipeline no longer trusted',
      'Message to a developer',
      'Message to the reviewers',
    ]);
    expect(new Set(names).size).toBe(names.length);
    await desk.finish();
  });

  it('says in sentences what happened, with names and links, in the audit log and in the figures', async () => {
    const eve = await service.aDeveloper({ name: 'Eve Sentences' });
    const app = await service.anApp(eve, 'PENDING', {
      ...withPictures(pictures),
      name: 'Sentence Maker',
    });
    const desk = await deskWindow(browser, service);
    const { page } = desk;
    // Another administrator decides, whose name is known from the token.
    const rosa = await service.token('second-admin', { admin: true, name: 'Rosa Reviewer' });
    await service.must('approveApp', { id: app.id, revision: app.revision }, rosa);
    await desk.open(`/audit?app=${app.id}`);
    const entries = page.locator('main .entries > li p:first-child');
    await entries.first().waitFor();
    const sentences = await entries.allInnerTexts();
    expect(sentences).toEqual([
      'Rosa Reviewer approved Sentence Maker of Eve Sentences',
      'Eve Sentences submitted Sentence Maker for review',
      'Eve Sentences created the app Sentence Maker',
    ]);
    await desk.screenshot('desk-audit-sentences');
    await page.getByRole('link', { name: 'Sentence Maker' }).first().click();
    await desk.heading('Sentence Maker').waitFor();
    await desk.open('/figures');
    await page.getByRole('rowheader', { name: 'Rosa Reviewer' }).waitFor();
    await desk.finish();
  });
});
