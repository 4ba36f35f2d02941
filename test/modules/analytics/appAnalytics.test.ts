import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pointsOf } from '../../../src/modules/analytics/analytics.service.js';
import { AnalyticsBucket } from '../../../src/modules/analytics/analytics.types.js';
import { apis } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

const service = beforeTests(sharedService);
const ada = beforeTests(() => service.aDeveloper());

describe.each(apis)('appAnalytics over %s', (api) => {
  const analytics = (id: string) => service.client.call(api, 'appAnalytics', { id }, ada.key);

  it.each(['DRAFT', 'PENDING', 'APPROVED', 'REJECTED', 'SUSPENDED'] as const)(
    'returns exactly five fields for an app that is %s, zeros before anything happened (D25)',
    async (status) => {
      const { id } = await service.anApp(ada, status);
      expect(expectSuccess(await analytics(id))).toEqual({
        installCount: 0,
        reviewCount: 0,
        averageRating: 0,
        status,
        featured: false,
      });
    },
  );

  it('counts installs exactly, and says whether the app is featured (D25)', async () => {
    const { id, slug } = await service.anApp(ada, 'APPROVED');
    for (let count = 0; count < 3; count += 1) await service.client.must('recordInstall', { slug });
    await service.administer('featureApp', { id, featured: true });
    await service.sql('update apps set review_count = 3, average_rating = 4.33 where id = $1', [id]);
    expect((await analytics(id)).data).toEqual({
      installCount: 3,
      reviewCount: 3,
      averageRating: 4.33,
      status: 'APPROVED',
      featured: true,
    });
  });
});

