import escapeHtml from 'escape-html';
import type { AppPage, PublicDeveloper } from '../../modules/catalog/catalog.types.js';
import {
  appCards,
  appsOf,
  avatar,
  dayOf,
  developerName,
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
    <div class="profile-head">${avatar(developerName(developer), 'large')}<div>
      ${text('h1', developerName(developer))}
      <p class="row soft">${developer.companyName ? `<bdi>${escapeHtml(developer.name)}</bdi>` : ''}${verified ? verifiedBadge : 'Developer'}</p>
    </div></div>
    ${bio ? text('p', bio, 'prose') : ''}
    <dl class="facts">
      <dt>Installs</dt><dd>${installCount.toLocaleString('en')}</dd>
      <dt>Rating</dt><dd>${reviewCount > 0 ? `${stars(averageRating)} ${averageRating.toFixed(1)} <small class="together">(${ratingsOf(reviewCount)})</small>` : 'Not rated yet'}</dd>
      <dt>Member since</dt><dd>${dayOf(memberSince)}</dd>
      ${developer.websiteUrl ? `<dt>Website</dt><dd>${outsideLink(developer.websiteUrl)}</dd>` : ''}
    </dl>
  </section>
  <section class="stack developer-apps" aria-labelledby="apps">
    <h2 id="apps">${appsOf(appCount)}</h2>
    ${appCards(link, apps, { isByOne: true })}
    ${paging(pagination.page, pagination.totalPages, (page) => link(`/developers/${developer.id}${page > 1 ? `?page=${page}` : ''}`))}
  </section>
</div>`;
