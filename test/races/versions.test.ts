import { beforeAll, describe, expect, it } from '@jest/globals';
import { type AppJson, aRejection, type Json, type VersionJson } from '../support/actors.js';
import type { Outcome } from '../support/api-client.js';
import { beforeTests } from '../support/before-tests.js';
import { callers, fifty, race, racing, tally, winners, within } from './race.js';

const half = callers / 2;

/** The state that a reviewer saw when they decided. */
interface Review extends Outcome<VersionJson> {
  seen: VersionJson;
}

describe('fifty at once, at a version of one app', () => {
  let admin: string;
  const { service, entry, gatedFifty, gatedRace, notificationsOf } = racing();
  const developer = beforeTests(() => service.aDeveloper());
  beforeAll(async () => {
    admin = await service.admin();
  });

  const read = (id: string) => service.must<AppJson>('myApp', { id }, developer.token);
  /** An edit that changes nothing is the way to read a version. */
  const readVersion = (id: string) => service.must<VersionJson>('updateAppVersion', { id }, developer.token);
  const publicly = async (slug: string) => (await service.client.call<AppJson>('rest', 'app', { slug })).data;

  it('begin one: there is one', async () => {
    const { id: appId } = await service.anApp(developer, 'APPROVED');
    const outcomes = await gatedFifty('app_versions', (i) =>
      entry<VersionJson>('createAppVersion', { appId, name: `Name ${i}` }, developer.key),
    );
    expect(tally(outcomes)).toEqual({ OK: 1, INVALID_TRANSITION: callers - 1 });
    const rows = await service.sql<{ id: string }>('select id from app_versions where app_id = $1', [appId]);
    expect(rows).toEqual([{ id: winners(outcomes)[0]!.id }]);
  });

  it('approve it: one does, and it is announced once', async () => {
    const { app, version } = await service.aVersion(developer, 'PENDING');
    const { id, revision } = version;
    const outcomes = await gatedFifty('app_versions', () =>
      entry<VersionJson>('approveAppVersion', { id, revision }, admin),
    );
    expect(tally(outcomes)).toEqual({ OK: 1, INVALID_TRANSITION: callers - 1 });
    expect(await notificationsOf('version.approved', app.id)).toBe(1);
    expect((await read(app.id)).revision).toBe(2);
  });

  it.each([
    ['all at once', 0, true],
    ['up to 5 ms apart', 5, false],
    ['up to 40 ms apart', 40, false],
  ] as const)(
    'approve it while it is edited: what is live is exactly the revision that the reviewer named (%s)',
    async (_, milliseconds, gated) => {
      const { app, version } = await service.aVersion(developer, 'PENDING');
      const { id } = version;
      const edits = Array.from({ length: half }, (_, i) =>
        within(
          milliseconds,
          entry<VersionJson>('updateAppVersion', { id, description: `Edit ${i}` }, developer.key),
        ),
      );
      const reviewer = async (): Promise<Review> => {
        const [seen] = await service.sql<VersionJson>(
          'select id, revision, description from app_versions where id = $1',
          [id],
        );
        const input = { id, revision: seen!.revision };
        const approve = entry<VersionJson>('approveAppVersion', input, admin);
        return { ...(await within(milliseconds / 3, approve)()), seen: seen! };
      };
      const entries = [...edits, ...Array.from({ length: half }, () => within(milliseconds, reviewer))];
      const outcomes = gated ? await gatedRace('app_versions', entries) : await race(entries);
      const edited = winners(outcomes.slice(0, half));
      const reviews = outcomes.slice(half) as Review[];
      const [approval, ...more] = reviews.filter(({ code }) => code === null);
      expect(more).toEqual([]);
      expect(edited.map(({ revision }) => revision).toSorted((a, b) => a - b)).toEqual(
        edited.map((_, i) => i + 2),
      );
      const live = await publicly(app.slug);
      if (approval) {
        expect(live.description).toBe(approval.seen.description);
        expect(approval.data).toMatchObject({ revision: approval.seen.revision, status: 'APPROVED' });
        expect(edited).toHaveLength(approval.seen.revision - 1);
        const { OK: _, INVALID_TRANSITION: late = 0, ...others } = tally(outcomes.slice(0, half));
        expect([late, others]).toEqual([half - edited.length, {}]);
        const { REVISION_CONFLICT: stale = 0, INVALID_TRANSITION: decided = 0 } = tally(reviews);
        expect(stale + decided).toBe(half - 1);
      } else {
        expect(live.description).toBe(app.description);
        expect(edited).toHaveLength(half);
        expect(tally(reviews)).toEqual({ REVISION_CONFLICT: half });
        expect((await readVersion(id)).status).toBe('PENDING');
      }
      expect((await read(app.id)).revision).toBe(approval ? 2 : 1);
    },
  );

  it('approve, reject and withdraw it: exactly one happens', async () => {
    const { app, version } = await service.aVersion(developer, 'PENDING');
    const { id, revision } = version;
    const acts = [
      entry<VersionJson>('approveAppVersion', { id, revision }, admin),
      entry<VersionJson>('rejectAppVersion', { id, ...aRejection(revision) }, admin),
      entry<VersionJson>('withdrawAppVersion', { id }, developer.key),
    ];
    const outcomes = await gatedFifty('app_versions', (i) => acts[i % acts.length]!);
    expect(tally(outcomes)).toEqual({ OK: 1, INVALID_TRANSITION: callers - 1 });
    const [{ status }] = winners(outcomes) as [VersionJson];
    const live = await publicly(app.slug);
    expect(live.description).toBe(status === 'APPROVED' ? version.description : app.description);
    const open = await service.sql('select from submissions where version_id = $1 and ended_at is null', [
      id,
    ]);
    expect(open).toHaveLength(0);
  });

  it.each([1, 2])(
    'approve it while administrators edit the app and take it down: each in turn, and nothing is lost (round %i)',
    async () => {
      const { app, version } = await service.aVersion(developer, 'PENDING');
      const acts = [
        entry<Json>('approveAppVersion', { id: version.id, revision: version.revision }, admin),
        entry<Json>('editApp', { id: app.id, websiteUrl: 'https://edited.example', reason: 'Asked.' }, admin),
        entry<Json>('suspendApp', { id: app.id, reason: 'It misbehaves.' }, admin),
      ];
      const outcomes = await gatedFifty('apps', (i) => within(10, acts[i % acts.length]!));
      const of = (act: number) => outcomes.filter((_, i) => i % acts.length === act);
      const approvals = tally(of(0));
      expect(tally(of(1))).toEqual({ OK: of(1).length });
      expect(tally(of(2))).toEqual({ OK: of(2).length });
      const after = await read(app.id);
      expect(after.status).toBe('SUSPENDED');
      expect(after.websiteUrl).toBe('https://edited.example');
      if (approvals.OK) {
        const { OK: approved, INVALID_TRANSITION: late = 0, ...others } = approvals;
        expect([approved, late, others]).toEqual([1, of(0).length - 1, {}]);
        expect(after.description).toBe(version.description);
      } else {
        // An approval between the edit and the takedown would undo the edit (D105).
        const { APP_SUSPENDED: down = 0, REVISION_CONFLICT: outdated = 0, ...others } = approvals;
        expect([down + outdated, others]).toEqual([of(0).length, {}]);
        expect(after).toMatchObject({ description: app.description, revision: 2 });
      }
      const [{ lines } = { lines: 0 }] = await service.sql<{ lines: number }>(
        `select count(*)::int as lines from audit_events where app_id = $1 and after ? 'revision'
         and kind in ('version.approved', 'app.edited')`,
        [app.id],
      );
      expect(after.revision).toBe(1 + lines);
    },
  );

  it.each([
    ['all at once', 0, true],
    ['up to 20 ms apart', 20, false],
    ['up to 80 ms apart', 80, false],
  ] as const)(
    'edit the app, rebase the version and approve it: no edit is ever undone (D105) (%s)',
    async (_, milliseconds, gated) => {
      const { app, version } = await service.aVersion(developer, 'PENDING');
      const { id } = version;
      const edit = (i: number) =>
        entry<Json>(
          'editApp',
          { id: app.id, websiteUrl: `https://edit-${i}.example`, reason: 'Asked.' },
          admin,
        );
      const rebase = (i: number) => entry<Json>('rebaseAppVersion', { id }, i % 2 ? admin : developer.key);
      const reviewer = async () => {
        const [seen] = await service.sql<{ revision: number }>(
          'select revision from app_versions where id = $1',
          [id],
        );
        return entry<Json>('approveAppVersion', { id, revision: seen!.revision }, admin)();
      };
      const entries = fifty((i) => within(milliseconds, [edit(i), rebase(i), reviewer][i % 3]!));
      const outcomes = gated ? await gatedRace('app_versions', entries) : await race(entries);
      const of = (act: number) => outcomes.filter((_, i) => i % 3 === act);
      expect(tally(of(0))).toEqual({ OK: of(0).length });
      const {
        OK: approved = 0,
        REVISION_CONFLICT: _c = 0,
        INVALID_TRANSITION: _t = 0,
        ...odd
      } = tally(of(2));
      expect(odd).toEqual({});
      expect(approved).toBeLessThanOrEqual(1);
      // Only what was approved in the meantime cannot be rebased.
      const { OK: _o = 0, INVALID_TRANSITION: closed = 0, ...strange } = tally(of(1));
      expect(strange).toEqual({});
      if (!approved) expect(closed).toBe(0);

      const lines = await service.sql<{ kind: string; before: Json; after: Json }>(
        `select kind, before, after from audit_events where app_id = $1
         and kind in ('app.edited', 'version.approved') order by (after->>'revision')::int`,
        [app.id],
      );
      const edits = lines.filter(({ kind }) => kind === 'app.edited');
      const after = await read(app.id);
      expect(after.websiteUrl).toBe(edits.at(-1)?.after.websiteUrl);
      expect(after.revision).toBe(1 + lines.length);
      for (const { kind, after: changed } of lines)
        if (kind === 'version.approved') expect(changed).not.toHaveProperty('websiteUrl');
      expect(after.description).toBe(approved ? version.description : app.description);

      if (approved) return;
      // In the end there is a way: rebase, look, approve.
      const rebased = await service.must<VersionJson>('rebaseAppVersion', { id }, developer.token);
      await service.administer('approveAppVersion', { id, revision: rebased.revision });
      expect(await read(app.id)).toMatchObject({
        websiteUrl: after.websiteUrl,
        description: version.description,
      });
    },
  );
});
