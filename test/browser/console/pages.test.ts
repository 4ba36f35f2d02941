import { beforeAll, describe, expect, it } from '@jest/globals';
import { aListing, type Json, unique } from '../../support/actors.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { startPictureServer } from '../../support/pictures.js';
import { startService } from '../../support/service.js';
import { accessibilityViolations } from '../axe.js';
import { sharedBrowser } from '../chromium.js';
import { consoleWindow } from '../console-window.js';

/** The pages, each with its main heading. */
const pages: [path: string, heading: string | RegExp][] = [
  ['', 'Your apps'],
  ['/new', 'New app'],
  ['/keys', 'API keys'],
  ['/webhooks', 'Webhooks'],
  ['/profile', 'Profile'],
  ['/nowhere', 'Page not found'],
];
const LONG_NAME = 'Ein überausführlicherNameOhneEinzigesLeerzeichenDerSichNichtUmbrechenLässt متتبع الوقت';

const browser = sharedBrowser();
const pictures = duringTests(startPictureServer);
const service = duringTests(() => startService({ WEB: 'on' }));
const developer = beforeTests(() => service.aDeveloper());
beforeAll(async () => {
  const listing = {
    ...aListing(),
    logoUrl: pictures.url('/png/512x512'),
    screenshots: [{ url: pictures.url('/png/1280x720') }, { url: pictures.url('/png/800x600') }],
  };
  const draft = await service.anApp(developer, 'DRAFT', { ...listing, name: LONG_NAME });
  const rejected = await service.anApp(developer, 'REJECTED', listing);
  const approved = await service.anApp(developer, 'APPROVED', { ...listing, name: unique('Approved') });
  await service.must('createAppVersion', { appId: approved.id, name: 'Renamed' }, developer.token);
  await service.aRating(approved, { title: 'Nice' });
  const { id } = await service.must<Json>(
    'createWebhookEndpoint',
    { url: 'https://hooks.example/' },
    developer.token,
  );
  const key = await service.anIssuedKey(developer);
  await service.must('updateMe', { companyName: 'Changed by a key' }, key.key);
  await service.must('reportLeakedKey', { key: key.key });
  pages.push(
    [`/apps/${draft.id}`, LONG_NAME],
    [`/apps/${draft.id}?view=preview`, LONG_NAME],
    [`/apps/${rejected.id}`, String(rejected.name)],
    [`/apps/${approved.id}`, String(approved.name)],
    [`/apps/${approved.id}/version`, String(approved.name)],
    [`/apps/${approved.id}/analytics`, String(approved.name)],
    [`/webhooks/${id}`, 'https://hooks.example/'],
    [`/keys/${key.id}/changes`, 'What was done with “A key”'],
  );
});

describe('the pages of the console', () => {
  it('are accessible in both themes, and none is wider than a phone (D225, D226)', async () => {
    const { page, open, finish } = await consoleWindow(browser, service, developer);
    await page.setViewportSize({ width: 390, height: 844 });
    for (const [path, heading] of pages) {
      await open(path);
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      await page.locator('.loading').first().waitFor({ state: 'detached' });
      expect([path, await accessibilityViolations(page)]).toEqual([path, []]);
      expect([path, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, 390]);
    }
    await finish();
  });

  it('name no field of the API in the messages of a form (D225, D226)', async () => {
    const { page, open, close } = await consoleWindow(browser, service, developer);
    const draft = pages.find(([, heading]) => heading === LONG_NAME)![0];
    const forms: [path: string, unfold: RegExp | null, button: string, ...fields: string[]][] = [
      ['/new', null, 'Create draft'],
      ['/keys', /^Create a key$/, 'Create the key'],
      ['/webhooks', /^Add an endpoint$/, 'Add the endpoint', 'URL'],
      ['/profile', null, 'Save', 'Name', 'E-mail address', 'Website (optional)'],
      [draft, null, 'Save', 'Logo (optional)', 'Website (optional)', 'OAuth client (optional)'],
    ];
    for (const [path, unfold, button, ...fields] of forms) {
      await open(path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      if (unfold) await page.getByRole('button', { name: unfold }).click();
      for (const field of fields)
        await page.getByLabel(field, { exact: true }).fill(`nonsense ${'x'.repeat(300)}`);
      await page.getByRole('button', { name: button, exact: true }).click();
      await page.locator('.wrong').first().waitFor();
      // One field has its own message; the editor of a listing says everything at the fields.
      const wrong = await page.locator('[aria-invalid]').count();
      expect([path, await page.locator('form > .note.bad').count()]).toEqual([
        path,
        wrong > 1 && path !== draft ? 1 : 0,
      ]);
      const messages = (await page.locator('.wrong, .note.bad p, .note.bad li').allInnerTexts()).map((text) =>
        text.trim(),
      );
      expect([path, messages.filter((text) => /^[a-z]|\b[a-z]+[A-Z]|see details/.test(text))]).toEqual([
        path,
        [],
      ]);
    }
    await close();
  });

  it('greet an account that is not registered accessibly (D225)', async () => {
    const { page, finish } = await consoleWindow(browser, service, { accountUserId: unique('new') });
    await page.getByRole('heading', { name: 'Become a developer' }).waitFor();
    expect(await accessibilityViolations(page)).toEqual([]);
    await finish();
  });
});
