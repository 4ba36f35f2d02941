import { describe, expect, it } from '@jest/globals';
import { type AppJson, twoScreenshots } from '../support/actors.js';
import { beforeTests } from '../support/before-tests.js';
import { callers, fifty, racing, tally, winners } from './race.js';

describe('fifty at once, with one app', () => {
  const { service, entry, gatedFifty, gatedRace, notificationsOf } = racing();
  const developer = beforeTests(() => service.aDeveloper());

  const read = (id: string) => service.must<AppJson>('myApp', { id }, developer.token);

  it('submit it: one does, the others are told it is pending, and it is announced once', async () => {
    const { id } = await service.anApp(developer);
    const outcomes = await gatedFifty('apps', () => entry('submitApp', { id }, developer.key));
    expect(tally(outcomes)).toEqual({ OK: 1, INVALID_TRANSITION: callers - 1 });
    expect(await read(id)).toEqual(winners(outcomes)[0]);
    expect(await notificationsOf('app.submitted', id)).toBe(1);
  });

  it('change it as of the same revision: one does, the others are told that it changed', async () => {
    const { id, revision } = await service.anApp(developer);
    const outcomes = await gatedFifty('apps', (i) =>
      entry('updateApp', { id, revision, description: `Number ${i}` }, developer.key),
    );
    expect(tally(outcomes)).toEqual({ OK: 1, REVISION_CONFLICT: callers - 1 });
    const [winner] = winners(outcomes);
    expect(winner!.revision).toBe(revision + 1);
    expect(await read(id)).toEqual(winner);
  });

  it('change it without naming a revision: every change counts, and each answer shows its own', async () => {
    const { id, revision } = await service.anApp(developer);
    const outcomes = await gatedFifty('apps', (i) =>
      entry('updateApp', { id, description: `Number ${i}` }, developer.key),
    );
    expect(tally(outcomes)).toEqual({ OK: callers });
    expect(outcomes.map(({ data }) => data.description)).toEqual(fifty((i) => `Number ${i}`));
    const revisions = outcomes.map(({ data }) => data.revision);
    expect(revisions.toSorted((a, b) => a - b)).toEqual(fifty((i) => revision + 1 + i));
    expect(await read(id)).toEqual(outcomes.find(({ data }) => data.revision === revision + callers)!.data);
  });

  it('change different fields of it: no change is lost', async () => {
    const { id, revision } = await service.anApp(developer);
    const changes = fifty(
      (i) =>
        [
          { description: 'New' },
          { websiteUrl: 'https://new.example' },
          { bannerUrl: 'https://new.example/b.png' },
        ][i % 3]!,
    );
    const outcomes = await gatedRace(
      'apps',
      changes.map((change) => entry('updateApp', { id, ...change }, developer.key)),
    );
    expect(tally(outcomes)).toEqual({ OK: callers });
    expect(await read(id)).toMatchObject({
      description: 'New',
      websiteUrl: 'https://new.example',
      bannerUrl: 'https://new.example/b.png',
      revision: revision + 3,
    });
  });

  it('delete it: one does, the others find nothing', async () => {
    const { id } = await service.anApp(developer);
    const outcomes = await gatedFifty('apps', () => entry('deleteApp', { id }, developer.key));
    expect(tally(outcomes)).toEqual({ OK: 1, NOT_FOUND: callers - 1 });
  });

  it.each([1, 2, 3])(
    'submit and delete it: it is gone, and at most one submitted it (round %i)',
    async () => {
      const { id } = await service.anApp(developer);
      const outcomes = await gatedFifty('apps', (i) =>
        entry(i % 2 ? 'submitApp' : 'deleteApp', { id }, developer.key),
      );
      const submissions = tally(outcomes.filter((_, i) => i % 2));
      const deletions = tally(outcomes.filter((_, i) => i % 2 === 0));
      const submitted = submissions.OK ?? 0;
      expect(deletions).toEqual({ OK: 1, NOT_FOUND: callers / 2 - 1 });
      expect(submitted).toBeLessThanOrEqual(1);
      // Without a submission no call can have found it pending.
      if (!submitted) expect(submissions).toEqual({ NOT_FOUND: callers / 2 });
      expect(await notificationsOf('app.submitted', id)).toBe(submitted);
      expect(await service.sql('select id from apps where id = $1', [id])).toEqual([]);
    },
  );

  it.each([1, 2, 3])(
    'submit it and remove its screenshots: a pending app is complete (round %i)',
    async () => {
      const { id } = await service.anApp(developer);
      const outcomes = await gatedFifty('apps', (i) =>
        i % 2
          ? entry('submitApp', { id }, developer.key)
          : entry('updateApp', { id, screenshots: twoScreenshots.slice(0, (i / 2) % 2) }, developer.key),
      );
      const submissions = tally(outcomes.filter((_, i) => i % 2));
      const app = await read(id);
      if (submissions.OK) {
        expect(submissions).toEqual({
          OK: 1,
          ...(submissions.VALIDATION_FAILED && { VALIDATION_FAILED: expect.any(Number) }),
          INVALID_TRANSITION: expect.any(Number),
        });
        expect(app.status).toBe('PENDING');
        expect(app.screenshots).toHaveLength(2);
      } else {
        expect(submissions).toEqual({ VALIDATION_FAILED: callers / 2 });
        expect(app.status).toBe('DRAFT');
      }
    },
  );
});
