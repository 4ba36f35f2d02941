import escapeHtml from 'escape-html';
import express from 'express';
import { StaticResponse } from '../server/static-response.js';
import { staticPage } from './document.js';
import { FRAME_CSS, frame, type Site } from './frame.js';
import { HOME_CSS } from './home.css.js';
import { tour } from './tour.js';
import { webPictures } from './web.js';

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
export function home(site: Site): express.Router {
  const page = staticPage({
    title: 'Marketplace gateway',
    css: CSS,
    body: body(site),
    header: frame(site, '/'),
    head: `<script src="${site.base}/copy.js" defer></script>`,
    policy: { scriptSrc: ["'self'"], imgSrc: ['data:', "'self'"] },
  });
  return express.Router().get('/copy.js', new StaticResponse(COPY_SCRIPT, 'js').send).get('/', page.send);
}

function body(site: Site): string {
  return `<div class="welcome"><h1>The app marketplace for your product</h1>
  <p class="lead">Developers publish apps, administrators review them, and everybody can find, install and rate them.
  It is a service with an API, and comes with three areas that are ready to use.</p></div>
  ${site.web ? areas(site) + browserSteps(site) : ''}
  <h2>The API</h2>
  <p class="lead">GraphQL covers everything, REST the essentials. A first request needs no account:</p>
  <div class="command"><pre class="line"><code>curl '${escapeHtml(site.publicUrl)}/api/apps?limit=3'</code></pre></div>
  <div class="command"><pre class="line"><code>curl ${escapeHtml(site.publicUrl)}/graphql -H 'content-type: application/json' -d '{"query":"{ featuredApps { name slug } }"}'</code></pre></div>
  <ul class="cards">${links(site).map(card).join('')}</ul>
  <details class="tour"><summary><h2>Publish an app with the API in five steps</h2></summary>
  <ol>${steps(site)}</ol></details>
  <footer>Health: <a href="${site.base}/livez">/livez</a>, <a href="${site.base}/readyz">/readyz</a>.
  GraphQL: <code>POST ${site.base}/graphql</code>.</footer>`;
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

function areas({ base, isDemo }: Site): string {
  const pictures = webPictures(base);
  const door = ({ area, title, text }: (typeof doors)[number]) =>
    `<li><a href="${base}/${area}"><picture><source srcset="${pictures.get(`${area}-dark`)}" media="(prefers-color-scheme: dark)"><img src="${pictures.get(area)}" alt="" width="640" height="360"></picture><strong>${title}</strong><span>${text}</span></a></li>`;
  return `<ul class="cards doors">${doors.map(door).join('')}</ul>
  ${isDemo ? '<p class="note">This is a development server: when asked to sign in, choose a demo account. No password is needed.</p>' : ''}`;
}

const browserSteps = ({ base, isDemo }: Site) => `<h2>Publish an app in the browser</h2>
  <ol class="row">
    <li><p>Open the <a href="${base}/console">developer console</a>${isDemo ? ' as a demo account' : ''}, register, and write a listing.</p></li>
    <li><p>Open the <a href="${base}/desk">review desk</a> as an administrator, and verify the developer.</p></li>
    <li><p>Submit the app in the console, approve it at the desk, and find it in the <a href="${base}/market">storefront</a>.</p></li>
  </ol>`;

type Link = { path: string; title: string; text: string };

function links({ base, isDemo, playground, introspection, mailbox }: Site): Link[] {
  const all = [
    playground && {
      path: '/playground',
      title: 'Playground',
      text: `Run GraphQL operations in the browser${isDemo ? ', as demo accounts' : ''}`,
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

const steps = (site: Site) =>
  tour(site)
    .map(({ text, commands }) => `<li><p>${text}</p>${folded(commands)}</li>`)
    .join('');

const MAX_SHOWN_LINES = 3;

/** Long commands are folded: the page is read before they are run. */
function folded(commands: string): string {
  const command = `<div class="command"><pre tabindex="0"><code>${escapeHtml(commands)}</code></pre></div>`;
  const lines = commands.split('\n').length;
  return lines > MAX_SHOWN_LINES
    ? `<details><summary>Show the commands (${lines} lines)</summary>${command}</details>`
    : command;
}
