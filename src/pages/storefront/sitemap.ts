import escapeHtml from 'escape-html';
import express from 'express';
import { contract } from '../../contract.js';
import { ServiceError } from '../../errors.js';
import { AppSort, type PublicApp } from '../../modules/catalog/catalog.types.js';
import { call } from '../../operations/call.js';
import type { Context } from '../../operations/context.js';
import { StaticResponse } from '../../server/static-response.js';
import type { Site } from '../frame.js';
import { type PageCache, publicPage } from '../public-page.js';
import { developerName, wordsOf } from './parts.html.js';

interface CrawlerOptions {
  site: Site;
  contextOf: () => Context;
  cache: PageCache;
}

/** The apps of one file: one page of the public list. */
const appsPerFile = 100;
const feedLength = 50;
const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';

/** Serves what programs read of the storefront: robots.txt, the site map and the feed of new apps (D383). */
export function crawlerFiles(options: CrawlerOptions): express.Router {
  const { site, cache } = options;
  const root = site.publicUrl.replace(/\/+$/, '');
  const urlOf = (path: string) => escapeHtml(`${root}${path}`);
  const router = express.Router();
  router.get('/robots.txt', new StaticResponse(robots(site.base, root), 'txt').send);
  const xml = (body: string) => ({ type: 'xml', body: declaration + body });
  router.get(
    '/sitemap.xml',
    publicPage(cache, async () => xml(await siteIndex(options.contextOf(), urlOf))),
  );
  router.get(
    '/sitemaps/lists.xml',
    publicPage(cache, async () => xml(await listMap(options.contextOf(), urlOf))),
  );
  router.get(
    '/sitemaps/apps-:page.xml',
    publicPage(cache, async ({ params: { page } }) =>
      xml(await appMap(options.contextOf(), urlOf, String(page))),
    ),
  );
  router.get(
    '/market/new.atom',
    publicPage(cache, async () => ({
      type: 'atom',
      body: declaration + (await feed(options.contextOf(), urlOf)),
    })),
  );
  return router;
}

/** Without the pages there is nothing to list. */
export const noRobots = (): express.Router =>
  express.Router().get('/robots.txt', new StaticResponse('User-agent: *\nDisallow: /\n', 'txt').send);

/** GraphQL is allowed: a search engine that runs the script reads the pages by it. */
const robots = (base: string, root: string) => `User-agent: *
${['/api/', '/console', '/desk', '/playground', '/dev/', '/undo', '/market?*search='].map((path) => `Disallow: ${base}${path}\n`).join('')}
Sitemap: ${root}/sitemap.xml
`;

type UrlOf = (path: string) => string;

const readApps = (context: Context, page: number, limit: number) =>
  call(contract.browseApps, context, { sort: AppSort.newest, page, limit });

async function siteIndex(context: Context, urlOf: UrlOf): Promise<string> {
  const { pagination } = await readApps(context, 1, appsPerFile);
  const files = Array.from(
    { length: pagination.totalPages },
    (_, index) => `/sitemaps/apps-${index + 1}.xml`,
  );
  const entries = ['/sitemaps/lists.xml', ...files].map(
    (path) => `<sitemap><loc>${urlOf(path)}</loc></sitemap>`,
  );
  return `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('')}</sitemapindex>\n`;
}

const siteMap = (urls: Iterable<readonly [url: string, changedAt: string | null]>) =>
  `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${Array.from(
    urls,
    ([url, changedAt]) => `<url><loc>${url}</loc>${changedAt ? `<lastmod>${changedAt}</lastmod>` : ''}</url>`,
  ).join('')}</urlset>\n`;

async function listMap(context: Context, urlOf: UrlOf): Promise<string> {
  const categories = await call(contract.categories, context, {});
  const lists = categories.filter(({ count }) => count > 0).map(({ category }) => `?category=${category}`);
  return siteMap(['', ...lists].map((list) => [urlOf(`/market${list}`), null]));
}

/** The apps of a page of the list, each with its developer. */
async function appMap(context: Context, urlOf: UrlOf, page: string): Promise<string> {
  const { apps } = /^[1-9]\d{0,5}$/.test(page)
    ? await readApps(context, Number(page), appsPerFile)
    : { apps: [] };
  if (apps.length === 0) throw new ServiceError('NOT_FOUND', 'The site map has no such file.');
  const urls = new Map<string, string | null>();
  for (const { slug, updatedAt, developer } of apps) {
    urls.set(urlOf(`/market/apps/${slug}`), updatedAt);
    urls.set(urlOf(`/market/developers/${developer.id}`), null);
  }
  return siteMap(urls);
}

async function feed(context: Context, urlOf: UrlOf): Promise<string> {
  const { apps } = await readApps(context, 1, feedLength);
  return `<feed xmlns="http://www.w3.org/2005/Atom">
<title>New apps in the marketplace</title>
<id>${urlOf('/market/new.atom')}</id>
<link rel="self" type="application/atom+xml" href="${urlOf('/market/new.atom')}"/>
<link rel="alternate" type="text/html" href="${urlOf('/market?sort=newest')}"/>
<updated>${apps[0]?.approvedAt ?? new Date(0).toISOString()}</updated>
${apps.map((app) => entry(app, urlOf)).join('\n')}
</feed>
`;
}

/** Texts that are older than the rule that refuses them may have characters that XML cannot contain. */
const escapeXml = (text: string) =>
  escapeHtml(text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ''));

const entry = (app: PublicApp, urlOf: UrlOf) => `<entry>
<title>${escapeXml(app.name)}</title>
<id>urn:uuid:${app.id}</id>
<link rel="alternate" type="text/html" href="${urlOf(`/market/apps/${app.slug}`)}"/>
<published>${app.approvedAt}</published>
<updated>${app.approvedAt}</updated>
<author><name>${escapeXml(developerName(app.developer))}</name></author>
<category term="${app.category}" label="${wordsOf(app.category)}"/>
<summary>${escapeXml(app.description)}</summary>
</entry>`;
