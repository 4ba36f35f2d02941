import escapeHtml from 'escape-html';
import type { PublicApp, PublicDeveloper } from '../../modules/catalog/catalog.types.js';

/** The address of a page of the storefront below its start page, such as `/apps/notes`. */
export type Link = (path: string) => string;

const figures = new Intl.NumberFormat('en');
const compact = new Intl.NumberFormat('en', { notation: 'compact' });

/** A number where there is little room: "9,876", "12K". */
const brief = (count: number): string => (count < 10_000 ? figures : compact).format(count);

const dayFormat = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });

/** `DEVELOPER_TOOLS` as "Developer tools". */
export const wordsOf = (name: string): string =>
  name === 'AI_ML'
    ? 'AI and ML'
    : name.charAt(0).toUpperCase() + name.slice(1).toLowerCase().replaceAll('_', ' ');

/** Compares categories by their words, with "Other" at the end. */
export const byCategory = (one: string, other: string): number =>
  Number(one === 'OTHER') - Number(other === 'OTHER') || wordsOf(one).localeCompare(wordsOf(other));

export const dayOf = (at: string | Date): string => dayFormat.format(new Date(at));

export const installsOf = (count: number): string =>
  `${brief(count)} ${count === 1 ? 'install' : 'installs'}`;

export const ratingsOf = (count: number): string => (count === 1 ? '1 rating' : `${count} ratings`);

export const appsOf = (count: number | string): string => (count === 1 ? '1 app' : `${count} apps`);

export const developerName = ({ companyName, name }: PublicDeveloper): string => companyName ?? name;

/** The direction of a text follows its first letter. */
export const text = (element: string, content: string, name = ''): string =>
  `<${element}${name && ` class="${name}"`} dir="auto">${escapeHtml(content)}</${element}>`;

/** A name in a line, which starts at the same edge whatever its direction. */
export const oneLine = (name: string): string =>
  `<small class="one-line"><bdi>${escapeHtml(name)}</bdi></small>`;

export const anchor = (href: string, content: string, more = ''): string =>
  `<a href="${escapeHtml(href)}"${more && ` ${more}`}>${escapeHtml(content)}</a>`;

/** A link that a developer has written. */
export const outsideLink = (url: string | null): string | null =>
  url && anchor(url, new URL(url).host, 'rel="noopener noreferrer nofollow"');

export const picture = (url: string, alt: string): string =>
  `<img src="${escapeHtml(url)}" alt="${escapeHtml(alt)}" loading="lazy" referrerpolicy="no-referrer">`;

/** The logo, or the first letter of the name. */
export const logo = ({ logoUrl, name }: Pick<PublicApp, 'logoUrl' | 'name'>): string =>
  `<span class="logo" aria-hidden="true">${logoUrl ? picture(logoUrl, '') : escapeHtml([...name][0]?.toUpperCase() ?? '')}</span>`;

/** The first letter of a person or company. The name is beside it. */
export const avatar = (name: string, size = ''): string =>
  `<span class="avatar ${size}" aria-hidden="true">${escapeHtml([...name][0]?.toUpperCase() ?? '')}</span>`;

export const banner = (url: string): string => `<div class="banner">${picture(url, '')}</div>`;

export const stars = (rating: number): string =>
  `<span class="stars" role="img" aria-label="${rating} of 5 stars"><span class="stars-full of-${Math.round(rating * 2)}">★★★★★</span><span class="stars-empty">★★★★★</span></span>`;

export const ratingFigure = (average: number, count: number): string =>
  `<span class="rating-figure"><span aria-hidden="true">★</span><span class="hidden">Rated </span> <strong>${average.toFixed(1)}</strong><small> (${brief(count)}<span class="hidden"> ${count === 1 ? 'rating' : 'ratings'}</span>)</small></span>`;

/** The average rating of an app, or that there is none. */
export const ratedOf = ({ averageRating, reviewCount }: PublicApp): string =>
  reviewCount > 0 ? ratingFigure(averageRating, reviewCount) : '<small>Not rated yet</small>';

