import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 as newId } from 'uuid';
import type { PortalPage } from '../../../src/config/formats.js';
import { loadConfig } from '../../../src/config.js';
import { contract } from '../../../src/contract.js';
import { type MailedKind, mailed } from '../../../src/modules/events/event-mail.types.js';
import { beforeTests } from '../../support/before-tests.js';
import { MailServer, type ReceivedMail, until } from '../../support/mail-server.js';
import { type Service, startService } from '../../support/service.js';
import { startMailWorker } from '../../support/workers.js';
import { stories, storyOptions } from './stories.js';

let service: Service;
let withPortal: Awaited<ReturnType<typeof startMailWorker>>;
const received = new Map<string, ReceivedMail>();

const mailServer = beforeTests(() => MailServer.start());
beforeAll(async () => {
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
  const { portal, mail } = loadConfig({
    PORTAL_URL: 'https://product.example/marketplace/',
    PORTAL_URLS:
      'app=https://product.example/dev/{id}?name={slug}, listing=https://product.example/market/{slug}, keys=/keys, keyChanges=/keys/{id}, webhooks=/hooks/{id}, developer=/people/{id}, review=https://product.example/desk/{id}',
  });
  withPortal = await startMailWorker(service.databaseUrl, mail, portal);
});
afterAll(async () => {
  await withPortal?.close();
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
  return until(find, () => `no mail ${kind} to ${recipient}`);
}

/** The page that each mail links to. */
const pages: Record<MailedKind, Exclude<PortalPage, 'install'> | 'undo'> = {
  'developer.verified': 'keys',
  'developer.unverified': 'developer',
  'developer.suspended': 'developer',
  'developer.reinstated': 'developer',
  'developer.updated': 'undo',
  'developer.email-changed': 'keys',
  'developer.change_undone': 'keyChanges',
  'developer.edited': 'developer',
  'developer.email_lost': 'developer',
  'key.created': 'keys',
  'key.revoked': 'keys',
  'key.rotated': 'keys',
  'key.leaked': 'keyChanges',
  'key.expiring': 'keys',
  'publisher.added': 'app',
  'webhook.created': 'webhooks',
  'webhook.updated': 'webhooks',
  'webhook.deleted': 'webhooks',
  'webhook.secret-rotated': 'webhooks',
  'webhook.enabled': 'webhooks',
  'webhook.disabled': 'webhooks',
  'app.submitted': 'app',
  'app.approved': 'listing',
  'app.rejected': 'app',
  'app.suspended': 'app',
  'app.restored': 'listing',
  'app.edited': 'listing',
  'app.pictures_changed': 'app',
  'review.message-received': 'app',
  'review.message-sent': 'review',
  'version.submitted': 'app',
  'version.approved': 'listing',
  'version.rejected': 'app',
};

interface JobData {
  appId?: string;
  developerId: string;
  endpointId?: string;
  keyId?: string;
  facts: { app: { slug: string } | null };
}

/** Sends the mail again, as a worker with a portal would. */
async function inPortal(kind: MailedKind) {
  const [, jobId] = /^<([0-9a-f-]+)@/.exec(received.get(kind)!.messageId ?? '') ?? [];
  const [job] = await service.sql<{ data: JobData }>('select data from pgboss.job where id = $1', [jobId]);
  const id = newId();
  await withPortal.deliver({ id, data: job!.data, retryCount: 0 });
  const [sent] = await service.sql<{ html: string; text: string }>(
    'select html, text from mails where id = $1',
    [id],
  );
  return { id, data: job!.data, sent: sent! };
}

const linksOf = ({ html = '', text = '' }: Pick<ReceivedMail, 'html' | 'text'>) => ({
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

  it('names the next step in words, and has no link, where there is no portal (D170)', () => {
    const { html, text } = linksOf(mail());
    const own = text.filter((url) => url.startsWith(service.url));
    expect(html).toEqual(own);
    if (pages[kind] === 'undo') {
      expect(own).toEqual([expect.stringMatching(/\/undo\?token=[\w-]{43}$/)]);
      return;
    }
    expect(own).toEqual([]);
    const operations = [...(mail().text ?? '').matchAll(/\bcall (\w+) \(GraphQL\)/g)].map(([, name]) => name);
    expect(operations).not.toEqual([]);
    expect(operations.filter((name) => !(name! in contract))).toEqual([]);
  });

  it('has one link, the same in both forms, to its page of the portal (D170)', async () => {
    const page = pages[kind];
    if (page === 'undo') return;
    const { id, data, sent } = await inPortal(kind);
    const { html, text } = linksOf(sent);
    const links = text.filter((url) => url.startsWith('https://product.example/'));
    expect(html).toEqual(links);
    const { appId, facts } = data;
    const urls: Record<Exclude<PortalPage, 'install'>, string> = {
      app: `https://product.example/dev/${appId}?name=${facts.app?.slug}`,
      listing: `https://product.example/market/${facts.app?.slug}`,
      keys: 'https://product.example/marketplace/keys',
      keyChanges: `https://product.example/marketplace/keys/${data.keyId}`,
      webhooks: `https://product.example/marketplace/hooks/${data.endpointId}`,
      developer: `https://product.example/marketplace/people/${data.developerId}`,
      review: `https://product.example/desk/${appId}`,
      queue: 'https://product.example/marketplace',
      adminWebhooks: 'https://product.example/marketplace',
    };
    expect({ id, links }).toEqual({ id, links: [urls[page]] });
  });

  it('carries the headers of an automatic mail', async () => {
    expect(header(mail(), 'auto-submitted')).toEqual(['auto-generated']);
    expect(mail().messageId).toMatch(/^<[0-9a-f-]{36}@market\.example>$/);
    expect(mail().from).toMatchObject({ name: 'The Märketplace', address: 'mail@market.example' });
    // Of administrators and of a former address, the address is all that is known.
    const isAddressOnly = kind === 'review.message-sent' || kind === 'developer.email_lost';
    const name = isAddressOnly ? '' : 'Ada Lovelace';
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
