import { readdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import escapeHtml from 'escape-html';
import express from 'express';
import { DEMO_ACCOUNTS } from '../auth/demo-accounts.js';
import { isOurFault, toServiceError } from '../errors.js';
import { textResponse } from '../server/http-response.js';
import { pathOf, responding } from '../server/routing.js';
import { staticFiles } from '../server/static-response.js';
import { cspSource, ICON, pageHeaders } from './document.js';
import { MARK, type Site } from './frame.js';
import { NOT_FOUND_REASON, NOT_FOUND_TITLE } from './not-found.js';
import { type PageCache, publicPage } from './public-page.js';
import type { SignIn, SignInOptions } from './sign-in.js';
import type { StorefrontPage, StorefrontPages } from './storefront/storefront.js';

type Area = 'market' | 'console' | 'desk' | 'parts';

/** The files of an area, as `scripts/build-web.mjs` lists them. */
type AreaFiles = { script: string; style: string; preload: string[] };

const folder = join(findPackageJSON('..', import.meta.url)!, '..', 'dist', 'web');

/** Returns the paths of the pictures in `web/pictures`, by their names. */
export const webPictures = (base: string): Map<string, string> => {
  const files: Record<string, string> = JSON.parse(readFileSync(join(folder, 'pictures.json'), 'utf8'));
  return new Map(Object.entries(files).map(([name, file]) => [name, `${base}/web/${file}`]));
};

interface WebOptions {
  site: Site;
  /** Null if nobody can sign in. */
  signIn: SignIn | null;
  /** Page of the host product that installs an app, with `{id}` and `{slug}`; null if there is none. */
  installUrl: string | null;
  storefront: StorefrontPages;
  cache: PageCache;
}

/** The browser application of `web/`: the storefront, the console of developers and the desk of administrators. */
export function web(options: WebOptions): express.Router {
  const manifest: Record<Area, AreaFiles> = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const router = express.Router();
  const names = readdirSync(folder).filter((name) => !name.endsWith('.json'));
  const files = new Map(names.map((name) => [`/${name}`, join(folder, name)]));
  // The name of a file contains the hash of its content.
  router.use(
    '/web',
    staticFiles(files, () => ({}), 'public, max-age=31536000, immutable'),
  );
  const render = async (area: Area, page: StorefrontPage | null) => {
    const signIn = (await options.signIn?.options(area)) ?? null;
    const html = document({ ...options, area, files: manifest[area], page, signIn });
    return {
      html,
      headers: headers(options.site, signIn, area),
      canSignIn: signIn === null || signIn.endpoints !== null,
    };
  };
  const plain = ['console', 'desk', ...(options.site.production ? [] : (['parts'] as const))] as const;
  for (const area of plain)
    router.get(
      area === 'parts' ? '/web/parts' : [`/${area}`, `/${area}/*path`],
      responding(async () => {
        const { html, headers: own } = await render(area, areaPages[area]);
        return textResponse('html', html, { ...own, 'cache-control': 'no-cache' });
      }),
    );
  router.get(
    ['/market', '/market/*path'],
    publicPage(options.cache, async (request) => {
      const query = new URLSearchParams(request.url?.split('?', 2)[1]);
      const page = await options.storefront(pathOf(request).slice('/market'.length), query);
      const { html, headers: own, canSignIn } = await render('market', page);
      const { failure } = page ?? {};
      if (failure && isOurFault(toServiceError(failure).code))
        request.context.log.error({ err: failure, requestId: request.context.id }, 'page failed');
      const isComplete = page !== null && !failure && canSignIn;
      return { type: 'html', body: html, headers: own, status: page ? 200 : 404, isComplete };
    }),
  );
  return router;
}

const areaPages: Record<Exclude<Area, 'market'>, StorefrontPage> = {
  console: { title: 'Developer console', description: 'Publish apps in the marketplace.' },
  desk: { title: 'Review desk', description: 'Review apps of the marketplace.' },
  parts: { title: 'Parts of the design', description: '' },
};

const notFound = (base: string): StorefrontPage => ({
  title: `${NOT_FOUND_TITLE} · Marketplace`,
  description: '',
  html: `<h1>${NOT_FOUND_TITLE}</h1><p>There is no page at this address. ${NOT_FOUND_REASON}</p><p><a href="${base}/market">Show all apps</a></p>`,
});

interface PageOptions extends Pick<WebOptions, 'site' | 'installUrl'> {
  area: Area;
  files: AreaFiles;
  /** Null if there is no such page. */
  page: StorefrontPage | null;
  signIn: SignInOptions | null;
}

/** Renders the page of an area. The settings are embedded as data, so that the policy allows no inline scripts. */
function document({ site, area, files, page, signIn, installUrl }: PageOptions): string {
  const { base, publicUrl, isDemo } = site;
  const demoAccounts = isDemo ? Object.values(DEMO_ACCOUNTS) : null;
  const settings = {
    base,
    area,
    signIn,
    demoAccounts,
    ...(area === 'market' && installUrl && { installUrl }),
  };
  const file = (name: string) => `${base}/web/${name}`;
  const { title, description, image, path, html = '', jsonLd, plain } = page ?? notFound(base);
  const root = publicUrl.replace(/\/+$/, '');
  const address = path === undefined ? null : escapeHtml(root + path);
  const meta = (name: string, content: string) =>
    `<meta property="${name}" content="${escapeHtml(content)}">`;
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>${escapeHtml(title)}</title>
  <meta name="description" content="${escapeHtml(description)}">
  ${address === null ? '<meta name="robots" content="noindex">' : `<link rel="canonical" href="${address}">\n  <meta property="og:url" content="${address}">`}
  <meta property="og:type" content="website">
  ${meta('og:title', title)}
  ${meta('og:description', description)}
  ${image ? meta('og:image', image) : ''}
  <meta name="twitter:card" content="${image ? 'summary_large_image' : 'summary'}">
  ${area === 'market' ? `<link rel="alternate" type="application/atom+xml" title="New apps" href="${escapeHtml(`${root}/market/new.atom`)}">` : ''}
  <link rel="icon" href="${ICON}">
  <link rel="stylesheet" href="${file(files.style)}">
  ${files.preload.map((name) => `<link rel="modulepreload" href="${file(name)}">`).join('\n  ')}
  <script type="application/json" id="settings">${asData(settings)}</script>${jsonLd ? `\n  <script type="application/ld+json">${asData(jsonLd)}</script>` : ''}
  <script type="module" src="${file(files.script)}"></script>
</head>
<body>
${html && sentPage(base, html)}
  <div id="root"></div>
  ${html ? '' : `<noscript><h1>${escapeHtml(title)}</h1><p>${escapeHtml(description)}</p><p>${plain ? `<a href="${escapeHtml(plain)}">Show the results without JavaScript</a>` : 'This page needs JavaScript.'}</p></noscript>`}
</body>
</html>
`;
}

/** JSON inside of an element: no text in it can end the element. */
const asData = (value: object) => JSON.stringify(value).replaceAll('<', '\\u003c');

/** The page for search engines and until the script has replaced it, in the frame of the storefront. */
const sentPage = (base: string, html: string) => `  <div class="shell" id="page">
    <header>
      <a class="brand" href="${base}/market">${MARK} Marketplace</a>
      <div class="places">
        <nav class="areas" aria-label="Areas"><a href="${base}/console">For developers</a></nav>
      </div>
    </header>
    <main>${html}
    <noscript><p class="soft">Installing and rating need JavaScript.</p></noscript></main>
  </div>`;

/** In development, pictures of the demo data are on this machine, which has several names. */
const loopbackPictures = ['http://127.0.0.1:*', 'http://localhost:*'];

/** Returns the headers of a page. Listings contain pictures of any https server; nothing else comes from elsewhere. */
const headers = ({ production }: Site, signIn: SignInOptions | null, area: Area) =>
  pageHeaders({
    defaultSrc: ["'none'"],
    // The search of a browser without scripts is a form.
    formAction: [area === 'market' ? "'self'" : "'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", 'data:', 'https:', ...(production ? [] : loopbackPictures)],
    connectSrc: ["'self'", ...(signIn?.endpoints ? [cspSource(signIn.endpoints.token)] : [])],
    // No script writes HTML.
    requireTrustedTypesFor: ["'script'"],
    trustedTypes: ["'none'"],
  });
