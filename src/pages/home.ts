import escapeHtml from 'escape-html';
import express from 'express';
import { StaticResponse } from '../server/static-response.js';
import { pageHeaders } from './content-security-policy.js';
import { documentPolicy, pageDocument } from './document.js';
import { FRAME_CSS, type Frame } from './frame.js';
import { HOME_CSS } from './home.css.js';
import { tour } from './tour.js';
import { webPictures } from './web.js';

interface HomeOptions {
  /** Path of the service in its public URL, without a trailing slash. */
  base: string;
  publicUrl: string;
  /** True if the storefront, the console and the desk are served. */
  web: boolean;
  playground: boolean;
  introspection: boolean;
  /** True if the service issues its own tokens (D14). */
  demo: boolean;
  /** True if the mailbox page is served. */
  mailbox: boolean;
  frame: Frame;
}

const CSS = FRAME_CSS + HOME_CSS;

/** Adds a button to every command that copies it. Without a script, the commands are texts to select. */
const COPY_SCRIPT = `for (const command of document.querySelectorAll('pre')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    const isCopied = await navigator.clipboard?.writeText(command.textContent).then(() => true, () => false);
    button.textContent = isCopied ? 'Copied' : 'Select the text to copy it';
  });
  command.before(button);
}
`;

/** The home page: what the service is, links, and a tour. Its only script copies commands. */
export function home(options: HomeOptions): express.Router {
  const page = pageDocument({
    title: 'Marketplace gateway',
    css: CSS,
    body: body(options),
    header: options.frame('/'),
    head: `<script src="${options.base}/copy.js" defer></script>`,
  });
  const headers = pageHeaders({ ...documentPolicy(CSS), scriptSrc: ["'self'"], imgSrc: ['data:', "'self'"] });
  return express
    .Router()
    .get('/copy.js', new StaticResponse(COPY_SCRIPT, 'js').send)
    .get('/', new StaticResponse(page, 'html', { headers }).send);
}

function body(options: HomeOptions): string {
  return `<div class="welcome"><h1>The app marketplace for your product</h1>
  <p class="lead">Developers publish apps, administrators review them, and everybody can find, install and rate them.
  It is a service with an API, and comes with three areas that are ready to use.</p></div>
  ${options.web ? areas(options) + browserSteps(options) : ''}
  <h2>The API</h2>
  <p class="lead">GraphQL covers everything, REST the essentials. A first request needs no account:</p>
  <div class="command"><pre class="line"><code>curl '${escapeHtml(options.publicUrl)}/api/apps?limit=3'</code></pre></div>
  <div class="command"><pre class="line"><code>curl ${escapeHtml(options.publicUrl)}/graphql -H 'content-type: application/json' -d '{"query":"{ featuredApps { name slug } }"}'</code></pre></div>
  <ul class="cards">${links(options).map(card).join('')}</ul>
  <details class="tour"><summary><h2>Publish an app with the API in five steps</h2></summary>
  <ol>${steps(options)}</ol></details>
  <footer>Health: <a href="${options.base}/livez">/livez</a>, <a href="${options.base}/readyz">/readyz</a>.
  GraphQL: <code>POST ${options.base}/graphql</code>.</footer>`;
}

const doors = [
  { area: 'market', title: 'Marketplace', text: 'Find apps, read about them, install and rate them.' },
  {
    area: 'console',
    title: 'For developers',
    text: 'Write a listing, submit it, follow its review, and see how it does.',
  },
  {
    area: 'desk',
    title: 'Review desk',
    text: 'Decide on submissions, with every check and picture on one page.',
  },
] as const;

function areas({ base, demo }: HomeOptions): string {
  const pictures = webPictures(base);
  const door = ({ area, title, text }: (typeof doors)[number]) =>
    `<li><a href="${base}/${area}"><picture><source srcset="${pictures.get(`${area}-dark`)}" media="(prefers-color-scheme: dark)"><img src="${pictures.get(area)}" alt="" width="640" height="360"></picture><strong>${title}</strong><span>${text}</span></a></li>`;
  return `<ul class="cards doors">${doors.map(door).join('')}</ul>
  ${demo ? '<p class="note">This is a development server: when asked to sign in, choose a demo account. No password is needed.</p>' : ''}`;
}

const browserSteps = ({ base, demo }: HomeOptions) => `<h2>Publish an app in the browser</h2>
  <ol class="row">
    <li><p>Open the <a href="${base}/console">developer console</a>${demo ? ' as a demo account' : ''}, register, and write a listing.</p></li>
    <li><p>Open the <a href="${base}/desk">review desk</a> as an administrator, and verify the developer.</p></li>
    <li><p>Submit the app in the console, approve it at the desk, and find it in the <a href="${base}/market">storefront</a>.</p></li>
  </ol>`;

type Link = { path: string; title: string; text: string };

function links({ base, demo, playground, introspection, mailbox }: HomeOptions): Link[] {
  const all = [
    playground && {
      path: '/playground',
      title: 'Playground',
      text: `Run GraphQL operations in the browser${demo ? ', as demo accounts' : ''}`,
    },
    { path: '/docs', title: 'REST reference', text: 'Read about the REST operations and try them' },
    mailbox && { path: '/dev/mailbox', title: 'Mailbox', text: 'The e-mails that the service would send' },
    {
      path: '/cli/marketplace.mjs',
      title: 'Command-line tool',
      text: 'Publish an app from a terminal or a pipeline',
    },
    { path: '/openapi.json', title: 'openapi.json', text: 'OpenAPI 3.1 document for client generators' },
    introspection && { path: '/schema.graphql', title: 'schema.graphql', text: 'The GraphQL schema' },
  ];
  return all.filter((link) => link !== false).map((link) => ({ ...link, path: base + link.path }));
}

const card = ({ path, title, text }: Link) =>
  `<li><a href="${path}"><strong>${title}</strong><span>${text}</span></a></li>`;

function steps({ base, publicUrl, demo, playground }: HomeOptions): string {
  return tour({ url: publicUrl, base, demo, playground })
    .map(({ text, commands }) => `<li><p>${text}</p>${folded(commands)}</li>`)
    .join('');
}

const MAX_SHOWN_LINES = 3;

/** Long commands are folded: the page is read before they are run. */
function folded(commands: string): string {
  const command = `<div class="command"><pre tabindex="0"><code>${escapeHtml(commands)}</code></pre></div>`;
  const lines = commands.split('\n').length;
  return lines > MAX_SHOWN_LINES
    ? `<details><summary>Show the commands (${lines} lines)</summary>${command}</details>`
    : command;
}
