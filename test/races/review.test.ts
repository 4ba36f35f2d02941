import { beforeAll, describe, expect, it } from '@jest/globals';
import { type AppJson, aRejection, atOnce } from '../support/actors.js';
import type { Outcome } from '../support/api-client.js';
import { beforeTests } from '../support/before-tests.js';
import { callers, race, racing, tally, winners, within } from './race.js';

/** The state that a reviewer saw when they decided. */
interface Review extends Outcome<AppJson> {
  seen: AppJson;
}

const half = callers / 2;

describe('fifty at once, deciding about one app', () => {
  let admin: string;
  const { service, entry, gatedFifty, gatedRace, notificationsOf } = racing();
  const freeRace: typeof gatedRace = (_table, entries) => race(entries);
  const developer = beforeTests(() => service.aDeveloper());
  beforeAll(async () => {
    admin = await service.admin();
  });

  const read = (id: string) => service.must<AppJson>('myApp', { id }, developer.token);

  /** Reads the app, waits a moment, and approves the revision that it read. */
  const reviewer = (id: string, ofMilliseconds: number) => async (): Promise<Review> => {
    const seen = await read(id);
    const approve = entry('approveApp', { id, revision: seen.revision }, admin);
    return { ...(await within(ofMilliseconds, approve)()), seen };
  };

  it('approve it: one does, and it is announced once', async () => {
    const { id, revision } = await service.anApp(developer, 'PENDING');
    const outcomes = await gatedFifty('apps', () => entry('approveApp', { id, revision }, admin));
    expect(tally(outcomes)).toEqual({ OK: 1, INVALID_TRANSITION: callers - 1 });
    expect(await read(id)).toEqual(winners(outcomes)[0]);
    expect(await notificationsOf('app.approved', id)).toBe(1);
  });

  it.each([1, 2, 3])('approve and reject it: exactly one decision (round %i)', async () => {
    const { id, revision } = await service.anApp(developer, 'PENDING');
    const outcomes = await gatedFifty('apps', (i) =>
      i % 2
        ? entry('approveApp', { id, revision }, admin)
        : entry('rejectApp', { id, ...aRejection(revision) }, admin),
    );
    expect(tally(outcomes)).toEqual({ OK: 1, INVALID_TRANSITION: callers - 1 });
    const [decided] = winners(outcomes);
    expect(await read(id)).toEqual(decided);
    const approved = decided!.status === 'APPROVED' ? 1 : 0;
    expect(await notificationsOf('app.approved', id)).toBe(approved);
    expect(await notificationsOf('app.rejected', id)).toBe(1 - approved);
    expect(decided!.rejection === null).toBe(approved === 1);
  });

  it.each([
    ['all at once', 0, gatedRace],
    ['again', 5, gatedRace],
    ['some earlier', 0, freeRace],
    ['up to 5 ms apart', 5, freeRace],
    ['up to 15 ms apart', 15, freeRace],
    ['up to 40 ms apart', 40, freeRace],
  ] as const)(
    'approve it while it is edited: what is public is what the reviewer saw (%s)',
    async (_, milliseconds, start) => {
      const original = await service.anApp(developer, 'PENDING');
      const { id } = original;
      const edits = Array.from({ length: half }, (_, i) =>
        within(milliseconds, entry('updateApp', { id, description: `Edit ${i}` }, developer.key)),
      );
      const reviewers = Array.from({ length: half }, () =>
        within(milliseconds, reviewer(id, milliseconds / 3)),
      );
      const outcomes = await start<AppJson>('apps', [...edits, ...reviewers]);
      const edited = winners(outcomes.slice(0, half));
      const reviews = outcomes.slice(half) as Review[];
      const approvals = reviews.filter(({ code }) => code === null);
      const app = await read(id);

      // Revisions follow one another, and each edit that won made exactly one.
      expect(edited.map(({ revision }) => revision).toSorted((a, b) => a - b)).toEqual(
        edited.map((_, i) => i + 2),
      );
      expect(app.revision).toBe(edited.length + 1);
      const last = edited.find(({ revision }) => revision === app.revision) ?? original;
      expect(app.description).toBe(last.description);

      expect(approvals.length).toBeLessThanOrEqual(1);
      expect(await notificationsOf('app.approved', id)).toBe(approvals.length);
      const [approval] = approvals;
      if (approval) {
        expect(app.status).toBe('APPROVED');
        expect(app.revision).toBe(approval.seen.revision);
        expect(app.description).toBe(approval.seen.description);
        expect(tally(outcomes.slice(0, half))).toEqual({
          ...(edited.length && { OK: edited.length }),
          ...(edited.length < half && { APP_APPROVED: half - edited.length }),
        });
        const { OK: _, REVISION_CONFLICT: stale = 0, INVALID_TRANSITION: late = 0 } = tally(reviews);
        expect(stale + late).toBe(half - 1);
      } else {
        expect(app.status).toBe('PENDING');
        expect(edited).toHaveLength(half);
        expect(tally(reviews)).toEqual({ REVISION_CONFLICT: half });
      }
    },
  );

  it.each([1, 2, 3])('approve and withdraw it: exactly one happens (round %i)', async () => {
    const { id, revision } = await service.anApp(developer, 'PENDING');
    const outcomes = await gatedFifty('apps', (i) =>
      i % 2 ? entry('approveApp', { id, revision }, admin) : entry('withdrawApp', { id }, developer.key),
    );
    expect(tally(outcomes)).toEqual({ OK: 1, INVALID_TRANSITION: callers - 1 });
    expect(await read(id)).toEqual(winners(outcomes)[0]);
  });

  it.each([1, 2, 3])('approve and delete it: it is public or gone, never both (round %i)', async () => {
    const { id, slug, revision } = await service.anApp(developer, 'PENDING');
    const outcomes = await gatedFifty('apps', (i) =>
      i % 2 ? entry('approveApp', { id, revision }, admin) : entry('deleteApp', { id }, developer.key),
    );
    const approvals = tally(outcomes.filter((_, i) => i % 2));
    const deletions = tally(outcomes.filter((_, i) => i % 2 === 0));
    const { code } = await service.client.call('rest', 'app', { slug });
    if (approvals.OK) {
      expect(approvals).toEqual({ OK: 1, INVALID_TRANSITION: half - 1 });
      expect(deletions).toEqual({ APP_APPROVED: half });
      expect(code).toBeNull();
    } else {
      expect(approvals).toEqual({ NOT_FOUND: half });
      expect(deletions).toEqual({ OK: 1, NOT_FOUND: half - 1 });
      expect(code).toBe('NOT_FOUND');
    }
  });

  it.each([1, 2, 3])(
    'take it down, restore it and feature it: each response was true, and the notifications alternate (round %i)',
    async () => {
      const { id } = await service.anApp(developer, 'APPROVED');
      const acts = [
        entry('suspendApp', { id, reason: 'It misbehaves.' }, admin),
        entry('restoreApp', { id }, admin),
        entry('featureApp', { id, featured: true }, admin),
      ];
      const outcomes = await gatedFifty('apps', (i) => within(20, acts[i % 3]!));
      const of = (act: number) => outcomes.filter((_, i) => i % 3 === act);
      expect(of(0).every(({ code, data }) => !code && data.status === 'SUSPENDED')).toBe(true);
      expect(of(1).every(({ code, data }) => !code && data.status === 'APPROVED')).toBe(true);
      const { OK: featured = 0, INVALID_TRANSITION: refused = 0 } = tally(of(2));
      expect(featured + refused).toBe(of(2).length);
      expect(winners(of(2)).every((app) => app.featured && app.status === 'APPROVED')).toBe(true);

      const app = await read(id);
      expect(app.featured).toBe(featured > 0);
      const taken = await notificationsOf('app.suspended', id);
      const restored = await notificationsOf('app.restored', id);
      expect(taken - restored).toBe(app.status === 'SUSPENDED' ? 1 : 0);
    },
  );

  it.each(['an app', 'a version'])(
    'approve %s each while the verification is withdrawn: nothing is approved afterwards (D118)',
    async (what) => {
      const ada = await service.aDeveloper();
      const waiting = await atOnce(half, async () =>
        what === 'an app'
          ? (await service.anApp(ada, 'PENDING')).id
          : (await service.aVersion(ada, 'PENDING')).version.id,
      );
      const decision = what === 'an app' ? 'approveApp' : 'approveAppVersion';
      const approvals = waiting.map((id) => within(20, entry(decision, { id, revision: 1 }, admin)));
      const unverify = within(15, entry('unverifyDeveloper', { id: ada.id, reason: 'Suspicious.' }, admin));
      const outcomes = await race([...approvals, unverify]);
      expect(outcomes.at(-1)?.code).toBeNull();
      const { OK: approved = 0, INVALID_TRANSITION: late = 0, ...others } = tally(outcomes.slice(0, -1));
      expect([approved + late, others]).toEqual([half, {}]);
      const [row] = await service.sql<{ after: number }>(
        `select count(*)::int as after from audit_events a join audit_events u using (developer_id)
         where a.developer_id = $1 and a.kind in ('app.approved', 'version.approved')
           and u.kind = 'developer.unverified' and a.created_at > u.created_at`,
        [ada.id],
      );
      expect(row?.after).toBe(0);
    },
  );

  it('approve versions while their developer is suspended and reinstated: nobody waits in a circle', async () => {
    const ada = await service.aDeveloper();
    const versions = await atOnce(half, async () => (await service.aVersion(ada, 'PENDING')).version.id);
    const entries = [
      ...versions.map((id) => within(30, entry('approveAppVersion', { id, revision: 1 }, admin))),
      ...Array.from({ length: half }, (_, i) =>
        within(
          30,
          i % 2
            ? entry('reinstateDeveloper', { id: ada.id }, admin)
            : entry('suspendDeveloper', { id: ada.id, reason: 'Suspicious.' }, admin),
        ),
      ),
    ];
    const outcomes = await race(entries);
    expect(tally(outcomes.slice(half))).toEqual({ OK: half });
    const { OK: _ = 0, INVALID_TRANSITION: __ = 0, ...others } = tally(outcomes.slice(0, half));
    expect(others).toEqual({});
  });
});
