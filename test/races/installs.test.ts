import { describe, expect, it } from '@jest/globals';
import { beforeTests } from '../support/before-tests.js';
import { callers, type Entry, fifty, race, racing, tally, winners, within } from './race.js';

interface Receipt {
  slug: string;
  installCount: number;
}

describe('fifty at once, installing one app', () => {
  const { service, entry } = racing();
  const developer = beforeTests(() => service.aDeveloper());

  const install = (slug: string, installationId?: string) =>
    entry<Receipt>('recordInstall', { slug, ...(installationId && { installationId }) }, null);
  const counted = async (id: string) => {
    const [row] = await service.sql<{ count: number; rows: number }>(
      `select install_count as count, (select count(*)::int from installations where app_id = a.id) as rows
       from app_figures a where id = $1`,
      [id],
    );
    return row;
  };
  const receipts = (outcomes: { data: Receipt }[]) =>
    outcomes.map(({ data }) => data.installCount).toSorted((a, b) => a - b);

  it('are all counted, and each receipt has a true count', async () => {
    const { id, slug } = await service.anApp(developer, 'APPROVED');
    const outcomes = await race(fifty(() => install(slug)));
    expect(tally(outcomes)).toEqual({ OK: callers });
    expect(await counted(id)).toEqual({ count: callers, rows: callers });
    // Receipts of one batch may show the same count, but never one that leaves out an earlier receipt.
    receipts(outcomes).forEach((count, i) => {
      expect(count).toBeGreaterThan(i);
      expect(count).toBeLessThanOrEqual(callers);
    });
  });

  it('with the same installationId are counted once: one is told that it is new', async () => {
    const { id, slug } = await service.anApp(developer, 'APPROVED');
    const body = { installationId: 'The very same' };
    const outcomes = await race(
      fifty(
        (): Entry<Receipt> => async () => {
          const response = await service.client.request('POST', `/api/apps/${slug}/install`, { body });
          const data = (await response.json()) as Receipt;
          const { status, headers } = response;
          return {
            code: status < 300 ? null : String(status),
            message: '',
            details: [],
            data,
            status,
            headers,
          };
        },
      ),
    );
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual([...Array(callers - 1).fill(200), 201]);
    expect(receipts(outcomes)).toEqual(Array(callers).fill(1));
    expect(await counted(id)).toEqual({ count: 1, rows: 1 });
  });

  it('with the same installationId over REST and GraphQL are counted once', async () => {
    const { id, slug } = await service.anApp(developer, 'APPROVED');
    const outcomes = await race(fifty(() => install(slug, 'The very same')));
    expect(receipts(outcomes)).toEqual(Array(callers).fill(1));
    expect(await counted(id)).toEqual({ count: 1, rows: 1 });
  });

  it('with ten installationIds and none, mixed, are counted exactly', async () => {
    const { id, slug } = await service.anApp(developer, 'APPROVED');
    await race(fifty((i) => install(slug, i % 2 ? `Installation ${i % 20}` : undefined)));
    const count = callers / 2 + 10;
    expect(await counted(id)).toEqual({ count, rows: count });
  });

  it.each([1, 2, 3])(
    'while it is taken down, restored, featured and edited: each install has a receipt, and no change is lost (round %i)',
    async () => {
      const { id, slug, revision } = await service.anApp(developer, 'APPROVED');
      const admin = await service.admin();
      const acts = [
        entry<Receipt>('suspendApp', { id, reason: 'It misbehaves.' }, admin),
        entry<Receipt>('restoreApp', { id }, admin),
        entry<Receipt>('featureApp', { id, featured: true }, admin),
        entry<Receipt>('editApp', { id, description: 'Corrected.', reason: 'A typo.' }, admin),
      ];
      const outcomes = await race([
        ...fifty(() => within(20, install(slug))),
        ...acts.map((act) => within(20, act)),
      ]);
      const installs = tally(outcomes.slice(0, callers));
      const { OK: recorded = 0, NOT_FOUND: hidden = 0 } = installs;
      expect(recorded + hidden).toBe(callers);
      expect(await counted(id)).toEqual({ count: recorded, rows: recorded });
      expect(winners(outcomes.slice(0, callers)).every(({ installCount }) => installCount <= recorded)).toBe(
        true,
      );
      const app = await service.must('myApp', { id }, developer.token);
      expect(app).toMatchObject({
        installCount: recorded,
        description: 'Corrected.',
        revision: revision + 1,
      });
    },
  );
});
