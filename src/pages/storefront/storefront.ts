import { contract } from '../../contract.js';
import { ServiceError } from '../../errors.js';
import { AppSort, type PublicApp } from '../../modules/catalog/catalog.types.js';
import { call } from '../../operations/call.js';
import type { Context } from '../../operations/context.js';
import type { Site } from '../frame.js';
import { appHtml } from './app.html.js';
import { developerHtml } from './developer.html.js';
import { softwareApplication } from './json-ld.js';
import { type Collections, listHtml, minRatings } from './list.html.js';
import { byCategory, developerName, type Link } from './parts.html.js';
import { addressOf, appsPerPage, canonicalOf, listingOf, pageOf, titleOf } from './storefront-address.js';

/** A page of the storefront as the service sends it: for search engines, previews of links, and browsers without scripts. */
export interface StorefrontPage {
  readonly title: string;
  readonly description: string;
  readonly image?: string | null;
  /** Path and query of the page; absent if search engines must not list the page. */
  readonly path?: string;
  /** The content of the page; absent if the script has to read it. */
  readonly html?: string;
  /** A description for machines. */
  readonly jsonLd?: object;
  /** Address of the same page for browsers without scripts. */
  readonly plain?: string;
  /** The error because of which there is no content. */
  readonly failure?: unknown;
}

/** Returns a page of the storefront by its path, such as `/apps/time-tracker`; null if there is no such page. */
export type StorefrontPages = (path: string, query: URLSearchParams) => Promise<StorefrontPage | null>;

interface StorefrontOptions {
  site: Site;
  /** Page of the host product that installs an app; null if there is none. */
  installUrl: string | null;
  contextOf: () => Context;
}

const start = {
  title: 'App marketplace',
  description: 'Find apps that extend your task management: browse, search and install.',
};
const maxDescriptionLength = 300;
const appsPerCollection = 5;
/** As the script of the page has it. */
const ratedAppsRead = 50;

/** Reads pages by the public operations, as any client could. */
export function storefrontPages({ site, installUrl, contextOf }: StorefrontOptions): StorefrontPages {
  const { base, publicUrl } = site;
  const link: Link = (path) => `${base}/market${path}`;
  const urlOf = (path: string) => `${publicUrl.replace(/\/+$/, '')}/market${path}`;
  const read = (path: string, query: URLSearchParams) => {
    if (/^\/?$/.test(path)) return listPage(contextOf(), link, query);
    const [, kind, key = ''] = /^\/(apps|developers)\/([^/]+)\/?$/.exec(path) ?? [];
    if (kind === 'apps') return appPage(contextOf(), { link, urlOf, installUrl }, decodeURIComponent(key));
    if (kind === 'developers')
      return developerPage(contextOf(), link, decodeURIComponent(key), pageOf(query));
    return null;
  };
  return async (path, query) => {
    try {
      return await read(path, query);
    } catch (error) {
      const isNoPage =
        error instanceof ServiceError && ['NOT_FOUND', 'VALIDATION_FAILED'].includes(error.code);
      if (isNoPage || error instanceof URIError) return null;
      // The script says that the service is not available.
      return { ...start, path: `/market${path}`, failure: error };
    }
  };
}

/** A search is left to the script, unless the form for browsers without scripts asks for it: it costs most. */
async function listPage(context: Context, link: Link, query: URLSearchParams): Promise<StorefrontPage> {
  const listing = listingOf(query);
  const parts = [titleOf(listing), listing.page > 1 && `Page ${listing.page}`].filter((part) => part);
  const page = {
    ...start,
    ...(parts.length > 0 && { title: [...parts, 'Marketplace'].join(' · ') }),
    path: `/market${canonicalOf(listing)}`,
  };
  if (listing.search && !listing.plain)
    return { ...page, plain: link(`?${new URLSearchParams([...query, ['plain', '1']])}`) };
  const { search, category, environment, sort } = listing;
  const filter = { category, environment };
  const [list, facets, collections] = await Promise.all([
    call(contract.browseApps, context, { ...filter, search, sort, page: listing.page, limit: appsPerPage }),
    // The counts of the filters would be a second search.
    search ? null : call(contract.apps, context, { ...filter, first: 1 }).then((apps) => apps.facets),
    addressOf(listing) === '' ? collectionsOf(context) : null,
  ]);
  return { ...page, html: listHtml(link, { ...list, listing, collections, facets }) };
}

