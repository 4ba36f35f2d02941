import { useSearchParams } from 'wouter-preact';
import { useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { categories } from '../components/categories.ts';
import { counted } from '../components/counted.ts';
import { Pages } from '../components/pages.tsx';
import { useTitle } from '../components/shell.tsx';
import { Empty, Loaded } from '../components/status.tsx';
import { useClaimNext } from './claim-next.tsx';
import { FilterAll, FilterChoice, FilterSwitch } from './filters.tsx';
import { KeysButton } from './keys-help.tsx';
import { useQueueChanges, useReviewCounts } from './live-queue.tsx';
import { environments, queueFilterOf, switches } from './queue-filter.ts';
import { QueueItemFields, QueueTable } from './queue-table.tsx';
import { useRowKeys } from './row-keys.ts';

const Queue = graphql(
  `
  query DeskQueue($filter: ReviewQueueFilter, $after: String) {
    reviewQueue(first: 25, filter: $filter, after: $after) {
      totalCount
      edges { node { ...DeskQueueItem } }
      pageInfo { hasNextPage endCursor }
    }
  }
`,
  [QueueItemFields],
);

/** The submissions that wait for a review, oldest first. */
export function QueuePage() {
  useTitle('Queue · Review desk');
  const [params] = useSearchParams();
  const filter = queueFilterOf(params);
  const isFiltered = Object.values(filter).some(Boolean);
  const queue = useData(Queue, { filter, after: params.get('after') });
  useQueueChanges(queue.reload);
  useRowKeys();
  return (
    <section class="stack">
      <QueueHeader />
      <QueueFilters />
      <Loaded from={queue}>
        {({ reviewQueue: { totalCount, edges, pageInfo } }) =>
          edges.length === 0 ? (
            <div class="card">
              <Empty>
                {isFiltered
                  ? 'No submission in the queue matches these filters.'
                  : 'Nothing is waiting for review. New submissions appear here automatically.'}
              </Empty>
            </div>
          ) : (
            <div class="card flush">
              <QueueTable items={edges.map(({ node }) => node)} />
              <Pages shown={edges.length} total={totalCount} pageInfo={pageInfo} />
            </div>
          )
        }
      </Loaded>
    </section>
  );
}

function QueueHeader() {
  const counts = useReviewCounts();
  const { claimNext, isClaiming } = useClaimNext();
  return (
    <div class="row apart">
      <div>
        <h1 tabIndex={-1}>Queue</h1>
        <p class="soft tight">
          {/* The line is there from the beginning, so that nothing moves when the numbers have come. */}
          {counts
            ? [
                `${counts.total} waiting`,
                counts.overdue > 0 && `${counts.overdue} overdue`,
                counts.claimed > 0 && `${counts.claimed} claimed`,
                counts.versions > 0 && counted(counts.versions, 'version'),
              ]
                .filter(Boolean)
                .join(' · ')
            : '\u00a0'}
        </p>
      </div>
      <div class="row">
        <KeysButton />
        <button type="button" class="primary" disabled={isClaiming} onClick={() => void claimNext()}>
          Review next <kbd>n</kbd>
        </button>
      </div>
    </div>
  );
}

function QueueFilters() {
  const counts = useReviewCounts();
  return (
    <search class="row filters" aria-label="Filters">
      <div class="row">
        <FilterAll switches={switches} />
        <FilterSwitch name="mine" label="Mine" />
        <FilterSwitch name="unclaimed" label="Unclaimed" />
        <FilterSwitch name="overdue" label="Overdue" count={counts?.overdue} />
        <FilterSwitch name="versions" label="Versions" count={counts?.versions} />
      </div>
      <div class="row">
        <FilterChoice name="category" label="Category" values={categories} all="All categories" />
        <FilterChoice name="environment" label="Environment" values={environments} all="All environments" />
      </div>
    </search>
  );
}
