import { describe, expect, it } from '@jest/globals';
import { type Json, unique } from '../../support/actors.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { startPictureServer } from '../../support/pictures.js';
import { startService } from '../../support/service.js';
import { sharedBrowser } from '../chromium.js';
import { consoleWindow } from '../console-window.js';
import { aSubmission, deskWindow, withPictures } from '../desk-window.js';

const browser = sharedBrowser();
const service = duringTests(() => startService({ WEB: 'on' }));
const pictures = duringTests(startPictureServer);
const lou = beforeTests(() => service.aDeveloper({ name: 'Lou', companyName: 'Lighthouse Tools' }));
const eve = beforeTests(() => service.aDeveloper({ name: 'Eve Mallory' }));

describe.each([1440, 390])('at the desk, %i pixels wide', (width) => {
  it('a name like that of a public app is approved with a reason, beside that app, by keys alone (D326)', async () => {
    const name = unique('Time Tracker');
    await service.anApp(lou, 'APPROVED', { ...withPictures(pictures), name });
    const clone = await aSubmission(service, pictures, eve, { name: `${name}™`, category: 'FINANCE' });
    const desk = await deskWindow(browser, service, { width });
    const { page } = desk;
    await desk.open(`/reviews/${clone.id}?category=FINANCE`);
    await desk.heading(`${name}™`).waitFor();
    await desk.press('a');
    const dialog = page.getByRole('dialog', { name: 'Approve it anyway?' });
    await dialog.getByRole('heading', { name: 'Public app' }).waitFor();
    const columns = dialog.locator('.side-by-side > section');
    const [left, right] = [await columns.nth(0).boundingBox(), await columns.nth(1).boundingBox()];
    expect(left!.y).toBe(right!.y);
    expect(right!.x).toBeGreaterThan(left!.x + left!.width - 1);
    expect(await columns.nth(1).innerText()).toContain('Lighthouse Tools');
    await desk.screenshot(`desk-nevertheless-${width}`);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await desk.press('a');
    await dialog.locator('textarea:focus').waitFor();
    await page.keyboard.type('Lighthouse has agreed.');
    await page.keyboard.press('Control+Enter');
    await page.getByText(`${name}™ is approved.`).waitFor();
    const { status } = await service.administer<Json>('adminApp', { id: clone.id });
    expect(status).toBe('APPROVED');
    await desk.finish();
  });

  it('a developer is shown with those who look alike and can be renamed (D325, D327)', async () => {
    const name = unique('Lighthouse');
    await service.aDeveloper({ name });
    const grace = await service.aDeveloper({ name: unique('Grace') });
    const desk = await deskWindow(browser, service, { width });
    const { page } = desk;
    await desk.open(`/developers/${grace.id}`);
    await page.getByText('not confirmed').waitFor();
    await page.getByRole('button', { name: 'Edit the profile' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Support');
    await dialog.getByLabel('Reason').fill('They are one company.');
    await dialog.getByRole('button', { name: 'Save the profile' }).click();
    await dialog.getByText('reserved for the marketplace itself').waitFor();
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByRole('button', { name: 'Save the profile' }).click();
    await page.getByText('The developer’s name or company looks like that of:').waitFor();
    await desk.heading(name).waitFor();
    await desk.screenshot(`desk-lookalikes-${width}`);
    const { id } = await aSubmission(service, pictures, grace);
    await desk.open(`/reviews/${id}`);
    const findings = page.getByRole('region', { name: 'Automatic findings' });
    await findings.getByText('The developer’s name or company looks like that of:').waitFor();
    await page.getByRole('button', { name: 'Claim' }).click();
    await page.getByRole('button', { name: 'Approve…' }).click();
    await page.getByRole('dialog').getByText('The developer’s name or company looks like that of:').waitFor();
    await desk.screenshot(`desk-nevertheless-lookalikes-${width}`);
    await desk.finish();
  });
});

describe('a developer who waits for verification', () => {
  it('is not verified with a profile that the desk has not shown (D343)', async () => {
    const mallory = await service.anUnverifiedDeveloper({ name: unique('Mallory') });
    const desk = await deskWindow(browser, service);
    const { page } = desk;
    await desk.open(`/developers/${mallory.id}`);
    await page.getByRole('button', { name: 'Verify' }).click();
    const dialog = page.getByRole('dialog', { name: 'Verify' });
    const name = unique('Somebody Famous');
    await service.must('updateMe', { name }, mallory.token);
    await dialog.getByRole('button', { name: 'Verify' }).click();
    await dialog.getByText('The profile has changed since you read it.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Verify' }).isDisabled()).toBe(true);
    await desk.heading(name).waitFor();
    await desk.screenshot('desk-profile-changed');
    await dialog.getByRole('button', { name: 'Look at it again' }).click();
    await page.getByRole('button', { name: 'Verify' }).click();
    await dialog.getByText(name).waitFor();
    await dialog.getByRole('button', { name: 'Verify' }).click();
    await page.getByText(`${name} is verified.`).waitFor();
    const { status } = await service.must<Json>('me', {}, mallory.token);
    expect(status).toBe('VERIFIED');
    await desk.finish();
  });
});

describe('in the console', () => {
  it('a developer who lost the address is asked for another one, and told why nothing can be submitted (D342)', async () => {
    const nia = await service.aDeveloper({ name: unique('Nia') });
    const draft = await service.anApp(nia, 'DRAFT', withPictures(pictures));
    const accountUserId = unique('owner');
    const token = await service.token(accountUserId, { email: nia.email, emailVerified: true });
    const profile = { accountUserId, name: unique('Owner'), email: nia.email };
    await service.must('registerDeveloper', profile, token);
    const window = await consoleWindow(browser, service, nia);
    const { page } = window;
    await page.getByText('Your account needs another e-mail address').waitFor();
    await window.open(`/apps/${draft.id}`);
    await page.getByRole('status').getByText('Give another one in your profile').waitFor();
    await window.screenshot('console-address-lost');
    await window.open('/profile');
    expect(await page.getByLabel('E-mail address').inputValue()).toBe('');
    await page.getByLabel('E-mail address').fill(`${unique('nia')}@example.com`);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Your profile is saved.').waitFor();
    await page.getByText('Your account needs another e-mail address').waitFor({ state: 'detached' });
    await window.close();
  });
});
