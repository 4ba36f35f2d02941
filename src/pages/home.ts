import escapeHtml from 'escape-html';
import express from 'express';
import { StaticResponse } from '../server/static-response.js';
import { pageHeaders } from './content-security-policy.js';
import { documentPolicy, pageDocument } from './document.js';
import { HOME_CSS } from './home.css.js';
import { tour } from './tour.js';

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
}

/** The home page: what the service is, links, and a tour. It runs no script. */
export function home(options: HomeOptions): express.Router {
  const page = pageDocument({ title: 'Marketplace gateway', css: HOME_CSS, body: body(options) });
  const headers = pageHeaders(documentPolicy(HOME_CSS));
  return express.Router().get('/', new StaticResponse(page, 'html', { headers }).send);
}

function body(options: HomeOptions): string {
  return `<h1>Marketplace gateway</h1>
  <p class="lead">The app marketplace behind a task-management product. Developers publish apps, administrators
  review them, and everyone can install them. GraphQL has all operations, REST the most important ones.</p>
  ${options.web ? areas(options) : ''}
  <h2>The API</h2>
  ${options.playground && options.demo ? demoButtons(options.base) : ''}
  <ul class="cards">${links(options).map(card).join('')}</ul>
  ${options.web ? browserSteps(options) : ''}
  <h2>Publish an app with the API in five steps</h2>
  <ol>${steps(options)}</ol>
  <footer>Health: <a href="${options.base}/livez">/livez</a>, <a href="${options.base}/readyz">/readyz</a>.
  GraphQL: <code>POST ${options.base}/graphql</code>.</footer>`;
}

const areas = ({ base, demo }: HomeOptions) => `<ul class="cards areas">${[
  { path: `${base}/market`, title: 'Storefront', text: 'Find apps, read about them, install and rate them' },
  {
    path: `${base}/console`,
    title: 'Developer console',
    text: 'Register, write a listing, submit it, see how it does',
  },
  { path: `${base}/desk`, title: 'Review desk', text: 'Review what developers have submitted' },
]
  .map(card)
  .join('')}</ul>
  ${demo ? '<p class="note">This is a development server: one click signs you in as a demo account.</p>' : ''}`;

const browserSteps = ({ base, demo }: HomeOptions) => `<h2>Publish an app in the browser</h2>
  <ol>
    <li><p>Open the <a href="${base}/console">developer console</a>${demo ? ' as a demo account' : ''}, register, write a listing and submit it.</p></li>
    <li><p>Open the <a href="${base}/desk">review desk</a> as an administrator, verify the developer, and approve the app.</p></li>
    <li><p>Find the app in the <a href="${base}/market">storefront</a>.</p></li>
  </ol>`;

const demoButtons = (base: string) => `<p class="buttons">
    <a class="button first" href="${base}/playground?as=admin">Open the playground as administrator</a>
    <a class="button" href="${base}/playground?as=developer">Open the playground as the demo developer</a>
  </p>
  <p class="note">In development the playground acts as demo accounts. In production you sign in with your own.</p>`;

type Link = { path: string; title: string; text: string };

function links({ base, playground, introspection, mailbox }: HomeOptions): Link[] {
  const all = [
    playground && { path: '/playground', title: 'Playground', text: 'Run GraphQL operations in the browser' },
    { path: '/docs', title: 'REST reference', text: 'Read about the REST operations and try them' },
    { path: '/api/apps', title: 'Public apps', text: 'The public apps as JSON' },
    mailbox && { path: '/dev/mailbox', title: 'Mailbox', text: 'The e-mails that the service would send' },
    { path: '/openapi.json', title: 'openapi.json', text: 'OpenAPI 3.1 document for client generators' },
    introspection && { path: '/schema.graphql', title: 'schema.graphql', text: 'The GraphQL schema' },
  ];
  return all.filter((link) => link !== false).map((link) => ({ ...link, path: base + link.path }));
}

const card = ({ path, title, text }: Link) =>
  `<li><a href="${path}"><strong>${title}</strong><span>${text}</span></a></li>`;

function steps({ base, publicUrl, demo, playground }: HomeOptions): string {
  return tour({ url: publicUrl, base, demo, playground })
    .map(({ text, commands }) => `<li><p>${text}</p><pre><code>${escapeHtml(commands)}</code></pre></li>`)
    .join('');
}