const appCard = (
  link: Link,
  app: PublicApp,
  { isByOne = false, isInCategory = false, isFeatured = false }: AppCardsOptions,
): string => `<li class="card app-card">${isFeatured && app.bannerUrl ? banner(app.bannerUrl) : ''}
  <div class="app-card-head">${logo(app)}<div>
    <h3>${anchor(link(`/apps/${app.slug}`), app.name, 'dir="auto"')}</h3>
    ${isByOne ? '' : oneLine(developerName(app.developer))}
  </div></div>
  ${text('p', app.description, 'app-card-text')}
  <p class="row apart app-card-figures">
    <span>${ratedOf(app)}</span>
    <small>${installsOf(app.installCount)}</small>
    ${isFeatured ? '' : kindsOf(app, isInCategory)}
  </p>
</li>`;

/** The category and the environment, as far as the page has not named them. */
function kindsOf({ category, environment }: PublicApp, isInCategory: boolean): string {
  const kinds = [
    isInCategory ? '' : wordsOf(category),
    environment === 'production' ? '' : wordsOf(environment),
  ];
  const text = kinds.filter((kind) => kind).join(' · ');
  return text && `<small class="app-card-category">${text}</small>`;
}

interface AppCardsOptions {
  /** True if all apps are of one developer, whom the page names. */
  isByOne?: boolean;
  /** True if all apps are in one category, which the page names. */
  isInCategory?: boolean;
  /** True for apps that the marketplace recommends: they are in a row that scrolls, with their banners. */
  isFeatured?: boolean;
  /** True for at most three apps, which are a third of the row each. */
  isRow?: boolean;
}

/** Apps side by side. */
export const appCards = (link: Link, apps: readonly PublicApp[], options: AppCardsOptions = {}): string =>
  `<ul class="plain ${options.isFeatured ? 'featured' : 'app-cards'} ${options.isRow ? 'row-of-three' : ''}">${apps.map((app) => appCard(link, app, options)).join('')}</ul>`;

/** Terms and what they mean, as HTML; a term without a meaning is left out. */
export const factList = (facts: Readonly<Record<string, string | null>>): string =>
  `<dl class="facts">${Object.entries(facts)
    .map(([term, meaning]) => (meaning === null ? '' : `<dt>${term}</dt><dd dir="auto">${meaning}</dd>`))
    .join('')}</dl>`;

/** Links to the pages of a list: the first, the last, and those around the current one. */
export function paging(page: number, totalPages: number, addressOf: (page: number) => string): string {
  if (totalPages <= 1) return '';
  const near = [...new Set([1, page - 1, page, page + 1, totalPages])].filter(
    (number) => number >= 1 && number <= totalPages,
  );
  const numbers = near.map((number) => {
    const current = number === page ? ' aria-current="page"' : '';
    return anchor(addressOf(number), String(number), `class="button" aria-label="Page ${number}"${current}`);
  });
  return `<nav class="row paging" aria-label="Pages of the list">
  ${page > 1 ? anchor(addressOf(page - 1), 'Previous', 'class="button" rel="prev"') : ''}${numbers.join(' ')}${page < totalPages ? anchor(addressOf(page + 1), 'Next', 'class="button" rel="next"') : ''}
</nav>`;
}

/** Stands beside the name of a developer whom the administrators have verified. */
export const verifiedBadge = ' <span class="verified">Verified</span>';

/** A search that works without the script, in the place of its search box. `plain` asks for results as HTML. */
export const searchForm = (link: Link, search = ''): string =>
  `<form class="search-box" role="search" action="${escapeHtml(link(''))}">
  <label class="hidden" for="search">Search apps</label>
  <input id="search" name="search" type="search" placeholder="Search apps" maxlength="200" dir="auto" value="${escapeHtml(search)}">
  <input type="hidden" name="plain" value="1">
  <button class="primary">Search</button>
</form>`;
