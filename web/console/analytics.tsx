import { useMemo } from 'preact/hooks';
import { Link, useSearchParams } from 'wouter-preact';
import { useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import type { Mark } from '../components/chart.tsx';
import { SelectField } from '../components/form.tsx';
import { Later } from '../components/later.tsx';
import { useTitle } from '../components/shell.tsx';
import { Stars } from '../components/stars.tsx';
import { Loaded, NothingYet, Skeleton } from '../components/status.tsx';
import type { AppData } from './app-data.ts';
import { Ratings } from './ratings.tsx';
import { Total } from './total.tsx';

const Analytics = graphql(`
  query ConsoleAnalytics(
    $id: ID!
    $from: String!
    $to: String!
    $bucket: AnalyticsBucket!
    $fromBefore: String!
    $toBefore: String!
  ) {
    myApp(id: $id) {
      approvedAt
      versions(first: 50) {
        edges { node { status decidedAt versionNumber } }
      }
    }
    appAnalytics(id: $id) {
      installCount
      reviewCount
      averageRating
      installs: series(metric: INSTALLS, from: $from, to: $to, bucket: $bucket) {
        date
        value
      }
      installations: series(metric: UNIQUE_INSTALLATIONS, from: $from, to: $to, bucket: $bucket) {
        date
        value
      }
      ratings: series(metric: RATINGS, from: $from, to: $to, bucket: $bucket) {
        date
        value
      }
      installsBefore: series(metric: INSTALLS, from: $fromBefore, to: $toBefore, bucket: MONTH) {
        value
      }
      installationsBefore: series(
        metric: UNIQUE_INSTALLATIONS
        from: $fromBefore
        to: $toBefore
        bucket: $bucket
      ) {
        value
      }
      ratingsBefore: series(metric: RATINGS, from: $fromBefore, to: $toBefore, bucket: MONTH) {
        value
      }
    }
  }
`);
type AnalyticsData = NonNullable<import('gql.tada').ResultOf<typeof Analytics>['appAnalytics']>;
type ReleasedApp = import('gql.tada').ResultOf<typeof Analytics>['myApp'];
type Bucket = ReturnType<typeof graphql.scalar<'AnalyticsBucket'>>;

const loadChart = () => import('../components/chart.tsx').then(({ Chart }) => Chart);

const buckets: Record<Bucket, string> = { DAY: 'Day', WEEK: 'Week', MONTH: 'Month' };
const ranges = { 7: '7 days', 30: '30 days', 90: '90 days', 365: 'One year' };
const DEFAULT_DAYS = 30;
const SHAPES = ['of-totals', 'of-chart', 'of-chart'];
const DAY_MS = 24 * 3_600_000;

const dayBefore = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);

/** Reads range and bucket from the address, so that a view can be linked. */
function useRange() {
  const [search, setSearch] = useSearchParams();
  const asked = Number(search.get('days'));
  const days = asked in ranges ? asked : DEFAULT_DAYS;
  const bucket = (search.get('bucket') ?? 'DAY') as Bucket;
  return {
    days,
    bucket: bucket in buckets ? bucket : 'DAY',
    choose: (part: { days?: string; bucket?: string }) =>
      setSearch({ days: String(days), bucket, ...part }, { replace: true }),
  };
}

interface AnalyticsProps {
  app: AppData;
  events: number;
}

/** The figures of an app over time, and its ratings. An app that was never public has none. */
export function AnalyticsPage({ app, events }: AnalyticsProps) {
  useTitle(`Analytics of ${app.name} · Developer console`);
  return app.approvedAt ? (
    <AppFigures app={app} events={events} />
  ) : (
    <section class="card">
      <NothingYet>
        <h2>No figures yet</h2>
        <p>Installs and ratings appear here from the day on which the app is approved and public.</p>
        <Link class="button" href={`/apps/${app.id}`}>
          Go to the listing
        </Link>
      </NothingYet>
    </section>
  );
}

