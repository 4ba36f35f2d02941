import escapeHtml from 'escape-html';
import type { AppPage, PublicDeveloper } from '../../modules/catalog/catalog.types.js';
import type { PublicProfile } from '../../modules/catalog/public-developer.service.js';
import {
  appCards,
  appsOf,
  avatar,
  dayOf,
  developerName,
  factList,
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
  profile: PublicProfile;
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
    <div class="profile-head">${avatar(developerName(developer), 'large')}<div>
      ${text('h1', developerName(developer))}
      <p class="row soft">${developer.companyName ? `<bdi>${escapeHtml(developer.name)}</bdi>` : ''}${verified ? verifiedBadge : 'Developer'}</p>
    </div></div>
    ${bio ? text('p', bio, 'prose') : ''}
    ${factList({
      Installs: installCount.toLocaleString('en'),
      Rating:
        reviewCount > 0
          ? `${stars(averageRating)} ${averageRating.toFixed(1)} <small class="together">(${ratingsOf(reviewCount)})</small>`
          : 'Not rated yet',
      'Member since': dayOf(memberSince),
      Website: outsideLink(developer.websiteUrl),
    })}
  </section>
  <section class="stack developer-apps" aria-labelledby="apps">
    <h2 id="apps">${appsOf(appCount)}</h2>
    ${appCards(link, apps, { isByOne: true })}
    ${paging(pagination.page, pagination.totalPages, (page) => link(`/developers/${developer.id}${page > 1 ? `?page=${page}` : ''}`))}
  </section>
</div>`;
