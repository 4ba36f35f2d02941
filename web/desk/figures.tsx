import type { ResultOf } from 'gql.tada';
import { useMemo } from 'preact/hooks';
import { Link, useSearchParams } from 'wouter-preact';
import { useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { Badge } from '../components/badge.tsx';
import { Later } from '../components/later.tsx';
import { Pages } from '../components/pages.tsx';
import { useTitle } from '../components/shell.tsx';
import { Empty, Loaded, Skeleton } from '../components/status.tsx';
import { duration, When } from '../components/when.tsx';
import { AccountName, FilterAdministrator } from './administrators.tsx';
import { FilterChoice } from './filters.tsx';
import { VersionName } from './history.tsx';
import { useQueueChanges } from './live-queue.tsx';
import { oneOf } from './queue-filter.ts';

const loadChart = () => import('../components/chart.tsx').then(({ Chart }) => Chart);

const Figures = graphql(`
  query DeskFigures($days: Int, $filter: DecisionFilter, $after: String) {
    reviewStats(days: $days) {
      waiting
      overdue
      medianWaitSeconds
      approved
      rejected
      days { date approved rejected }
      reviewers { reviewer approved rejected }
    }
    decisions(first: 20, filter: $filter, after: $after) {
      totalCount
      edges {
        node {
          id
          decidedAt
          outcome
          reviewer
          submittedAt
          app { id name }
          version { id name versionNumber }
        }
      }
      pageInfo { hasNextPage endCursor }
    }
  }
`);

type FiguresData = ResultOf<typeof Figures>;

/** More bars would be too thin. */
const MOST_BARS = 90;

const SHAPES = ['of-totals', 'of-chart'];

/** The figures of the queue, and the latest decisions. */
export function FiguresPage() {
  useTitle('Figures · Review desk');
  const [params] = useSearchParams();
  const days = Number(oneOf(['7', '90', '366'], params.get('days')) ?? 30);
  const figures = useData(Figures, {
    days,
    filter: {
      outcome: oneOf(['APPROVED', 'REJECTED'] as const, params.get('outcome')),
      reviewer: params.get('reviewer'),
    },
    after: params.get('after'),
  });
  useQueueChanges(figures.reload);
  return (
    <section class="stack">
      <div class="row apart">
        <h1>Figures</h1>
        <search class="row filters" aria-label="Period">
          <FilterChoice name="days" label="Days" values={['7', '90', '366']} all="30" suffix=" days" />
        </search>
      </div>
      <Loaded from={figures} skeleton={<Skeleton shapes={SHAPES} />}>
        {(data) => (
          <>
            <Tiles stats={data.reviewStats} days={days} />
            <div class="app-columns">
              <DecisionsChart stats={data.reviewStats} />
              <Reviewers reviewers={data.reviewStats.reviewers} />
            </div>
            <Decisions decisions={data.decisions} />
          </>
        )}
      </Loaded>
    </section>
  );
}

const Tiles = ({ stats, days }: { stats: FiguresData['reviewStats']; days: number }) => (
  <dl class="tiles">
    <Tile label="Waiting now" value={String(stats.waiting)} />
    <Tile label="Overdue now" value={String(stats.overdue)} isBad={stats.overdue > 0} />
    <Tile
      label={`Median wait, ${days} days`}
      value={stats.medianWaitSeconds === null ? '–' : duration(stats.medianWaitSeconds)}
    />
    <Tile label={`Approved, ${days} days`} value={String(stats.approved)} />
    <Tile label={`Rejected, ${days} days`} value={String(stats.rejected)} />
  </dl>
);

const Tile = ({ label, value, isBad = false }: { label: string; value: string; isBad?: boolean }) => (
  <div class="card">
    <dt>{label}</dt>
    <dd class={isBad ? 'wrong' : ''}>{value}</dd>
  </div>
);

function DecisionsChart({ stats: { days } }: { stats: FiguresData['reviewStats'] }) {
  const dates = useMemo(() => days.map(({ date }) => date), [days]);
  const lines = useMemo(
    () => [
      { label: 'Approved', values: days.map(({ approved }) => approved), color: '--good' },
      { label: 'Rejected', values: days.map(({ rejected }) => rejected), color: '--bad' },
    ],
    [days],
  );
  return (
    <section class="card chart-place" aria-label="Decisions per day">
      <Later
        load={loadChart}
        props={{ title: 'Decisions per day', days: dates, lines, hasBars: days.length <= MOST_BARS }}
      />
    </section>
  );
}

const Reviewers = ({ reviewers }: Pick<FiguresData['reviewStats'], 'reviewers'>) => (
  <section class="card" aria-labelledby="reviewers">
    <h2 id="reviewers">By reviewer</h2>
    {reviewers.length === 0 ? (
      <Empty>No decisions in this period.</Empty>
    ) : (
      <table>
        <thead>
          <tr>
            <th scope="col">Administrator</th>
            <th scope="col" class="number">
              Approved
            </th>
            <th scope="col" class="number">
              Rejected
            </th>
          </tr>
        </thead>
        <tbody>
          {reviewers.map(({ reviewer, approved, rejected }) => (
            <tr key={reviewer}>
              <th scope="row">{reviewer ? <AccountName id={reviewer} /> : 'Not recorded'}</th>
              <td class="number">{approved}</td>
              <td class="number">{rejected}</td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </section>
);

const Decisions = ({ decisions: { edges, totalCount, pageInfo } }: Pick<FiguresData, 'decisions'>) => (
  <section class="card" aria-labelledby="decisions">
    <h2 id="decisions">All decisions</h2>
    <search class="row filters" aria-label="Filters of the decisions">
      <FilterChoice name="outcome" label="Outcome" values={['APPROVED', 'REJECTED']} all="All outcomes" />
      <FilterAdministrator name="reviewer" label="Reviewer" all="Every reviewer" />
    </search>
    {edges.length === 0 ? <Empty>No decision matches.</Empty> : <DecisionsTable edges={edges} />}
    <Pages shown={edges.length} total={totalCount} pageInfo={pageInfo} />
  </section>
);

const DecisionsTable = ({ edges }: Pick<FiguresData['decisions'], 'edges'>) => (
  <table class="lines">
    <thead>
      <tr>
        <th scope="col">App</th>
        <th scope="col">Outcome</th>
        <th scope="col">Decided</th>
        <th scope="col">By</th>
        <th scope="col">Waited</th>
      </tr>
    </thead>
    <tbody>
      {edges.map(({ node: { id, app, version, outcome, reviewer, decidedAt, submittedAt } }) => (
        <tr key={id}>
          <td>
            <Link href={`/apps/${app.id}`} dir="auto">
              {version?.name ?? app.name}
            </Link>
            {version && (
              <small class="below">
                <VersionName number={version.versionNumber} />
              </small>
            )}
          </td>
          <td data-label="Outcome">
            <Badge value={outcome ?? ''} />
          </td>
          <td data-label="Decided">{decidedAt && <When at={decidedAt} />}</td>
          <td data-label="By">{reviewer ? <AccountName id={reviewer} /> : 'Not recorded'}</td>
          <td data-label="Waited">
            {decidedAt && duration((Date.parse(decidedAt) - Date.parse(submittedAt)) / 1000)}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