/** Apps whose average says something, of those with the highest: one rating of five stars is no reputation (D423). */
const topRated = (apps: readonly PublicApp[]) =>
  apps.filter(({ reviewCount }) => reviewCount >= minRatings).slice(0, appsPerCollection);

async function collectionsOf(context: Context): Promise<Collections> {
  const sorted = (sort: AppSort, limit = appsPerCollection) =>
    call(contract.browseApps, context, { sort, limit });
  const [featured, newest, popular, rated, categories] = await Promise.all([
    call(contract.featuredApps, context, { limit: 6 }),
    sorted(AppSort.newest),
    sorted(AppSort.popular),
    sorted(AppSort.rating, ratedAppsRead),
    call(contract.categories, context, {}),
  ]);
  return {
    featured,
    newest: newest.apps,
    popular: popular.apps,
    rated: topRated(rated.apps),
    categories: categories.map(({ category }) => category).toSorted(byCategory),
  };
}

interface AppPageOptions extends Pick<StorefrontOptions, 'installUrl'> {
  link: Link;
  urlOf: (path: string) => string;
}

async function appPage(
  context: Context,
  { link, urlOf, installUrl }: AppPageOptions,
  slug: string,
): Promise<StorefrontPage> {
  const app = await call(contract.app, context, { slug });
  const [distribution, ratings, { verified }, own, similar] = await Promise.all([
    context.loaders.ratingDistribution.load(app.id),
    call(contract.appRatings, context, { slug, first: 10 }),
    context.loaders.publicProfile.load(app.developer.id),
    call(contract.browseApps, context, { developer: app.developer.id, limit: 4 }),
    call(contract.similarApps, context, { slug, first: 3 }),
  ]);
  const html = appHtml(link, {
    app,
    distribution,
    ratings: ratings.edges.map(({ node }) => node),
    more: own.apps.filter(({ id }) => id !== app.id).slice(0, 3),
    developerApps: own.pagination.total,
    similar,
    isVerified: verified,
    installUrl: installUrl?.replace('{slug}', app.slug).replace('{id}', app.id) ?? null,
  });
  return {
    title: `${app.name} · Marketplace`,
    description: shortened(app.description),
    image: app.bannerUrl ?? app.logoUrl,
    path: `/market/apps/${app.slug}`,
    html,
    jsonLd: softwareApplication(app, urlOf),
  };
}

async function developerPage(
  context: Context,
  link: Link,
  id: string,
  page: number,
): Promise<StorefrontPage> {
  const developer = await call(contract.publicDeveloper, context, { id });
  const [profile, list] = await Promise.all([
    context.loaders.publicProfile.load(developer.id),
    call(contract.browseApps, context, { developer: developer.id, page, limit: appsPerPage }),
  ]);
  const name = developerName(developer);
  return {
    title: `${name} · Marketplace`,
    description: `Apps by ${name}.`,
    path: `/market/developers/${developer.id}${page > 1 ? `?page=${page}` : ''}`,
    html: developerHtml(link, { ...list, developer, profile }),
  };
}

/** Returns the beginning of a text. Characters outside the basic plane are not cut in half. */
function shortened(text: string): string {
  const characters = [...text];
  return characters.length <= maxDescriptionLength
    ? text
    : `${characters
        .slice(0, maxDescriptionLength - 1)
        .join('')
        .trimEnd()}…`;
}
