import escapeHtml from 'escape-html';
import express from 'express';
import { errorStatus } from '../errors.js';
import type { MailboxService } from '../modules/notifications/mailbox.service.js';
import { textResponse } from '../server/http-response.js';
import { queryOf, responding } from '../server/routing.js';
import { StaticResponse } from '../server/static-response.js';
import { ownPage, pageHeaders } from './document.js';
import { FRAME_CSS, frame, type Site } from './frame.js';
import { HOME_CSS } from './home.css.js';
import { MAILBOX_CSS } from './mailbox.css.js';

type MailHead = Awaited<ReturnType<MailboxService['newest']>>[number];
type StoredMail = NonNullable<Awaited<ReturnType<MailboxService['read']>>>;

const CSS = FRAME_CSS + HOME_CSS + MAILBOX_CSS;
const MAX_LISTED = 200;
const REFRESH_MS = 5_000;
const SANDBOX = ['allow-popups', 'allow-popups-to-escape-sandbox'];

/**
 * Reads the list again and replaces it if it has changed. A refresh of the whole page would lose the focus, the scroll
 * position and what a screen reader is reading.
 */
const REFRESH_SCRIPT = `const listIn = (page) => page.getElementById('mails');
setInterval(async () => {
  if (document.hidden) return;
  const response = await fetch(location.href).catch(() => null);
  if (!response?.ok) return;
  const list = listIn(new DOMParser().parseFromString(await response.text(), 'text/html'));
  if (!list || list.isEqualNode(listIn(document)) || listIn(document).contains(document.activeElement)) return;
  listIn(document).replaceWith(document.adoptNode(list));
}, ${REFRESH_MS});
`;

/** A mail cannot run scripts or load anything. Its links open in a new window. */
const mailHeaders = {
  ...pageHeaders({
    defaultSrc: ["'none'"],
    styleSrc: ["'unsafe-inline'"],
    frameAncestors: ["'self'"],
    sandbox: SANDBOX,
  }),
  'cache-control': 'no-store',
  // Chromium warns of this header in a sandboxed frame.
  'origin-agent-cluster': null,
};

/** The mailbox page, in development only: lists the mails that would have been sent, and shows each as HTML and as text. */
export function mailbox(site: Site, mails: MailboxService): express.Router {
  const home = `${site.base}/dev/mailbox`;
  const page = (
    title: string,
    body: string,
    more: { head?: string; policy: Record<string, string[]> },
    status = 200,
  ) =>
    ownPage(
      {
        title: `${title} · Marketplace gateway`,
        css: CSS,
        body,
        header: frame(site, '/dev/mailbox'),
        ...more,
      },
      'no-store',
      status,
    );
  /** The page around a mail runs no script. */
  const around = { policy: { frameSrc: ["'self'"] } };
  const router = express.Router();
  router.get('/refresh.js', new StaticResponse(REFRESH_SCRIPT, 'js').send);
  router.get(
    '/',
    responding(async (request) => {
      const { to } = queryOf(request);
      const body = listPage(home, await mails.newest(MAX_LISTED), typeof to === 'string' ? to : null);
      const head = `<script src="${home}/refresh.js" defer></script>`;
      return page('Mailbox', body, { head, policy: { scriptSrc: ["'self'"] } });
    }),
  );
  router.get(
    '/:id',
    responding(async (request) => {
      const mail = await mails.read(String(request.params.id));
      if (!mail) return page('No such mail', missingPage(home), around, errorStatus.NOT_FOUND);
      return page(escapeHtml(mail.subject), mailPage(home, mail, queryOf(request).view === 'text'), around);
    }),
  );
  router.get(
    '/:id/html',
    responding(async ({ params }) => {
      const mail = await mails.read(String(params.id));
      return mail
        ? textResponse('html', mail.html, mailHeaders)
        : textResponse('txt', 'There is no such mail.', mailHeaders, errorStatus.NOT_FOUND);
    }),
  );
  return router;
}

const LINE_PX = 26;
const LINE_CHARACTERS = 75;

