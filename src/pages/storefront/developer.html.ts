import type { AppPage, PublicDeveloper } from '../../modules/catalog/catalog.types.js';
import {
  appCards,
  appsOf,
  dayOf,
  developerName,
  type Link,
  outsideLink,
  paging,
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
  };
}

/** The public profile of a developer, with the apps. */
export const developerHtml = (
  link: Link,
  {
    developer,
    profile: { bio, verified, memberSince, appCount, averageRating },
    apps,
    pagination,
  }: DeveloperPage,
): string => `${searchForm(link)}<div class="stack">
  <section class="card">
    ${text('h1', developerName(developer))}
    <p class="row soft">${verified ? verifiedBadge : ''}${developer.companyName ? text('span', developer.name) : ''}<span>Developer since ${dayOf(memberSince)}</span>${averageRating > 0 ? `<span>${stars(averageRating)} ${averageRating.toFixed(1)}</span>` : ''}${developer.websiteUrl ? outsideLink(developer.websiteUrl) : ''}</p>
    ${bio ? text('p', bio, 'prose') : ''}
  </section>
  <section class="stack" aria-labelledby="apps">
    <h2 id="apps">${appsOf(appCount)}</h2>
    ${appCards(link, apps)}
    ${paging(pagination.page, pagination.totalPages, (page) => link(`/developers/${developer.id}${page > 1 ? `?page=${page}` : ''}`))}
  </section>
</div>`;
