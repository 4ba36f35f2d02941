import { readdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import escapeHtml from 'escape-html';
import express from 'express';
import { DEMO_ACCOUNTS } from '../auth/demo-accounts.js';
import { type HttpResponse, textResponse } from '../server/http-response.js';
import { pathOf, type RoutedRequest, responding } from '../server/routing.js';
import { staticFiles } from '../server/static-response.js';
import { cspSource, pageHeaders } from './content-security-policy.js';
import { ICON } from './document.js';
import type { LinkPreview, PreviewOf } from './link-preview.js';
import type { SignIn, SignInOptions } from './sign-in.js';

const areas = ['market', 'console', 'desk'] as const;
type Area = (typeof areas)[number];

/** The files of an area, as `scripts/build-web.mjs` lists them. */
type AreaFiles = { script: string; style: string; preload: string[] };

const folder = join(findPackageJSON('..', import.meta.url)!, '..', 'dist', 'web');

interface WebOptions {
  /** Path of the service in its public URL, without a trailing slash. */
  base: string;
  publicUrl: string;
  production: boolean;
  /** True if the service issues its own tokens (D14): then one click signs in as a demo account. */
  isDemo: boolean;
  /** Null if nobody can sign in. */
  signIn: SignIn | null;
  previewOf: PreviewOf;
}

/** The browser application of `web/`: the storefront, the console of developers and the desk of administrators. */
export function web(options: WebOptions): express.Router {
  const manifest: Record<Area, AreaFiles> = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const router = express.Router();
  const names = readdirSync(folder).filter((name) => name !== 'manifest.json');
  const files = new Map(names.map((name) => [`/${name}`, join(folder, name)]));
  // The name of a file contains the hash of its content.
  router.use(
    '/web',
    staticFiles(files, () => ({}), 'public, max-age=31536000, immutable'),
  );
  for (const area of areas) {
    const page = responding((request) => areaPage(options, area, manifest[area], request));
    router.get([`/${area}`, `/${area}/*path`], page);
  }
  return router;
}

async function areaPage(
  options: WebOptions,
  area: Area,
  files: AreaFiles,
  request: RoutedRequest,
): Promise<HttpResponse> {
  const preview =
    area === 'market' ? await options.previewOf(pathOf(request).slice('/market'.length)) : areaNames[area];
  const signIn = (await options.signIn?.options(area)) ?? null;
  const html = document({ ...options, area, files, preview, signIn });
  return textResponse(
    'html',
    html,
    { ...headers(options, signIn), 'cache-control': 'no-cache' },
    preview ? 200 : 404,
  );
}

const areaNames: Record<Exclude<Area, 'market'>, LinkPreview> = {
  console: {
    title: 'Developer console',
    description: 'Publish apps in the marketplace.',
    image: null,
    path: null,
  },
  desk: { title: 'Review desk', description: 'Review apps of the marketplace.', image: null, path: null },
};

const notFound: LinkPreview = { title: 'Not found · Marketplace', description: '', image: null, path: null };

interface PageOptions extends Omit<WebOptions, 'signIn'> {
  area: Area;
  files: AreaFiles;
  /** Null if there is no such page. */
  preview: LinkPreview | null;
  signIn: SignInOptions | null;
}

/** Renders the page of an area. The settings are embedded as data, so that the policy allows no inline scripts. */
function document({ base, publicUrl, area, files, preview, signIn, isDemo }: PageOptions): string {
  const settings = { base, area, signIn, demoAccounts: isDemo ? Object.values(DEMO_ACCOUNTS) : null };
  const file = (name: string) => `${base}/web/${name}`;
  const { title, description, image, path } = preview ?? notFound;
  const address = path === null ? null : escapeHtml(publicUrl.replace(/\/+$/, '') + path);
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
  <link rel="icon" href="${ICON}">
  <link rel="stylesheet" href="${file(files.style)}">
  ${files.preload.map((name) => `<link rel="modulepreload" href="${file(name)}">`).join('\n  ')}
  <script type="application/json" id="settings">${JSON.stringify(settings).replaceAll('<', '\\u003c')}</script>
  <script type="module" src="${file(files.script)}"></script>
</head>
<body>
  <div id="root"></div>
  <noscript><h1>${escapeHtml(title)}</h1><p>${escapeHtml(description)}</p><p>This page needs JavaScript.</p></noscript>
</body>
</html>
`;
}

/** In development, pictures of the demo data are on this machine, which has several names. */
const loopbackPictures = ['http://127.0.0.1:*', 'http://localhost:*'];

/** Returns the headers of a page. Listings contain pictures of any https server; nothing else comes from elsewhere. */
const headers = ({ production }: WebOptions, signIn: SignInOptions | null) =>
  pageHeaders({
    defaultSrc: ["'none'"],
    scriptSrc: ["'self'"],
    styleSrc: ["'self'"],
    imgSrc: ["'self'", 'data:', 'https:', ...(production ? [] : loopbackPictures)],
    connectSrc: ["'self'", ...(signIn?.endpoints ? [cspSource(signIn.endpoints.token)] : [])],
    // No script writes HTML.
    requireTrustedTypesFor: ["'script'"],
    trustedTypes: ["'none'"],
  });
