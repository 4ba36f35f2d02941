import escapeHtml from 'escape-html';
import express from 'express';
import { errorStatus } from '../errors.js';
import { type HttpResponse, textResponse } from '../server/http-response.js';
import { queryOf, responding } from '../server/routing.js';
import { pageHeaders } from './content-security-policy.js';
import { documentPolicy, pageDocument } from './document.js';
import { HOME_CSS } from './home.css.js';
import { MAILBOX_CSS } from './mailbox.css.js';

/** A mail without its content, for the list. */
interface MailHead {
  id: string;
  kind: string;
  recipient: string;
  subject: string;
  messageId: string;
  createdAt: Date;
}

/** A mail that was stored instead of being sent. */
interface StoredMail extends MailHead {
  html: string;
  text: string;
}

/** Source of the mails that the page shows. */
export interface Mailbox {
  /** Newest first. */
  newest(limit: number): Promise<MailHead[]>;
  read(id: string): Promise<StoredMail | null>;
}

const CSS = HOME_CSS + MAILBOX_CSS;
const MAX_LISTED = 200;
const REFRESH_SECONDS = 5;
const SANDBOX = ['allow-popups', 'allow-popups-to-escape-sandbox'];

const listHeaders = {
  ...pageHeaders({ ...documentPolicy(CSS), frameSrc: ["'self'"] }),
  'cache-control': 'no-store',
};
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
export function mailbox({ base, mails }: { base: string; mails: Mailbox }): express.Router {
  const home = `${base}/dev/mailbox`;
  const router = express.Router();
  router.get(
    '/',
    responding(async () => {
      const list = (await mails.newest(MAX_LISTED)).map((mail) => row(home, mail)).join('');
      const head = `<meta http-equiv="refresh" content="${REFRESH_SECONDS}">`;
      return page('Mailbox', listPage(base, list), { head });
    }),
  );
  router.get(
    '/:id',
    responding(async (request) => {
      const mail = await mails.read(String(request.params.id));
      if (!mail) return page('No such mail', missingPage(home), { status: errorStatus.NOT_FOUND });
      return page(escapeHtml(mail.subject), mailPage(home, mail, queryOf(request).view === 'text'));
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

function page(title: string, body: string, { head = '', status = 200 } = {}): HttpResponse {
  const html = pageDocument({
    title: `${title} · Marketplace gateway`,
    css: CSS,
    body,
    ...(head && { head }),
  });
  return textResponse('html', html, listHeaders, status);
}

const listPage = (
  base: string,
  list: string,
) => `<p class="back"><a href="${base}/">← Marketplace gateway</a></p>
  <h1>Mailbox</h1>
  <p class="lead">The e-mails that the service would send. They are shown here if <code>SMTP_URL</code> is not set, and never in
  production. The page refreshes automatically.</p>
  ${list ? `<ul class="mails">${list}</ul>` : '<p class="empty">There are no e-mails yet. Verify a developer, or approve or reject an app.</p>'}`;

const row = (home: string, { id, subject, recipient, createdAt }: MailHead) =>
  `<li><a href="${home}/${id}"><strong>${escapeHtml(subject)}</strong><span>${escapeHtml(recipient)}</span>${time(createdAt)}</a></li>`;

function mailPage(home: string, mail: StoredMail, asText: boolean): string {
  const address = `${home}/${mail.id}`;
  const tab = (label: string, query: string, isCurrent: boolean) =>
    `<a href="${address}${query}"${isCurrent ? ' aria-current="page"' : ''}>${label}</a>`;
  const content = asText
    ? `<pre class="mail">${escapeHtml(mail.text)}</pre>`
    : `<iframe src="${address}/html" title="The mail" sandbox="${SANDBOX.join(' ')}"></iframe>`;
  return `<p class="back"><a href="${home}">← Mailbox</a></p>
  <h1 class="subject">${escapeHtml(mail.subject)}</h1>
  <dl>
    <dt>To</dt><dd>${escapeHtml(mail.recipient)}</dd>
    <dt>When</dt><dd>${time(mail.createdAt)}</dd>
    <dt>About</dt><dd>${escapeHtml(mail.kind)}</dd>
    <dt>Message-ID</dt><dd>${escapeHtml(mail.messageId)}</dd>
  </dl>
  <nav>${tab('HTML', '', !asText)}${tab('Text', '?view=text', asText)}</nav>
  ${content}`;
}

const missingPage = (home: string) => `<h1>No such mail</h1>
  <p class="lead">It may have been removed. <a href="${home}">Back to the mailbox</a></p>`;

const time = (at: Date) =>
  `<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 19).replace('T', ' ')} UTC</time>`;
