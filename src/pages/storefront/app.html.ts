import escapeHtml from 'escape-html';
import type { PublicApp } from '../../modules/catalog/catalog.types.js';
import type { Rating } from '../../modules/ratings/rating.entity.js';
import type { RatingCount } from '../../modules/ratings/rating.types.js';
import { markdownHtml } from './markdown.html.js';
import {
  anchor,
  appCards,
  avatar,
  banner,
  dayOf,
  developerName,
  factList,
  installsOf,
  type Link,
  logo,
  outsideLink,
  picture,
  ratingsOf,
  searchForm,
  stars,
  text,
  verifiedBadge,
  wordsOf,
} from './parts.html.js';

interface AppPage {
  app: PublicApp;
  distribution: readonly RatingCount[];
  ratings: readonly Rating[];
  /** Other apps of the developer. */
  more: readonly PublicApp[];
  /** The number of public apps of the developer. */
  developerApps: number;
  similar: readonly PublicApp[];
  isVerified: boolean;
  /** Page of the host product that installs the app. */
  installUrl: string | null;
}

/** The page of an app. */
export const appHtml = (
  link: Link,
  page: AppPage,
): string => `${searchForm(link)}<article class="stack app-page">
  ${head(link, page)}
  ${gallery(page.app)}
  <div class="app-columns">
    <div class="stack">${story(page.app)}${whatsNew(page.app)}</div>
    ${facts(link, page)}
    <section class="card" id="ratings" aria-labelledby="ratings-title">
      <h2 id="ratings-title">Ratings</h2>
      <div class="ratings"><div class="stack">${distributionHtml(page)}</div><div class="stack">${ratingsHtml(page)}</div></div>
    </section>
  </div>
  ${more(link, page)}
  ${similar(link, page)}
</article>`;

const head = (link: Link, { app, isVerified, installUrl }: AppPage) => `<header class="card app-head">
  ${app.bannerUrl ? banner(app.bannerUrl) : ''}
  <div class="app-head-text">${logo(app)}<div>
    ${text('h1', app.name)}
    <p class="row"><span>by ${developerLink(link, app)}${isVerified ? verifiedBadge : ''}</span>${app.featured ? '<span class="badge good">Staff pick</span>' : ''}${app.environment === 'production' ? '' : `<span class="badge warn">${wordsOf(app.environment)}</span>`}</p>
    ${text('p', app.description)}
    ${app.reviewCount > 0 ? `<p>${stars(app.averageRating)} <strong>${app.averageRating.toFixed(1)}</strong> <a href="#ratings">${ratingsOf(app.reviewCount)}</a></p>` : ''}
  </div>
  <div class="install">${installUrl ? anchor(installUrl, 'Open in your workspace', 'class="button primary"') : ''}<p>${installsOf(app.installCount)}</p></div></div>
</header>`;

const developerLink = (link: Link, { developer }: PublicApp) =>
  anchor(link(`/developers/${developer.id}`), developerName(developer), 'dir="auto"');

const gallery = ({ screenshots }: PublicApp) =>
  screenshots.length === 0
    ? ''
    : `<section aria-label="Screenshots"><ul class="plain gallery" tabindex="0">${screenshots
        .map(({ url, caption }, index) => `<li>${picture(url, caption || `Screenshot ${index + 1}`)}</li>`)
        .join('')}</ul></section>`;

const story = ({ longDescription }: PublicApp) => `<section class="card">
  <h2>About</h2>
  ${longDescription ? markdownHtml(longDescription) : '<p class="soft">There is no further description.</p>'}
</section>`;

const whatsNew = ({ releaseNotes, versionNumber }: PublicApp) =>
  releaseNotes
    ? `<section class="card"><h2>What’s new${versionNumber ? text('small', ` in ${versionNumber}`) : ''}</h2>${markdownHtml(releaseNotes)}</section>`
    : '';

const facts = (link: Link, { app, isVerified }: AppPage) => `<section class="card details">
  <h2>Details</h2>
  <a class="person developer-link" href="${link(`/developers/${app.developer.id}`)}"><span><small>Developer${isVerified ? ' · Verified' : ''}</small>${text('strong', developerName(app.developer))}</span></a>
  ${factList({
    Category: anchor(link(`?category=${app.category}`), wordsOf(app.category)),
    Environment: wordsOf(app.environment),
    Version: app.versionNumber && escapeHtml(app.versionNumber),
    Published: dayOf(app.approvedAt),
    Updated: dayOf(app.updatedAt),
    Website: outsideLink(app.websiteUrl),
  })}
</section>`;

const distributionHtml = ({ app: { averageRating, reviewCount }, distribution }: AppPage) =>
  reviewCount === 0
    ? ''
    : `<p class="row"><strong class="average">${averageRating.toFixed(1)}</strong><span>${stars(averageRating)}<br><small>${ratingsOf(reviewCount)}</small></span></p>
  <ul class="plain distribution">${distribution
    .toReversed()
    .map(
      ({ rating, count }) =>
        `<li><span>${rating === 1 ? '1 star' : `${rating} stars`}</span> ${bar(count / reviewCount)} <span class="number">${count}</span></li>`,
    )
    .join('')}</ul>`;

/** A bar whose length is a share of its place. The policy of the page allows no style attribute. */
const bar = (share: number) =>
  `<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect width="${Math.round(100 * share)}" height="8"/></svg>`;

function ratingsHtml({ app, ratings }: AppPage): string {
  if (app.reviewCount === 0) return '<p class="soft">No ratings yet.</p>';
  const written = ratings.filter(({ title, text: words, reply }) => title || words || reply);
  if (written.length === 0)
    return '<p class="soft">The latest ratings have no text. They are counted in the average.</p>';
  return `<ul class="plain stack">${written.map((rating) => ratingHtml(app, rating)).join('')}</ul>`;
}

const ratingHtml = (app: PublicApp, rating: Rating) => `<li class="rating">
  ${avatar(rating.authorName ?? 'Anonymous')}
  <div><div class="rating-head"><span class="row">${stars(rating.rating)}${rating.title ? text('strong', rating.title) : ''}</span></div>
  <small>${text('strong', rating.authorName ?? 'Anonymous')}, <time datetime="${new Date(rating.createdAt).toISOString()}">${dayOf(rating.createdAt)}</time></small>
  ${rating.text ? text('p', rating.text, 'prose') : ''}
  ${rating.reply ? `<blockquote>${text('small', `Reply by ${developerName(app.developer)}`)}${text('p', rating.reply, 'prose')}</blockquote>` : ''}</div>
</li>`;

const more = (link: Link, { app, more: apps, developerApps }: AppPage) =>
  apps.length === 0
    ? ''
    : `<section aria-labelledby="more">
  <div class="row apart"><h2 id="more">More by this developer</h2>${developerApps > 4 ? anchor(link(`/developers/${app.developer.id}`), `All ${developerApps} apps`) : ''}</div>
  ${appCards(link, apps, { isByOne: true, isRow: true })}
</section>`;

const similar = (link: Link, { app: { category }, similar: apps }: AppPage) =>
  apps.length === 0
    ? ''
    : `<section aria-labelledby="similar">
  <div class="row apart"><h2 id="similar">Similar apps</h2>${anchor(link(`?category=${category}`), `All in ${wordsOf(category)}`)}</div>
  ${appCards(link, apps, { isRow: true })}
</section>`;
