import { describe, expect, it } from '@jest/globals';
import { type Administrator, aRejection } from '../../support/actors.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { startService } from '../../support/service.js';

interface Stats {
  waiting: number;
  overdue: number;
  approved: number;
  rejected: number;
  medianWaitSeconds: number | null;
  days: { date: string; approved: number; rejected: number }[];
  reviewers: { reviewer: string | null; approved: number; rejected: number }[];
}

describe('reviewStats over graphql', () => {
  const service = duringTests(startService);
  const ada = beforeTests(() => service.aDeveloper());
  const mia = beforeTests(() => service.anAdministrator());
  const noa = beforeTests(() => service.anAdministrator());

  const stats = (days?: number) => service.client.must<Stats>('reviewStats', { days }, mia.token);
  /** Decides on a new app, as if some days ago, after it had waited for some hours. */
  const decide = async (
    who: Administrator,
    decision: 'approve' | 'reject',
    daysAgo: number,
    hours: number,
  ) => {
    const { id } = await service.anApp(ada, 'PENDING');
    const grounds = decision === 'approve' ? { revision: 1 } : aRejection(1);
    await service.client.must(`${decision}App`, { id, ...grounds }, who.token);
    await service.sql(
      `update submissions set ended_at = now() - make_interval(days => $2),
         queued_at = now() - make_interval(days => $2, hours => $3) where app_id = $1`,
      [id, daysAgo, hours],
    );
  };
  const dayBefore = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

  it('counts nothing where nothing happened: every day of the last 30 has zeros (D162)', async () => {
    const { days, ...rest } = await stats();
    expect(rest).toEqual({
      waiting: 0,
      overdue: 0,
      approved: 0,
      rejected: 0,
      medianWaitSeconds: null,
      reviewers: [],
    });
    expect(days).toHaveLength(30);
    expect([days[0], days[29]]).toEqual(
      [29, 0].map((ago) => ({ date: dayBefore(ago), approved: 0, rejected: 0 })),
    );
  });

  it('counts what waits, and the decisions of the period by day and by reviewer, with the median wait (D162)', async () => {
    await decide(mia, 'approve', 0, 1);
    await decide(mia, 'reject', 2, 5);
    await decide(mia, 'approve', 2, 2);
    await decide(noa, 'approve', 1, 40);
    await decide(noa, 'approve', 9, 100);
    await service.anApp(ada, 'PENDING');
    const { id: late } = await service.anApp(ada, 'PENDING');
    await service.sql("update submissions set due_at = now() - interval '1 second' where app_id = $1", [
      late,
    ]);
    await service.sql('update submissions set decided_by = null where decided_by = $1', [noa.accountUserId]);
    const { medianWaitSeconds, ...rest } = await stats(3);
    expect(rest).toEqual({
      waiting: 2,
      overdue: 1,
      approved: 3,
      rejected: 1,
      days: [
        { date: dayBefore(2), approved: 1, rejected: 1 },
        { date: dayBefore(1), approved: 1, rejected: 0 },
        { date: dayBefore(0), approved: 1, rejected: 0 },
      ],
      reviewers: [
        { reviewer: mia.accountUserId, approved: 2, rejected: 1 },
        { reviewer: null, approved: 1, rejected: 0 },
      ],
    });
    expect(medianWaitSeconds).toBe(3.5 * 3600);
    expect((await stats(30)).approved).toBe(4);
  });
});
