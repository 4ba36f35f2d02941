import escapeHtml from 'escape-html';
import express, { type Response } from 'express';
import { errorStatus } from '../errors.js';
import { pageHeaders } from './content-security-policy.js';
import { documentPolicy, pageDocument } from './document.js';
import { HOME_CSS } from './home.css.js';
import { MAILBOX_CSS } from './mailbox.css.js';

/** A mail as the list shows it. */
interface MailHead {
  id: string;
  kind: string;
  recipient: string;
  subject: string;
  messageId: string;
  createdAt: Date;
}

/** A mail that was kept instead of being sent. */
interface KeptMail extends MailHead {
  html: string;
  text: string;
}

/** Where the page finds the mails. */
export interface Mailbox {
  /** Newest first. */
  newest(limit: number): Promise<MailHead[]>;
  read(id: string): Promise<KeptMail | null>;
}

const CSS = HOME_CSS + MAILBOX_CSS;
const LISTED = 200;
const REFRESH_SECONDS = 5;
const SANDBOX = ['allow-popups', 'allow-popups-to-escape-sandbox'];

const pagePolicy = pageHeaders({ ...documentPolicy(CSS), frameSrc: ["'self'"] });
/** A mail runs nothing and loads nothing; its links open in a window of their own. */
const mailPolicy = pageHeaders({
  defaultSrc: ["'none'"],
  styleSrc: ["'unsafe-inline'"],
  frameAncestors: ["'self'"],
  sandbox: SANDBOX,
});

/** The mails that would have been sent: a list, and each one as HTML and as text. In development only. */
export function mailbox({ base, mails }: { base: string; mails: Mailbox }): express.Router {
  const home = `${base}/dev/mailbox`;
  const router = express.Router();
  router.use((_request, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  });
  router.get('/', pagePolicy, async (_request, response) => {
    const list = (await mails.newest(LISTED)).map((mail) => row(home, mail)).join('');
    const head = `<meta http-equiv="refresh" content="${REFRESH_SECONDS}">`;
    send(response, 'Mailbox', listPage(base, list), head);
  });
  router.get('/:id', pagePolicy, async (request, response) => {
    const mail = await mails.read(String(request.params.id));
    if (mail) send(response, escapeHtml(mail.subject), mailPage(home, mail, request.query.view === 'text'));
    else send(response.status(errorStatus.NOT_FOUND), 'No such mail', missingPage(home));
  });
  router.get('/:id/html', mailPolicy, async (request, response) => {
    const mail = await mails.read(String(request.params.id));
    // Chromium complains of a wish for a process by origin from what the sandbox leaves without one.
    response.removeHeader('Origin-Agent-Cluster');
    if (mail) response.type('html').send(mail.html);
    else response.status(errorStatus.NOT_FOUND).type('text/plain').send('There is no such mail.');
  });
  return router;
}

const send = (response: Response, title: string, body: string, head?: string) =>
  response
    .type('html')
    .send(pageDocument({ title: `${title} · Marketplace gateway`, css: CSS, body, ...(head && { head }) }));

const listPage = (
  base: string,
  list: string,
) => `<p class="back"><a href="${base}/">← Marketplace gateway</a></p>
  <h1>Mailbox</h1>
  <p class="lead">What the service would send by e-mail. Without <code>SMTP_URL</code>, and never in production, mails
  end up here. The page looks for new ones by itself.</p>
  ${list ? `<ul class="mails">${list}</ul>` : '<p class="empty">No mail yet. Verify a developer, or decide on an app.</p>'}`;

const row = (home: string, { id, subject, recipient, createdAt }: MailHead) =>
  `<li><a href="${home}/${id}"><strong>${escapeHtml(subject)}</strong><span>${escapeHtml(recipient)}</span>${time(createdAt)}</a></li>`;

function mailPage(home: string, mail: KeptMail, asText: boolean): string {
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