describe('the series of appAnalytics, in GraphQL only', () => {
  type Points = { date: string; value: number }[];
  const series = (id: string, args: string, bearer = ada.token) =>
    service.client.graphql(
      `query ($id: ID!) { appAnalytics(id: $id) { series(${args}) { date value } } }`,
      { id },
      bearer,
    );
  const points = async (id: string, args: string) => {
    const { data, errors } = await series(id, args);
    expect(errors).toBeUndefined();
    return (data as unknown as { appAnalytics: { series: Points } }).appAnalytics.series;
  };
  const problemsOf = async (id: string, args: string) => {
    const { errors } = await series(id, args);
    const { code, details } = errors![0]!.extensions as unknown as {
      code: string;
      details: { field: string; code: string }[];
    };
    return [code, ...details.map((detail) => `${detail.field}: ${detail.code}`)];
  };
  /** Counts of each kind, on a day. */
  const happened = async (appId: string, day: string, installs: number, unique: number, ratings = 0) => {
    await service.sql('insert into installs_daily values ($1, $2, $3, $4, $5, $6)', [
      ...[appId, day, 'production', '1.0', installs, unique],
    ]);
    await service.sql(
      `insert into ratings (id, app_id, account_user_id, rating, created_at, updated_at)
       select gen_random_uuid(), $1, gen_random_uuid(), 5, $2::date + time '23:59:59', now() from generate_series(1, $3)`,
      [appId, day, ratings],
    );
  };

  let id: string;
  beforeAll(async () => {
    ({ id } = await service.anApp(ada, 'APPROVED'));
    await happened(id, '2024-02-28', 5, 2, 1);
    await happened(id, '2024-03-01', 7, 7, 2);
    await happened(id, '2024-03-04', 1, 0);
    await happened((await service.anApp(ada, 'APPROVED')).id, '2024-02-29', 100, 100, 1);
  });

  it('have a point for each day, zeros included, the leap day too (D78)', async () => {
    expect(await points(id, 'metric: INSTALLS, from: "2024-02-27", to: "2024-03-01"')).toEqual([
      { date: '2024-02-27', value: 0 },
      { date: '2024-02-28', value: 5 },
      { date: '2024-02-29', value: 0 },
      { date: '2024-03-01', value: 7 },
    ]);
  });

  it('count installations that have an id, and ratings that are not hidden (D78)', async () => {
    const range = 'from: "2024-02-28", to: "2024-03-01"';
    const values = async (metric: string) =>
      (await points(id, `metric: ${metric}, ${range}`)).map(({ value }) => value);
    expect(await values('UNIQUE_INSTALLATIONS')).toEqual([2, 0, 7]);
    expect(await values('RATINGS')).toEqual([1, 0, 2]);
    await service.sql(
      "update ratings set hidden_at = now() where app_id = $1 and created_at < '2024-03-01'",
      [id],
    );
    expect(await values('RATINGS')).toEqual([0, 0, 2]);
  });

  it('group by weeks from Monday and by months, and count only the requested days (D78)', async () => {
    const range = 'metric: INSTALLS, from: "2024-02-28", to: "2024-03-05"';
    expect(await points(id, `${range}, bucket: WEEK`)).toEqual([
      { date: '2024-02-26', value: 12 },
      { date: '2024-03-04', value: 1 },
    ]);
    expect(await points(id, `${range}, bucket: MONTH`)).toEqual([
      { date: '2024-02-01', value: 5 },
      { date: '2024-03-01', value: 8 },
    ]);
    expect(await points(id, 'metric: INSTALLS, from: "2024-02-29", to: "2024-03-03", bucket: WEEK')).toEqual([
      { date: '2024-02-26', value: 7 },
    ]);
  });

  it('include the latest events (D78)', async () => {
    const app = await service.anApp(ada, 'APPROVED');
    const today = new Date().toISOString().slice(0, 10);
    for (const installationId of ['one', null, 'one'])
      await service.client.must('recordInstall', { slug: app.slug, installationId });
    await service.aRating(app);
    const now = async (metric: string) => {
      const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
      const found = await points(app.id, `metric: ${metric}, from: "${today}", to: "${tomorrow}"`);
      return found.reduce((sum, { value }) => sum + value, 0);
    };
    expect([await now('INSTALLS'), await now('UNIQUE_INSTALLATIONS'), await now('RATINGS')]).toEqual([
      2, 1, 1,
    ]);
  });

  it('are refused for an invalid day, for the wrong order, and beyond 732 points (D78)', async () => {
    const metric = 'metric: INSTALLS';
    expect(await problemsOf(id, `${metric}, from: "2023-02-29", to: "yesterday"`)).toEqual([
      ...['VALIDATION_FAILED', 'from: invalid_date', 'to: invalid_date'],
    ]);
    for (const day of ['0000-01-01', '2024-1-1', '2024-13-01', '2024-01-01T00:00:00Z', '', '%00'])
      expect(await problemsOf(id, `${metric}, from: "${day}", to: "2024-01-01"`)).toContain(
        'from: invalid_date',
      );
    expect(await problemsOf(id, `${metric}, from: "2024-01-02", to: "2024-01-01"`)).toEqual([
      ...['VALIDATION_FAILED', 'from: too_big'],
    ]);
    expect(await points(id, `${metric}, from: "2023-01-01", to: "2025-01-01"`)).toHaveLength(732);
    expect(await problemsOf(id, `${metric}, from: "2023-01-01", to: "2025-01-02"`)).toEqual([
      ...['VALIDATION_FAILED', 'to: too_big'],
    ]);
    expect(await problemsOf(id, `${metric}, from: "0001-01-01", to: "9999-12-31", bucket: MONTH`)).toEqual([
      ...['VALIDATION_FAILED', 'to: too_big'],
    ]);
  });

  it.each([
    ['DAY', '2023-01-01', '2025-01-01', '2025-01-02'],
    ['WEEK', '2010-01-04', '2024-01-14', '2024-01-15'],
    ['WEEK', '2010-01-10', '2024-01-08', '2024-01-15'],
    ['MONTH', '1966-01-01', '2026-12-31', '2027-01-01'],
    ['MONTH', '1966-01-31', '2026-12-01', '2027-01-31'],
  ])('have 732 points at most, counted exactly: %s from %s to %s (D78)', async (bucket, from, to, beyond) => {
    const args = (end: string) => `metric: INSTALLS, from: "${from}", to: "${end}", bucket: ${bucket}`;
    expect(await points(id, args(to))).toHaveLength(732);
    expect(await problemsOf(id, args(beyond))).toEqual(['VALIDATION_FAILED', 'to: too_big']);
  });

  it('have the predicted number of points, whatever the range (D78)', async () => {
    const anyDay = fc
      .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString().slice(0, 10));
    const range = fc.tuple(anyDay, fc.integer({ min: 0, max: 25_000 })).map(([from, days]) => {
      const end = Math.min(Date.parse(from) + days * 86_400_000, Date.parse('9999-12-31'));
      return { from, to: new Date(end).toISOString().slice(0, 10) };
    });
    const buckets = fc.constantFrom(...Object.values(AnalyticsBucket));
    const ranges = fc.sample(
      fc.tuple(range, buckets).map(([days, bucket]) => ({ ...days, bucket })),
      300,
    );
    const rows = await service.sql<{ counted: number }>(
      `select (select count(*)::int from generate_series(date_trunc(bucket, first::timestamp), last::timestamp,
           ('1 ' || bucket)::interval)) as counted
       from unnest($1::text[], $2::text[], $3::text[]) with ordinality as ranges (first, last, bucket, place)
       order by place`,
      [
        ranges.map(({ from }) => from),
        ranges.map(({ to }) => to),
        ranges.map(({ bucket }) => bucket.toLowerCase()),
      ],
    );
    expect(ranges.map(pointsOf)).toEqual(rows.map(({ counted }) => counted));
  });

  it('are for the owner, as the figures are (D7)', async () => {
    const args = 'metric: INSTALLS, from: "2024-01-01", to: "2024-01-01"';
    const { errors } = await series(id, args, (await service.aDeveloper()).token);
    expect(errors![0]!.extensions.code).toBe('NOT_FOUND');
  });
});
