import { useRef } from 'preact/hooks';
import { useSearchParams } from 'wouter-preact';
import { useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { Avatar } from '../components/avatar.tsx';
import { Breakable } from '../components/breakable.tsx';
import { counted } from '../components/counted.ts';
import { Icon } from '../components/icon.tsx';
import { useTitle } from '../components/shell.tsx';
import { Stars } from '../components/stars.tsx';
import { Loaded } from '../components/status.tsx';
import { Verified } from '../components/verified.tsx';
import { dayOf } from '../components/when.tsx';
import { pageOf } from './address.ts';
import { AppCardFields, AppCards } from './app-card.tsx';
import { MissingPage } from './missing.tsx';
import { Paging } from './paging.tsx';
import '../components/app-page.css';
import './developer-page.css';

const Developer = graphql(
  `
  query MarketDeveloper($id: ID!, $page: Int!) {
    publicDeveloper(id: $id) {
      id
      name
      companyName
      websiteUrl
      bio
      verified
      memberSince
      averageRating
      reviewCount
      installCount
      appCount
    }
    browseApps(filter: { developer: $id }, page: $page, limit: 24) {
      apps { ...MarketAppCard }
      pagination { totalPages }
    }
  }
`,
  [AppCardFields],
);

/** The public profile of a developer, with the apps. */
export function DeveloperPage({ params: { id } }: { params: { id: string } }) {
  const [query] = useSearchParams();
  const page = pageOf(query);
  const developer = useData(Developer, { id, page });
  const heading = useRef<HTMLHeadingElement>(null);
  const profile = developer.data?.publicDeveloper;
  useTitle(`${profile ? (profile.companyName ?? profile.name) : 'Developer'} · Marketplace`);
  if (developer.problems.some(({ code }) => code === 'NOT_FOUND' || code === 'VALIDATION_FAILED'))
    return <MissingPage what="developer" />;
  return (
    <Loaded from={developer}>
      {({ publicDeveloper, browseApps: { apps, pagination } }) =>
        publicDeveloper && (
          <div class="stack">
            <Profile {...publicDeveloper} />
            <section class="stack developer-apps" aria-labelledby="apps">
              <h2 id="apps" tabIndex={-1} ref={heading}>
                {publicDeveloper.appCount === 1 ? '1 app' : `${publicDeveloper.appCount} apps`}
              </h2>
              <AppCards apps={apps} isByOne />
              <Paging
                page={page}
                totalPages={pagination.totalPages}
                addressOf={(number) => `/developers/${id}${number > 1 ? `?page=${number}` : ''}`}
                onTurn={() => heading.current?.focus()}
              />
            </section>
          </div>
        )
      }
    </Loaded>
  );
}

interface ProfileProps {
  name: string;
  companyName: string | null;
  websiteUrl: string | null;
  bio: string | null;
  verified: boolean;
  memberSince: string;
  averageRating: number;
  reviewCount: number;
  installCount: number;
}

const Profile = ({
  name,
  companyName,
  websiteUrl,
  bio,
  verified,
  memberSince,
  averageRating,
  reviewCount,
  installCount,
}: ProfileProps) => (
  <section class="card profile">
    <div class="profile-head">
      <Avatar name={companyName ?? name} isLarge />
      <div>
        <h1 dir="auto">{companyName ?? name}</h1>
        <p class="row soft">
          {companyName && <bdi>{name}</bdi>}
          {verified ? <Verified /> : 'Developer'}
        </p>
      </div>
    </div>
    {bio && (
      <p class="prose" dir="auto">
        {bio}
      </p>
    )}
    <dl class="facts">
      <dt>Installs</dt>
      <dd>{installCount.toLocaleString('en')}</dd>
      <dt>Rating</dt>
      <dd>
        {reviewCount > 0 ? (
          <>
            <Stars rating={averageRating} /> {averageRating.toFixed(1)}{' '}
            <small class="together">({counted(reviewCount, 'rating')})</small>
          </>
        ) : (
          'Not rated yet'
        )}
      </dd>
      <dt>Member since</dt>
      <dd>{dayOf(memberSince)}</dd>
      {websiteUrl && (
        <>
          <dt>Website</dt>
          <dd>
            <a href={websiteUrl} rel="noopener noreferrer nofollow" target="_blank">
              <Breakable text={new URL(websiteUrl).host} /> <Icon name="external" />
            </a>
          </dd>
        </>
      )}
    </dl>
  </section>
);
