import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Administrator, type AppJson, aRejection, atOnce, type Json } from '../support/actors.js';
import { beforeTests } from '../support/before-tests.js';
import { connectTo } from '../support/database.js';
import { secondGateway } from '../support/service.js';
import { callers, type Entry, fifty, race, racing, tally, unbounded, winners, within } from './race.js';

type Item = Json & { app: AppJson; claim: { by: string } | null };

const reviewers = 20;

describe('twenty reviewers at once', () => {
  let administrators: Administrator[];
  const { service, entry, gatedRace, waitingFor } = racing();
  const developer = beforeTests(() => service.aDeveloper());
  beforeAll(async () => {
    administrators = await atOnce(reviewers, () => service.anAdministrator());
  });

  const holderOf = async (id: string) => {
    const [row] = await service.sql<{ claimed_by: string | null }>(
      'select claimed_by from submissions where coalesce(version_id, app_id) = $1 and ended_at is null',
      [id],
    );
    return row?.claimed_by;
  };
  const linesOf = async (id: string, kind: string) =>
    service.sql<{ actor_account: string; taken_from: string | null }>(
      `select actor_account, data->>'takenFrom' as taken_from from audit_events
       where app_id = $1 and kind = $2 order by created_at, id`,
      [id, kind],
    );
  const claims = (id: string, takeOver = false) =>
    administrators.map(({ token }) => entry<Item>('claimReview', { id, takeOver }, token));

  it.each(['an app', 'a version'])(
    'claim %s: one has it, and all others see REVIEW_CLAIMED',
    async (what) => {
      const { app, version } =
        what === 'a version'
          ? await service.aVersion(developer, 'PENDING')
          : { app: await service.anApp(developer, 'PENDING'), version: null };
      const id = version?.id ?? app.id;
      const outcomes = await gatedRace('submissions', claims(id));
      expect(tally(outcomes)).toEqual({ OK: 1, REVIEW_CLAIMED: reviewers - 1 });
      const winner = administrators[outcomes.findIndex(({ code }) => code === null)]!;
      expect(winners(outcomes)[0]?.claim?.by).toBe(winner.accountUserId);
      expect(await holderOf(id)).toBe(winner.accountUserId);
      expect(await linesOf(app.id, 'review.claimed')).toEqual([
        { actor_account: winner.accountUserId, taken_from: null },
      ]);
    },
  );

  it('claim a submission whose claim has expired: one has it', async () => {
    const { id } = await service.anApp(developer, 'PENDING');
    await service.must('claimReview', { id }, administrators[0]!.token);
    await service.sql(
      "update submissions set claimed_until = now() - interval '1 second' where app_id = $1",
      [id],
    );
    const outcomes = await gatedRace('submissions', claims(id));
    expect(tally(outcomes)).toEqual({ OK: 1, REVIEW_CLAIMED: reviewers - 1 });
    expect(await holderOf(id)).toBe(winners(outcomes)[0]?.claim?.by);
  });

  it('take it over: everybody had it, each from the one before, and the last has it', async () => {
    const { id } = await service.anApp(developer, 'PENDING');
    const outcomes = await gatedRace('submissions', claims(id, true));
    expect(tally(outcomes)).toEqual({ OK: reviewers });
    expect(outcomes.map(({ data }) => data.claim?.by)).toEqual(
      administrators.map(({ accountUserId }) => accountUserId),
    );
    const lines = await linesOf(id, 'review.claimed');
    expect(new Set(lines.map((line) => line.actor_account)).size).toBe(reviewers);
    const former = new Set(lines.map((line) => line.taken_from));
    expect(former.size).toBe(reviewers);
    expect(former).not.toContain(await holderOf(id));
    expect(former).toContain(null);
  });

  it.each([1, 2, 3])(
    'claim it and decide on it: the holder decides, or it is decided already (round %i)',
    async () => {
      const { id, revision } = await service.anApp(developer, 'PENDING');
      const entries = administrators.map(({ token }, i) => {
        if (i % 2) return entry<Json>('claimReview', { id }, token);
        const decision = i % 4 ? entry<Json>('approveApp', { id, revision }, token) : null;
        return decision ?? entry<Json>('rejectApp', { id, ...aRejection(revision) }, token);
      });
      const outcomes = await gatedRace('submissions', entries);
      const decisions = outcomes.filter((_, i) => i % 2 === 0);
      const claimed = outcomes.filter((_, i) => i % 2);
      const app = await service.must<AppJson>('myApp', { id }, developer.token);
      if (winners(decisions).length) {
        expect(tally(decisions)).toEqual({ OK: 1, INVALID_TRANSITION: decisions.length - 1 });
        expect(tally(claimed)).toEqual({ NOT_FOUND: claimed.length });
        expect(app).toEqual(winners(decisions)[0]);
      } else {
        expect(tally(decisions)).toEqual({ REVIEW_CLAIMED: decisions.length });
        expect(tally(claimed)).toEqual({ OK: 1, REVIEW_CLAIMED: claimed.length - 1 });
        expect(app.status).toBe('PENDING');
      }
    },
  );

  it.each([1, 2, 3])(
    'claim, release, take over and withdraw it: no response is broken (round %i)',
    async () => {
      const { id } = await service.anApp(developer, 'PENDING');
      const acts = [
        (token: string) => entry<Json>('claimReview', { id }, token),
        (token: string) => entry<Json>('releaseReview', { id }, token),
        (token: string) => entry<Json>('claimReview', { id, takeOver: true }, token),
      ];
      const entries = administrators.map(({ token }, i) => within(15, acts[i % acts.length]!(token)));
      const withdrawal = within<Json>(10, entry<Json>('withdrawApp', { id }, developer.token));
      const outcomes = await race([...entries, withdrawal]);
      expect(outcomes.at(-1)?.code).toBeNull();
      const { OK: _ = 0, REVIEW_CLAIMED: __ = 0, NOT_FOUND: ___ = 0, ...others } = tally(outcomes);
      expect(others).toEqual({});
      expect(await holderOf(id)).toBeUndefined();
    },
  );

  it('claim the next one, fifty of them at two gateways: each gets another, and ten get null (D156)', async () => {
    await service.sql('delete from submissions where ended_at is null');
    const waiting = await atOnce(callers - 10, () => service.anApp(developer, 'PENDING'));
    await using second = await secondGateway(service, { DATABASE_POOL: String(2 * callers) }, unbounded);
    const entries = await Promise.all(
      fifty(async (i): Promise<Entry<Item | null>> => {
        const gateway = i % 2 ? service : second;
        const { token } = await gateway.anAdministrator();
        return () => gateway.call<Item | null>('claimNext', {}, token);
      }),
    );
    const outcomes = await gatedRace('submissions', entries);
    expect(tally(outcomes)).toEqual({ OK: callers });
    const claimed = winners(outcomes).filter((item) => item !== null);
    expect(claimed.map(({ app }) => app.id).sort()).toEqual(waiting.map(({ id }) => id).sort());
    const holders = await Promise.all(claimed.map(({ app }) => holderOf(app.id)));
    expect(holders).toEqual(claimed.map(({ claim }) => claim?.by));
    expect(new Set(holders).size).toBe(waiting.length);
  });

  it('claim the next one while its claim fails: nobody is told that none is left (D156)', async () => {
    await service.sql('delete from submissions where ended_at is null');
    const { id } = await service.anApp(developer, 'PENDING');
    const failing = await connectTo(service.databaseUrl);
    await failing.query('begin');
    await failing.query('update submissions set claimed_by = $1, claimed_until = $2 where app_id = $3', [
      'somebody',
      new Date(Date.now() + 60_000),
      id,
    ]);
    const next = entry<Item | null>('claimNext', {}, administrators[0]!.token)();
    await waitingFor(1);
    await failing.end();
    expect((await next).data?.claim?.by).toBe(administrators[0]!.accountUserId);
  });

  it('claim an app that is being withdrawn: a claim locks the app before its submission, so no deadlock comes', async () => {
    const { id } = await service.anApp(developer, 'PENDING');
    await using withdrawal = await connectTo(service.databaseUrl);
    // The locks that a withdrawal holds when it comes to the submission: the app, and the developer's place in the audit log.
    await withdrawal.query('begin');
    await withdrawal.query('select from apps where id = $1 for update', [id]);
    const placeInLog = "select pg_advisory_xact_lock(hashtextextended('events:' || $1, 0))";
    await withdrawal.query(placeInLog, [developer.id]);
    const claimed = claims(id)[0]!();
    await waitingFor(1);
    // A claim that had locked the submission would now wait for the log, and the withdrawal for the claim.
    const submission = 'select from submissions where app_id = $1 and ended_at is null for update nowait';
    await expect(withdrawal.query(submission, [id])).resolves.toMatchObject({ rowCount: 1 });
    await withdrawal.query('commit');
    expect((await claimed).code).toBeNull();
  });
});
