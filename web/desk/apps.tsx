import type { ResultOf } from 'gql.tada';
import { Link, useSearchParams } from 'wouter-preact';
import { useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { Badge, StatusBadge, statusWords, wordsOf } from '../components/badge.tsx';
import { categories } from '../components/categories.ts';
import { Pages } from '../components/pages.tsx';
import { Logo } from '../components/picture.tsx';
import { useTitle } from '../components/shell.tsx';
import { Empty, Loaded } from '../components/status.tsx';
import { When } from '../components/when.tsx';
import { FilterChoice, FilterSwitch, FilterText, StatusTabs } from './filters.tsx';
import { useOtherWork } from './live-queue.tsx';
import { oneOf } from './queue-filter.ts';
import { useRowKeys } from './row-keys.ts';

const Apps = graphql(`
  query DeskApps($filter: AdminAppFilter, $sort: AdminAppSort, $after: String) {
    adminApps(first: 25, filter: $filter, sort: $sort, after: $after) {
      totalCount
      edges {
        node {
          id
          name
          slug
          logoUrl
          status
          category
          environment
          featured
          installCount
          averageRating
          reviewCount
          updatedAt createdAt
          developer { id name }
          findings { code }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

const statuses = ['PENDING', 'APPROVED', 'REJECTED', 'SUSPENDED', 'DRAFT'] as const;
const tabs = [
  { value: '', label: 'All' },
  ...statuses.map((value) => ({ value, label: statusWords(value) })),
];

/** The apps of all developers, in every state. */
export function AppsPage() {
  useTitle('Apps · Review desk');
  useRowKeys();
  const { reports } = useOtherWork();
  const [params] = useSearchParams();
  const sort = oneOf(['NEWEST', 'OLDEST', 'UPDATED'] as const, params.get('sort'));
  const apps = useData(Apps, {
    filter: {
      status: oneOf(statuses, params.get('status')),
      category: oneOf(categories, params.get('category')),
      developerId: params.get('developer'),
      featured: params.get('featured') === 'true' ? true : null,
      search: params.get('search'),
    },
    sort,
    after: params.get('after'),
  });
  return (
    <section class="stack">
      <div class="row apart">
        <h1>Apps</h1>
        <Link href="/apps/reports" class="button">
          Reported apps {reports > 0 && <span class="count">{reports}</span>}
        </Link>
      </div>
      <search class="row filters" aria-label="Filters">
        <div class="row">
          <StatusTabs current={params.get('status') ?? ''} tabs={tabs} />
        </div>
        <div class="row">
          <FilterText name="search" label="Name or slug" isLive />
          <FilterSwitch name="featured" label="Staff picks" />
          <FilterChoice name="category" label="Category" values={categories} all="All categories" />
          <FilterChoice name="sort" label="Order" values={['OLDEST', 'UPDATED']} all="Newest" />
          {params.has('developer') && <DeveloperFilter />}
        </div>
      </search>
      <Loaded from={apps}>
        {({ adminApps: { edges, totalCount, pageInfo } }) => (
          <div class="card flush">
            {edges.length === 0 ? (
              <Empty>No app matches these filters.</Empty>
            ) : (
              <AppsTable
                apps={edges.map(({ node }) => node)}
                time={sort === 'UPDATED' ? 'Changed' : 'Created'}
              />
            )}
            <Pages shown={edges.length} total={totalCount} pageInfo={pageInfo} />
          </div>
        )}
      </Loaded>
    </section>
  );
}

const DeveloperFilter = () => <FilterText name="developer" label="Id of the developer" />;

type Row = ResultOf<typeof Apps>['adminApps']['edges'][number]['node'];

type TimeColumn = 'Changed' | 'Created';

const AppsTable = ({ apps, time }: { apps: readonly Row[]; time: TimeColumn }) => (
  <table class="lines">
    <caption class="hidden">Apps</caption>
    <thead>
      <tr>
        <th scope="col">App</th>
        <th scope="col">Developer</th>
        <th scope="col">Status</th>
        <th scope="col">Category</th>
        <th scope="col" class="number">
          Installs
        </th>
        <th scope="col" class="number">
          Rating
        </th>
        <th scope="col">{time}</th>
      </tr>
    </thead>
    <tbody>
      {apps.map((app) => (
        <AppRow key={app.id} app={app} time={time} />
      ))}
    </tbody>
  </table>
);

const AppRow = ({ app, time }: { app: Row; time: TimeColumn }) => (
  <tr>
    <td>
      <span class="app-line">
        <Logo url={app.logoUrl} name={app.name} />
        <span class="with-badges">
          <Link class="line" href={`/apps/${app.id}`} dir="auto">
            {app.name}
          </Link>
          {app.featured && <Badge value="STAFF_PICK" />}
          {app.findings.some(({ code }) => code === 'unusual_installs') && (
            <Badge value="UNUSUAL_INSTALLS" tone="warn" />
          )}
        </span>
      </span>
    </td>
    <td>
      <Link href={`/developers/${app.developer.id}`} dir="auto">
        {app.developer.name}
      </Link>
    </td>
    <td>
      <StatusBadge status={app.status} />
    </td>
    <td>
      {wordsOf(app.category)}
      <small class="below">{wordsOf(app.environment)}</small>
    </td>
    <td data-label="Installs" class="number">
      {app.installCount.toLocaleString('en')}
    </td>
    <td data-label="Rating" class="number">
      {app.reviewCount > 0 ? `${app.averageRating.toFixed(1)} (${app.reviewCount})` : '–'}
    </td>
    <td data-label={time}>
      <When at={time === 'Changed' ? app.updatedAt : app.createdAt} />
    </td>
  </tr>
);
