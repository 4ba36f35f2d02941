import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type MailedKind, mailed } from '../../../src/modules/audit/event.types.js';
import { MailServer, type ReceivedMail, until } from '../../support/mail-server.js';
import { type Service, startService } from '../../support/service.js';
import { stories, storyOptions } from './stories.js';

let mailServer: MailServer;
let service: Service;
const received = new Map<string, ReceivedMail>();

beforeAll(async () => {
  mailServer = await MailServer.start();
  const settings = {
    WORKER: 'inline',
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'The Märketplace <mail@market.example>',
  };
  service = await startService(settings, undefined, await storyOptions());
  await Promise.all(
    Object.entries(stories).map(async ([kind, { happens }]) => {
      const messageId = await recorded(kind, await happens(service));
      received.set(kind, mailServer.mails.find((mail) => mail.messageId === messageId)!);
    }),
  );
}, 90_000);
afterAll(async () => {
  await service.close();
  await mailServer.stop();
});

/** The Message-ID of a mail, once it is recorded as sent. */
async function recorded(kind: string, recipient: string): Promise<string> {
  const find = async () =>
    (
      await service.sql<{ message_id: string }>(
        'select message_id from mails where kind = $1 and recipient = $2 order by created_at desc limit 1',
        [kind, recipient],
      )
    )[0]?.message_id;
  await until(
    async () => (await find()) !== undefined,
    45_000,
    () => `no mail ${kind} to ${recipient}`,
  );
  return (await find())!;
}

const linksOf = ({ html = '', text = '' }: ReceivedMail) => ({
  html: [...html.matchAll(/href="([^"]+)"/g)].map(([, url]) => url!),
  text: text.match(/https?:\/\/[^\s]+/g) ?? [],
});
const header = (mail: ReceivedMail, name: string) =>
  mail.headers.filter(({ key }) => key === name).map(({ value }) => value);

describe.each([...mailed])('the mail about %s (D33)', (kind: MailedKind) => {
  const mail = () => received.get(kind)!;
  const { subject, says } = stories[kind];

  it('has the event in its subject', async () => {
    expect(mail().subject).toBe(await subject);
  });

  it('has the whole content, in text and in HTML', () => {
    const { text = '', html = '' } = mail();
    const shown = html
      .replaceAll(/<head>[\s\S]*<\/head>/g, '')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll('&#39;', "'");
    for (const words of says) {
      expect(text).toContain(words);
      expect(shown).toContain(words);
    }
    expect(`${text}${shown}`).not.toMatch(/undefined|null|NaN|\[object/);
  });

  it('has one link, the same in both forms, and it works', async () => {
    const { html, text } = linksOf(mail());
    const own = text.filter((url) => url.startsWith(service.url));
    expect(html).toEqual(own);
    expect(own).toHaveLength(1);
    const response = await fetch(own[0]!);
    expect(response.status).toBe(200);
    const fragment = /#\/([^/]+)\/(\w+)$/.exec(own[0]!);
    if (!fragment) return;
    const document = await (await fetch(`${service.url}/openapi.json`)).text();
    expect(document).toContain(`"operationId":"${fragment[2]}"`);
    expect(document).toContain(`"${decodeURIComponent(fragment[1]!)}"`);
  });

  it('carries the headers of an automatic mail', async () => {
    expect(header(mail(), 'auto-submitted')).toEqual(['auto-generated']);
    expect(mail().messageId).toMatch(/^<[0-9a-f-]{36}@market\.example>$/);
    expect(mail().from).toMatchObject({ name: 'The Märketplace', address: 'mail@market.example' });
    // Of administrators the address is all that is known.
    const name = kind === 'review.message-sent' ? '' : 'Ada Lovelace';
    expect(mail().to).toEqual([{ name, address: mail().recipients[0] }]);
    expect(mail().recipients).toHaveLength(1);
    const age = Date.now() - new Date(mail().date ?? 0).getTime();
    expect(age).toBeGreaterThan(-1_000);
    expect(age).toBeLessThan(120_000);
  });
});

it('the mail about a version shows the changes of the listing, and not its status', () => {
  expect(received.get('version.approved')!.text).not.toContain('PENDING');
});
