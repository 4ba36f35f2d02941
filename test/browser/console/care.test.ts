import { describe, expect, it } from '@jest/globals';
import { type Json, unique } from '../../support/actors.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { mayFetch, startPictureServer } from '../../support/pictures.js';
import { startService } from '../../support/service.js';
import { accessibilityViolations } from '../axe.js';
import { sharedBrowser } from '../chromium.js';
import { consoleWindow } from '../console-window.js';

const browser = sharedBrowser();
const pictures = duringTests(startPictureServer);
const service = duringTests(() => startService({ WEB: 'on' }, undefined, mayFetch(pictures)));
const developer = beforeTests(() => service.aDeveloper());

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-/;

describe('keys in the console', () => {
  it('have rows in which nothing overlaps, and name the key that replaces a rotated one (D373)', async () => {
    const scopes = ['APP_READ', 'APP_CREATE', 'APP_UPDATE', 'APP_DELETE', 'ANALYTICS_READ'];
    const name = 'A pipeline with a name that is longer than most names of pipelines are';
    const { id } = await service.must<Json>('createApiKey', { name, scopes }, developer.token);
    await service.must('rotateApiKey', { id, graceHours: 24 }, developer.token);
    const { page, open, screenshot, finish } = await consoleWindow(browser, service, developer);
    for (const width of [1440, 1024, 768, 390]) {
      await page.setViewportSize({ width, height: 860 });
      await open('/keys');
      const row = page.locator('li.key').filter({ hasText: 'Replaced by' });
      await row.getByText(/^Replaced by “A pipeline .*” \(mkt_.*\), ends (tomorrow|in 24 hours)$/).waitFor();
      expect(await row.innerText()).not.toMatch(UUID);
      expect(await row.getByRole('button', { name: 'Rotate' }).count()).toBe(0);
      const overlapping = await page.locator('li.key').evaluateAll((rows) =>
        rows.flatMap((each) => {
          const boxes = [...each.querySelectorAll('h3, .badge, .scope, button, p')].map((part) => ({
            part,
            box: part.getBoundingClientRect(),
          }));
          return boxes.flatMap(({ part, box }) =>
            boxes
              .filter(
                ({ part: other, box: beside }) =>
                  part !== other &&
                  !part.contains(other) &&
                  !other.contains(part) &&
                  box.left < beside.right - 1 &&
                  beside.left < box.right - 1 &&
                  box.top < beside.bottom - 1 &&
                  beside.top < box.bottom - 1,
              )
              .map(({ part: other }) => `${part.textContent} / ${other.textContent}`),
          );
        }),
      );
      expect([width, overlapping]).toEqual([width, []]);
      await screenshot(`console-keys-${width}`);
    }
    expect(await accessibilityViolations(page)).toEqual([]);
    await finish();
  });

  it('and webhooks say how their secrets are stored (D373)', async () => {
    const { page, open, finish } = await consoleWindow(browser, service, developer);
    await open('/keys');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name').fill('Told');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByRole('dialog').getByText('We store only a hash of it').waitFor();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await open('/webhooks');
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    await page.getByLabel('URL').fill('https://hooks.example/');
    await page.getByRole('button', { name: 'Add the endpoint' }).click();
    await page.getByRole('dialog').getByText('We store it encrypted').waitFor();
    await finish();
  });
});

