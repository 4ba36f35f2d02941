import type { ResultOf } from 'gql.tada';
import { Link, useSearchParams } from 'wouter-preact';
import { useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { Badge } from '../components/badge.tsx';
import { Pages } from '../components/pages.tsx';
import { useTitle } from '../components/shell.tsx';
import { Empty, Loaded } from '../components/status.tsx';
import { When } from '../components/when.tsx';
import { FilterText, StatusTabs } from './filters.tsx';
import { oneOf } from './queue-filter.ts';
import { Company, Overdue } from './queue-table.tsx';
import { useRowKeys } from './row-keys.ts';

const Developers = graphql(`
  query DeskDevelopers($status: DeveloperStatus, $search: String, $sort: DeveloperSort, $after: String) {
    developers(status: $status, search: $search, sort: $sort, first: 25, after: $after) {
      totalCount
      edges {
        node {
          id
          name
          companyName
          email
          status
          createdAt
          verification { position dueAt }
          apps(first: 1) { totalCount }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

const tabs = [
  { value: 'UNVERIFIED', label: 'Awaiting verification' },
  { value: 'VERIFIED', label: 'Verified' },
  { value: 'SUSPENDED', label: 'Suspended' },
  { value: 'all', label: 'All' },
] as const;
const statuses = ['UNVERIFIED', 'VERIFIED', 'SUSPENDED'] as const;

/** The developers, those who await verification first. */
export function DevelopersPage() {
  useTitle('Developers · Review desk');
  useRowKeys();
  const [params] = useSearchParams();
  const search = params.get('search');
  // A search looks everywhere unless a status is chosen.
  const tab = params.get('status') ?? (search ? 'all' : 'UNVERIFIED');
  const developers = useData(Developers, {
    status: oneOf(statuses, tab),
    search,
    // Those who have waited longest come first.
    sort: tab === 'UNVERIFIED' ? ('OLDEST' as const) : ('NEWEST' as const),
    after: params.get('after'),
  });
  return (
    <section class="stack">
      <h1>Developers</h1>
      <search class="row filters" aria-label="Filters">
        <div class="row">
          <StatusTabs current={tab} tabs={tabs} />
        </div>
        <FilterText name="search" label="Name, company or e-mail" isLive />
      </search>
      <Loaded from={developers}>
        {({ developers: { edges, totalCount, pageInfo } }) => (
          <div class="card flush">
            {edges.length === 0 ? (
              <Empty>
                {tab === 'UNVERIFIED' && !search
                  ? 'No one is waiting for verification.'
                  : 'No developer matches.'}
              </Empty>
            ) : (
              <DevelopersTable developers={edges.map(({ node }) => node)} />
            )}
            <Pages shown={edges.length} total={totalCount} pageInfo={pageInfo} />
          </div>
        )}
      </Loaded>
    </section>
  );
}

type Row = ResultOf<typeof Developers>['developers']['edges'][number]['node'];

const DevelopersTable = ({ developers }: { developers: readonly Row[] }) => (
  <table class="lines">
    <caption class="hidden">Developers</caption>
    <thead>
      <tr>
        <th scope="col">Developer</th>
        <th scope="col">E-mail</th>
        <th scope="col">Status</th>
        <th scope="col">Registered</th>
        <th scope="col">Verification due</th>
        <th scope="col" class="number">
          Apps
        </th>
      </tr>
    </thead>
    <tbody>
      {developers.map(({ id, name, companyName, email, status, createdAt, verification, apps }) => (
        <tr key={id}>
          <td>
            <Link class="line" href={`/developers/${id}`} dir="auto">
              {name}
            </Link>
            {companyName && <Company name={companyName} />}
          </td>
          <td class="e-mail">
            {email.split(/(?<=@)/).map((part) => (
              <span key={part}>{part}</span>
            ))}
          </td>
          <td>
            <Badge value={status} />
          </td>
          <td data-label="Registered">
            <When at={createdAt} />
          </td>
          <td data-label="Verification due">
            <VerificationDue at={verification?.dueAt ?? null} />
          </td>
          <td data-label="Apps" class="number">
            {apps.totalCount}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

/** The time by which a developer should be verified. The prefix stands before a time that is not over. */
export function VerificationDue({ at, prefix = '' }: { at: string | null; prefix?: string }) {
  if (!at) return <span class="soft">–</span>;
  return Date.parse(at) < Date.now() ? (
    <Overdue since={at} />
  ) : (
    <>
      {prefix}
      <When at={at} />
    </>
  );
}
