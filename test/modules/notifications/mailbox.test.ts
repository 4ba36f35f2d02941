import { describe, expect, it } from '@jest/globals';
import { aRejection } from '../../support/actors.js';
import { duringTests } from '../../support/before-tests.js';
import { until } from '../../support/mail-server.js';
import { startService } from '../../support/service.js';

const service = duringTests(() => startService({ WORKER: 'inline' }));

const page = async (path: string) => {
  const response = await service.client.request('GET', path);
  return { status: response.status, headers: response.headers, text: await response.text() };
};
/** Waits for a mail with this subject, and returns its path. */
async function theMail(subject: RegExp): Promise<string> {
  const find = async () =>
    [...(await page('/dev/mailbox')).text.matchAll(/href="([^"]+)"><strong>([^<]+)</g)].find(([, , found]) =>
      subject.test(found!),
    )?.[1];
  return until(find, () => `no mail ${subject}`);
}

describe('the mailbox', () => {
  it('shows the three mails of the specification, to the developer, newest first (D33)', async () => {
    const developer = await service.aDeveloper({ name: 'Grace' });
    await theMail(/^You are verified$/);
    const { id, revision } = await service.anApp(developer, 'PENDING', { name: 'Compiler' });
    await service.administer('rejectApp', { id, ...aRejection(revision) });
    const rejection = await theMail(/^“Compiler” needs changes$/);
    await service.client.must('submitApp', { id }, developer.token);
    await service.administer('approveApp', { id, revision, note: 'Fine work.' });
    const approval = await theMail(/^“Compiler” is approved$/);

    const { text: list } = await page('/dev/mailbox');
    const order = ['“Compiler” is approved', '“Compiler” needs changes', 'You are verified'];
    const places = order.map((subject) => list.indexOf(subject));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(list.match(new RegExp(developer.email, 'g'))?.length).toBeGreaterThanOrEqual(3);
    expect(list).toContain('<script src="/dev/mailbox/refresh.js" defer></script>');

    expect((await page(`${rejection}?view=text`)).text).toMatch(
      /Short description \(Incomplete\)\s+It says too little\.[\s\S]+Say what it does\./,
    );
    expect((await page(`${approval}/html`)).text).toContain('Fine work.');
  });

  it('shows the mails to one address only, if asked to', async () => {
    const [one, other] = [await service.aDeveloper(), await service.aDeveloper()];
    const listOf = async (query: string) => {
      const { text } = await page(`/dev/mailbox${query}`);
      return text.slice(text.indexOf('<ul class="mails">'));
    };
    await until(async () => {
      const list = await listOf('');
      return list.includes(one.email) && list.includes(other.email);
    }, 'no mails to both developers');
    const own = await listOf(`?to=${encodeURIComponent(other.email)}`);
    expect(own).toContain(other.email);
    expect(own).not.toContain(one.email);
    expect((await page('/dev/mailbox?to=nobody@example.com')).text).toContain('no e-mails to this address');
  });

  it('shows a mail in a frame that runs no script and loads nothing', async () => {
    await service.aDeveloper();
    const address = await theMail(/^You are verified$/);
    const { text, headers } = await page(address);
    expect(text).toMatch(new RegExp(`<iframe src="${address}/html"[^>]* sandbox="allow-popups[^"]*"`));
    expect(text).not.toMatch(/allow-scripts|allow-same-origin|<script/);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    const mail = await page(`${address}/html`);
    const inner = mail.headers.get('content-security-policy') ?? '';
    expect(inner).toContain("default-src 'none'");
    expect(inner).toContain("frame-ancestors 'self'");
    expect(inner).toMatch(/sandbox(?!.*allow-scripts)/);
    expect(mail.headers.get('cache-control')).toBe('no-store');
  });

  it('escapes user input, in the list and in the mail', async () => {
    const developer = await service.aDeveloper({ name: '<b>Eve</b>' });
    await service.anApp(developer, 'PENDING', { name: '<img src=x onerror=alert(1)> "\' &amp;' });
    const address = await theMail(/^We have received “&lt;img src=x/);
    for (const path of ['/dev/mailbox', address, `${address}/html`, `${address}?view=text`]) {
      const { text } = await page(path);
      expect(text).toContain('&lt;img src=x onerror=alert(1)&gt;');
      expect(text).not.toMatch(/<img|<b>/);
    }
  });

  it('returns 404 for an unknown id, whatever it looks like', async () => {
    for (const id of ['01890000-0000-7000-8000-000000000000', 'nothing', '%00']) {
      expect((await page(`/dev/mailbox/${id}`)).status).toBe(404);
      expect((await page(`/dev/mailbox/${id}/html`)).status).toBe(404);
    }
  });

  it('is linked from the home page', async () => {
    expect((await page('/')).text).toContain('href="/dev/mailbox"');
  });
});

describe('there is no mailbox', () => {
  it.each([
    ['in production', { NODE_ENV: 'production', OIDC_ISSUER: 'https://id.example' }],
    ['where mails are sent', { SMTP_URL: 'smtp://127.0.0.1:1' }],
  ])('%s', async (_, settings) => {
    const other = await startService(settings as Record<string, string>);
    try {
      expect((await other.client.request('GET', '/dev/mailbox')).status).toBe(404);
      expect(await (await other.client.request('GET', '/')).text()).not.toContain('/dev/mailbox');
    } finally {
      await other.close();
    }
  });
});
