import escapeHtml from 'escape-html';
import type { AppFacets } from '../../modules/catalog/app-facets.types.js';
import type { AppPage, PublicApp } from '../../modules/catalog/catalog.types.js';
import {
  anchor,
  appCards,
  byCategory,
  developerName,
  installsOf,
  type Link,
  logo,
  oneLine,
  paging,
  ratingFigure,
  searchForm,
  wordsOf,
} from './parts.html.js';
import { type AppListing, addressOf, filtersOf, placeOf, titleOf } from './storefront-address.js';

/** The number of ratings that an app needs to be top rated, as the script of the page has it (D423). */
export const minRatings = 5;

/** The lists of apps on the start page, above the list of all. */
export interface Collections {
  featured: readonly PublicApp[];
  newest: readonly PublicApp[];
  popular: readonly PublicApp[];
  rated: readonly PublicApp[];
  categories: readonly string[];
}

interface ListPage extends AppPage {
  listing: AppListing;
  /** Null for a search, which the filters would repeat. */
  facets: AppFacets | null;
  /** Null on all pages but the first one of all apps. */
  collections: Collections | null;
}

/** A list of apps; the start page has a welcome, the categories and the collections. */
export const listHtml = (
  link: Link,
  { listing, collections, facets, apps, pagination }: ListPage,
): string => `
${collections ? `${welcome(link, collections)}<div class="stack home">${collectionsHtml(link, collections)}` : `${searchForm(link, listing.search)}<div class="stack"><h1 class="hidden">Apps for your work</h1>`}
  <div${facets ? ' class="discover"' : ''}>
    ${facets ? `<div class="facets">${facetsHtml(link, listing, facets)}</div>` : ''}
    <section class="stack results" aria-labelledby="results">
      <div class="row"><h2 id="results" dir="auto">${escapeHtml(titleOf(listing) ?? 'All apps')}</h2><small>${placeOf(listing.page, apps.length, pagination.total)}</small></div>
      ${chips(link, listing)}
      ${apps.length > 0 ? appCards(link, apps, { isInCategory: listing.category !== null }) : `<p>${listing.page > 1 ? `This list has no page ${listing.page}.` : 'No apps found.'} ${anchor(link(''), 'Show all apps')}</p>`}
      ${paging(listing.page, pagination.totalPages, (page) => link(addressOf({ ...listing, page })))}
    </section>
  </div>
</div>`;

/** The filters of the list, each with a link that removes it. A single one is in the heading, and where it was chosen. */
function chips(link: Link, listing: AppListing): string {
  const filters = filtersOf(listing);
  if (filters.length < 2) return '';
  const items = filters.map(({ name, without }) => {
    const address = link(addressOf({ ...listing, ...without, page: 1 }));
    const label = escapeHtml(`Remove the filter ${name}`);
    return `<li>${anchor(address, name, `class="chip" dir="auto" aria-label="${label}"`)}</li>`;
  });
  return `<ul class="plain row" aria-label="Filters">${items.join('')}</ul>`;
}

const welcome = (link: Link, { categories }: Collections) => `<div class="hero">
  <div class="hero-text"><h1>Apps for your work</h1>
  <p>Reviewed apps that work with your tasks and your team.</p></div>
  ${searchForm(link)}
  <nav aria-label="Categories"><ul class="plain category-chips">${categories
    .map((category) => `<li>${anchor(link(`?category=${category}`), wordsOf(category), 'class="chip"')}</li>`)
    .join('')}</ul></nav>
</div>`;

const weekMs = 7 * 24 * 3_600_000;

function collectionsHtml(link: Link, { featured, newest, popular, rated }: Collections): string {
  if (popular.length === 0) return '';
  const isNew = newest.every(({ approvedAt }) => Date.now() - Date.parse(approvedAt) < weekMs);
  return `${featured.length === 0 ? '' : `<section aria-labelledby="featured"><h2 id="featured">Staff picks</h2>${appCards(link, featured, { isFeatured: true })}</section>`}<div class="charts">
    ${chart(link, isNew ? 'New this week' : 'Newest', 'newest', newest)}
    ${chart(link, 'Most installed', 'popular', popular)}
    ${chart(link, 'Top rated', 'rating', rated, `${minRatings}+ ratings`)}
  </div>`;
}

const chart = (link: Link, title: string, sort: string, apps: readonly PublicApp[], note = '') =>
  `<section class="card chart-list" aria-labelledby="collection-${sort}">
  <div class="row apart"><h2 id="collection-${sort}">${title}${note && `<small> ${note}</small>`}</h2>${anchor(link(`?sort=${sort}`), 'See all', `aria-label="See all: ${title}"`)}</div>
  ${apps.length === 0 ? '<p class="soft">No app has enough ratings yet.</p>' : ''}<ol class="plain">${apps
    .map(
      (app) => `<li class="entry">${logo(app)}<div>
    <a class="one-line" href="${escapeHtml(link(`/apps/${app.slug}`))}"><bdi>${escapeHtml(app.name)}</bdi></a>
    ${oneLine(developerName(app.developer))}
  </div><small class="entry-figure">${figureOf(app, sort)}</small></li>`,
    )
    .join('')}</ol>
</section>`;

const figureOf = ({ installCount, averageRating, reviewCount }: PublicApp, sort: string) =>
  sort === 'popular'
    ? installsOf(installCount)
    : reviewCount > 0
      ? ratingFigure(averageRating, reviewCount)
      : 'New';

const environmentOrder = ['production', 'staging', 'localhost'];

function facetsHtml(link: Link, listing: AppListing, { categories, environments }: AppFacets): string {
  const kinds = categories.map(({ category, count }) => ({ value: category as string, count }));
  const places = environments.map(({ environment, count }) => ({ value: environment as string, count }));
  const order = (place: string) => environmentOrder.indexOf(place);
  return (
    facet(
      link,
      listing,
      'category',
      kinds.toSorted((one, other) => byCategory(one.value, other.value)),
    ) +
    facet(
      link,
      listing,
      'environment',
      places.toSorted((one, other) => order(one.value) - order(other.value)),
    )
  );
}

/** The values with apps, and the current one. Nothing if there is nothing to choose. */
function facet(
  link: Link,
  listing: AppListing,
  field: 'category' | 'environment',
  values: readonly { value: string; count: number }[],
): string {
  const current = listing[field];
  const total = values.reduce((sum, { count }) => sum + count, 0);
  const shown = values.filter(({ value, count }) => value === current || count > 0);
  if (total === 0 || (shown.length === 1 && current === null)) return '';
  const rows = [{ value: null, count: total }, ...shown].map(({ value, count }) => {
    const label = `<span>${value === null ? 'All' : wordsOf(value)}</span> <small>${count}</small>`;
    const address = link(addressOf({ ...listing, [field]: value, page: 1 }));
    return `<li><a href="${escapeHtml(address)}"${value === current ? ' aria-current="true"' : ''}>${label}</a></li>`;
  });
  return `<nav aria-labelledby="facet-${field}"><h2 id="facet-${field}">${wordsOf(field)}</h2><ul class="plain">${rows.join('')}</ul></nav>`;
}