/** Returns about the height of a mail with this text: the page around a mail cannot measure it. */
function heightOf(text: string): number {
  const lines = text.split('\n').map((line) => Math.max(1, Math.ceil(line.length / LINE_CHARACTERS)));
  return LINE_PX * lines.reduce((sum, count) => sum + count, 6);
}

function listPage(home: string, mails: readonly MailHead[], to: string | null): string {
  const list = mails
    .filter(({ recipient }) => to === null || recipient === to)
    .map((mail) => row(home, mail))
    .join('');
  const isEmpty = mails.length === 0;
  return `<h1>Mailbox</h1>
  <p class="lead">The e-mails that the service would send. They are shown here if <code>SMTP_URL</code> is not set, and never in
  production. New ones appear automatically.</p>
  <div id="mails">${isEmpty ? '' : recipients(home, mails, to)}${list ? `<ul class="mails">${list}</ul>` : `<p class="empty">${isEmpty ? 'There are no e-mails yet. Verify a developer, or approve or reject an app.' : 'There are no e-mails to this address.'}</p>`}</div>`;
}

/** Links that show the mails to one address only, by name. */
function recipients(home: string, mails: readonly MailHead[], current: string | null): string {
  const counts = Map.groupBy(mails, ({ recipient }) => recipient);
  const link = (query: string, label: string, isCurrent: boolean) =>
    `<a href="${home}${query}"${isCurrent ? ' aria-current="true"' : ''}>${escapeHtml(label)}</a>`;
  const addresses = [...counts].toSorted(([one], [other]) => one.localeCompare(other));
  return `<nav class="views" aria-label="Recipients">${link('', `All (${mails.length})`, current === null)}${addresses
    .map(([address, own]) =>
      link(`?to=${encodeURIComponent(address)}`, `${address} (${own.length})`, address === current),
    )
    .join('')}</nav>`;
}

const row = (home: string, { id, subject, recipient, createdAt }: MailHead) =>
  `<li><a href="${home}/${id}"><strong>${escapeHtml(subject)}</strong><span>${escapeHtml(recipient)}</span>${age(createdAt)}</a></li>`;

function mailPage(home: string, mail: StoredMail, asText: boolean): string {
  const address = `${home}/${mail.id}`;
  const tab = (label: string, query: string, isCurrent: boolean) =>
    `<a href="${address}${query}"${isCurrent ? ' aria-current="page"' : ''}>${label}</a>`;
  const content = asText
    ? `<pre class="mail">${escapeHtml(mail.text)}</pre>`
    : `<iframe src="${address}/html" title="The mail" height="${heightOf(mail.text)}" sandbox="${SANDBOX.join(' ')}"></iframe>`;
  return `<p class="back"><a href="${home}">← Mailbox</a></p>
  <h1 class="subject">${escapeHtml(mail.subject)}</h1>
  <dl>
    <dt>To</dt><dd>${escapeHtml(mail.recipient)}</dd>
    <dt>When</dt><dd>${time(mail.createdAt)}</dd>
    <dt>Event</dt><dd>${escapeHtml(mail.kind)}</dd>
    <dt>Message-ID</dt><dd>${escapeHtml(mail.messageId)}</dd>
  </dl>
  <nav class="views" aria-label="Views of the mail">${tab('HTML', '', !asText)}${tab('Text', '?view=text', asText)}</nav>
  ${content}`;
}

const missingPage = (home: string) => `<h1>No such mail</h1>
  <p class="lead">It may have been removed. <a href="${home}">Back to the mailbox</a></p>`;

const written = (at: Date) => `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
const time = (at: Date) => `<time datetime="${at.toISOString()}">${written(at)}</time>`;

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const MINUTE_MS = 60_000;
const UNITS = [
  ['day', 24 * 60],
  ['hour', 60],
  ['minute', 1],
] as const;

/** A time such as "5 minutes ago", with the exact one under the pointer. */
function age(at: Date): string {
  const minutes = Math.floor((Date.now() - at.getTime()) / MINUTE_MS);
  const [unit, size] = UNITS.find(([, each]) => minutes >= each) ?? UNITS[2];
  const text = minutes < 1 ? 'just now' : relative.format(-Math.floor(minutes / size), unit);
  return `<time datetime="${at.toISOString()}" title="${written(at)}">${text}</time>`;
}