function AppFigures({ app, events }: AnalyticsProps) {
  const { days, bucket, choose } = useRange();
  const analytics = useData(Analytics, {
    id: app.id,
    from: dayBefore(days - 1),
    to: dayBefore(0),
    bucket,
    fromBefore: dayBefore(2 * days - 1),
    toBefore: dayBefore(days),
  });
  return (
    <>
      <section class="row range" aria-label="Range">
        <SelectField
          label="Range"
          value={String(days)}
          options={ranges}
          onChange={(value) => choose({ days: value })}
        />
        <SelectField
          label="Group by"
          value={bucket}
          options={buckets}
          onChange={(value) => choose({ bucket: value })}
        />
      </section>
      <Loaded from={analytics} skeleton={<Skeleton shapes={SHAPES} />}>
        {({ appAnalytics, myApp }) =>
          appAnalytics && <Figures analytics={appAnalytics} app={myApp} days={days} bucket={bucket} />
        }
      </Loaded>
      <Ratings app={app} events={events} />
    </>
  );
}

const sum = (points: readonly { readonly value: number }[]) =>
  points.reduce((total, { value }) => total + value, 0);

/** Returns when the app and each of its versions was published. */
function releasesOf(app: ReleasedApp): Mark[] {
  const versions = (app?.versions.edges ?? []).flatMap(({ node: { status, decidedAt, versionNumber } }) =>
    status === 'APPROVED' && decidedAt
      ? [{ day: decidedAt.slice(0, 10), label: versionNumber ? `Version ${versionNumber}` : 'New version' }]
      : [],
  );
  const first = app?.approvedAt ? [{ day: app.approvedAt.slice(0, 10), label: 'Published' }] : [];
  return [...first, ...versions.toReversed()];
}

interface FiguresProps {
  analytics: AnalyticsData;
  app: ReleasedApp;
  days: number;
  bucket: Bucket;
}

function Figures({ analytics, app, days, bucket }: FiguresProps) {
  const marks = useMemo(() => releasesOf(app), [app]);
  const { installs, installations, ratings } = analytics;
  const valuesOf = (points: AnalyticsData['installs']) => points.map(({ value }) => value);
  // The charts are drawn again when these change.
  const installChart = useMemo(
    () => ({
      title: 'Installs',
      days: installs.map(({ date }) => date),
      lines: [
        { label: 'Installs', values: valuesOf(installs), color: '--accent' },
        { label: 'Unique installations', values: valuesOf(installations), color: '--good' },
      ],
      bucket,
      marks,
    }),
    [installs, installations, bucket, marks],
  );
  const ratingChart = useMemo(
    () => ({
      title: 'New ratings',
      days: ratings.map(({ date }) => date),
      lines: [{ label: 'Ratings', values: valuesOf(ratings), color: '--warn' }],
      // A day has a few of them, which a line would join to a zigzag.
      hasBars: true,
      bucket,
      marks,
    }),
    [ratings, bucket, marks],
  );
  const inRange = `in ${days === 365 ? 'one year' : `${days} days`}`;
  // A period in which the app was not public yet is nothing to compare with.
  const wasPublic = app?.approvedAt != null && app.approvedAt.slice(0, 10) <= dayBefore(2 * days - 1);
  const before = (points: readonly { readonly value: number }[]) => (wasPublic ? sum(points) : null);
  return (
    <>
      <dl class="totals">
        <Total label={`Installs ${inRange}`} total={sum(installs)} before={before(analytics.installsBefore)}>
          {`${analytics.installCount.toLocaleString('en')} in total`}
        </Total>
        <Total
          label={`Unique installations ${inRange}`}
          total={sum(installations)}
          before={before(analytics.installationsBefore)}
        >
          Each workspace is counted once
        </Total>
        <Total label={`Ratings ${inRange}`} total={sum(ratings)} before={before(analytics.ratingsBefore)}>
          {`${analytics.reviewCount.toLocaleString('en')} in total`}
        </Total>
        <Total
          label="Average of all ratings"
          total={analytics.reviewCount > 0 ? analytics.averageRating.toFixed(1) : '–'}
        >
          {analytics.reviewCount > 0 && <Stars rating={analytics.averageRating} />}
        </Total>
      </dl>
      <div class="card chart-place">
        <Later load={loadChart} props={installChart} />
      </div>
      <div class="card chart-place">
        <Later load={loadChart} props={ratingChart} />
      </div>
    </>
  );
}