describe('a listing in the console', () => {
  const anApp = (listing: object) =>
    service.anApp(developer, 'DRAFT', {
      name: unique('App'),
      logoUrl: pictures.url('/png/512x512'),
      screenshots: [{ url: pictures.url('/png/1280x720') }, { url: pictures.url('/png/800x600') }],
      ...listing,
    });

  it('saves the valid fields and marks the others (D375)', async () => {
    const { id } = await anApp({ description: 'It tracks.' });
    const { page, open, finish } = await consoleWindow(browser, service, developer);
    await open(`/apps/${id}`);
    await page.getByLabel('Short description').fill('It tracks time.');
    await page.getByLabel('Logo').fill('nonsense');
    // The page does not know that this one is wrong; the service does.
    await page.getByLabel('OAuth client (optional)').fill('two words\u0007');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Everything else was saved.').waitFor();
    await page.getByText('Not saved: Logo, OAuth client.').waitFor();
    await page.getByLabel('Logo').and(page.locator(':focus')).waitFor();
    expect(await page.locator('[aria-invalid]').count()).toBe(2);
    expect(await service.must('myApp', { id }, developer.token)).toMatchObject({
      description: 'It tracks time.',
      logoUrl: pictures.url('/png/512x512'),
    });
    await page.reload();
    expect(await page.getByLabel('Logo').inputValue()).toBe('nonsense');
    await page.getByLabel('Logo').fill(pictures.url('/png/1024x1024'));
    await page.getByLabel('OAuth client (optional)').fill('');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved. Ready, with 1 warning.').waitFor();
    await finish();
  });

  it('does not call itself ready while the account is not verified, and refuses the bare name of a file', async () => {
    const waiting = await service.anUnverifiedDeveloper();
    const { id } = await service.anApp(waiting, 'DRAFT', {
      logoUrl: pictures.url('/png/512x512'),
      screenshots: [{ url: pictures.url('/png/1280x720') }, { url: pictures.url('/png/1280x721') }],
    });
    const { page, descriptionOf, problems, open, close } = await consoleWindow(browser, service, waiting);
    await page.getByRole('heading', { name: 'Your account is being verified' }).waitFor();
    expect(await page.getByText(/administrator/).count()).toBe(1);
    await open(`/apps/${id}`);
    await page.getByText('Saved. You can submit it when your account is verified.').waitFor();
    expect(await page.getByRole('button', { name: 'Submit for review' }).isDisabled()).toBe(true);
    // The page learns of the verification when it reads the app again.
    await service.administer('verifyDeveloper', { id: waiting.id });
    await service.must('updateApp', { id, description: 'It is verified.' }, waiting.token);
    await page.getByText('Saved. Ready to submit.').waitFor();
    await page.getByRole('button', { name: 'Submit for review', disabled: false }).waitFor();
    await page.getByRole('button', { name: 'Move screenshot 2 up' }).press('Enter');
    expect(await page.getByLabel('Screenshot 1', { exact: true }).inputValue()).toContain('1280x721');
    await page.locator('button:focus[aria-label="Move screenshot 1 down"]').waitFor({ timeout: 1_000 });
    await page.getByRole('button', { name: 'Discard the changes' }).click();
    await page.getByLabel('Logo').fill('sloth.png');
    await page.getByLabel('Logo').blur();
    expect(await descriptionOf('Logo (optional)')).toContain(
      'Enter a whole address, such as https://example.com/logo.png.',
    );
    await page.getByRole('button', { name: 'Discard the changes' }).click();
    await page.getByRole('button', { name: 'Account menu' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    expect(await page.getByRole('navigation', { name: 'Pages' }).count()).toBe(0);
    expect(problems).toEqual([]);
    await close();
  });

  it('lists its warnings before it is submitted; a picture that does not fit has to be ticked (D375)', async () => {
    const { id } = await anApp({});
    const { page, open, screenshot, finish } = await consoleWindow(browser, service, developer);
    await open(`/apps/${id}`);
    await page.getByText('Reviewers see this warning too:').waitFor();
    await page.getByRole('button', { name: 'Submit for review' }).click();
    const dialog = page.getByRole('dialog', { name: 'Submit for review?' });
    const submit = dialog.getByRole('button', { name: 'Submit anyway' });
    await dialog.getByText('Screenshot 2:').waitFor();
    expect(await submit.isDisabled()).toBe(true);
    expect(await accessibilityViolations(page)).toEqual([]);
    await screenshot('console-submit');
    await dialog.getByRole('checkbox').check();
    await submit.click();
    await page.getByText('You are next in the queue.').waitFor();
    await finish();
  });

  it.each([1440, 390])('has one button to submit, in view wherever one is, at %d px', async (width) => {
    const { id } = await anApp({});
    const { page, open, finish } = await consoleWindow(browser, service, developer);
    await page.setViewportSize({ width, height: 800 });
    await open(`/apps/${id}`);
    const submit = page.getByRole('button', { name: 'Submit for review' });
    await page.getByText('Saved. Ready, with 1 warning.').waitFor();
    for (const part of ['Screenshot 1', 'OAuth client (optional)', 'Message to the reviewers']) {
      await page.getByLabel(part, { exact: true }).focus();
      const { y, height } = (await submit.boundingBox())!;
      expect(y + height).toBeLessThan(800);
    }
    await page.getByRole('button', { name: 'Preview in the marketplace' }).click();
    expect(await submit.isEnabled()).toBe(true);
    await finish();
  });

  it('shows its banner whole and its screenshots large in the preview (D374)', async () => {
    const { id } = await anApp({ bannerUrl: pictures.url('/png/1200x600') });
    const { page, open, screenshot, finish } = await consoleWindow(browser, service, developer);
    await open(`/apps/${id}?view=preview`);
    const banner = page.locator('.banner');
    await banner.locator('img').waitFor();
    const { width, height } = (await banner.boundingBox())!;
    expect(width / height).toBeCloseTo(2, 1);
    await screenshot('console-preview');
    await page.getByRole('button', { name: 'Screenshot 1' }).click();
    await page.getByRole('dialog', { name: 'Screenshot 1 of 2' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('dialog', { name: 'Screenshot 2 of 2' }).waitFor();
    await finish();
  });
});
