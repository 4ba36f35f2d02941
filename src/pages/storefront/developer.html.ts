import escapeHtml from 'escape-html';
import type { AppPage, PublicDeveloper } from '../../modules/catalog/catalog.types.js';
import {
  appCards,
  appsOf,
  avatar,
  dayOf,
  developerName,
  installsOf,
  type Link,
  outsideLink,
  paging,
  ratingsOf,
  searchForm,
  stars,
  text,
  verifiedBadge,
} from './parts.html.js';

interface DeveloperPage extends AppPage {
  developer: PublicDeveloper;
  profile: {
    bio: string | null;
    verified: boolean;
    memberSince: string;
    appCount: number;
    averageRating: number;
    reviewCount: number;
    installCount: number;
  };
}

/** The public profile of a developer, with the apps. */
export const developerHtml = (
  link: Link,
  {
    developer,
    profile: { bio, verified, memberSince, appCount, averageRating, reviewCount, installCount },
    apps,
    pagination,
  }: DeveloperPage,
): string => `${searchForm(link)}<div class="stack">
  <section class="card profile">
    ${avatar(developerName(developer), 'large')}
    <div>
      ${text('h1', developerName(developer))}
      <ul class="plain dotted soft">${[
        verified && verifiedBadge,
        developer.companyName && `<bdi>${escapeHtml(developer.name)}</bdi>`,
        `Developer since ${dayOf(memberSince)}`,
        installsOf(installCount),
        reviewCount > 0 && `${stars(averageRating)} ${averageRating.toFixed(1)} (${ratingsOf(reviewCount)})`,
        developer.websiteUrl && outsideLink(developer.websiteUrl),
      ]
        .filter((fact) => fact)
        .map((fact) => `<li>${fact}</li>`)
        .join('')}</ul>
      ${bio ? text('p', bio, 'prose') : ''}
    </div>
  </section>
  <section class="stack developer-apps" aria-labelledby="apps">
    <h2 id="apps">${appsOf(appCount)}</h2>
    ${appCards(link, apps, { isByOne: true })}
    ${paging(pagination.page, pagination.totalPages, (page) => link(`/developers/${developer.id}${page > 1 ? `?page=${page}` : ''}`))}
  </section>
</div>`;
