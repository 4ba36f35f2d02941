import { useSearchParams } from 'wouter-preact';
import { useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { Pages } from '../components/pages.tsx';
import { useTitle } from '../components/shell.tsx';
import { Loaded, NothingYet } from '../components/status.tsx';
import { RatingEntry, RatingFields } from './app-ratings.tsx';
import { StatusTabs } from './filters.tsx';

const Reported = graphql(
  `
  query DeskReportedRatings($after: String) {
    ratings: reportedRatings(first: 20, after: $after) {
      totalCount
      edges { node { ...DeskRating } }
      pageInfo { hasNextPage endCursor }
    }
  }
`,
  [RatingFields],
);
const Hidden = graphql(
  `
  query DeskHiddenRatings($after: String) {
    ratings: hiddenRatings(first: 20, after: $after) {
      totalCount
      edges { node { ...DeskRating } }
      pageInfo { hasNextPage endCursor }
    }
  }
`,
  [RatingFields],
);

const tabs = [
  { value: '', label: 'Reported' },
  { value: 'hidden', label: 'Hidden' },
];

/** Ratings that were reported, or that an administrator has hidden. */
export function RatingsPage() {
  useTitle('Ratings · Review desk');
  const [params] = useSearchParams();
  const tab = params.get('status') ?? '';
  const ratings = useData(tab === 'hidden' ? Hidden : Reported, { after: params.get('after') });
  return (
    <section class="stack">
      <h1>Ratings</h1>
      <search class="row filters" aria-label="Filters">
        <StatusTabs current={tab} tabs={tabs} />
      </search>
      <Loaded from={ratings}>
        {({ ratings: { edges, totalCount, pageInfo } }) => (
          <div class="card">
            {edges.length === 0 && (
              <NothingYet>
                {tab === 'hidden' ? 'No rating is hidden.' : 'No rating has open reports.'}
              </NothingYet>
            )}
            <ol class="plain entries separate">
              {edges.map(({ node }) => (
                <li key={node.id}>
                  <RatingEntry rating={node} withApp onDone={ratings.reload} />
                </li>
              ))}
            </ol>
            <Pages shown={edges.length} total={totalCount} pageInfo={pageInfo} />
          </div>
        )}
      </Loaded>
    </section>
  );
}
