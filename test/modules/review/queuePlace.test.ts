import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Developer } from '../../support/actors.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { startService } from '../../support/service.js';

interface Place {
  stage: string;
  position: number;
  ahead: number;
  submittedAt: string;
  dueAt: string;
  etaP50: string;
  etaP90: string;
}

interface Standing {
  review: Place | null;
}

const hourMs = 3_600_000;
const fields = '{ stage position ahead submittedAt dueAt etaP50 etaP90 }';

describe('the place in the review queue', () => {
  const service = duringTests(startService);
  const ada = beforeTests(() => service.aDeveloper());
  beforeEach(async () => {
    await service.sql('delete from submissions');
    await service.sql("update apps set status = 'DRAFT', submitted_at = null where status = 'PENDING'");
  });

  const placeOf = async (id: string) => {
    const { myApp } = await service.client.queryData<{ myApp: Standing & { openVersion: Standing | null } }>(
      `query ($id: ID!) { myApp(id: $id) { review ${fields} openVersion { review ${fields} } } }`,
      { id },
      ada.token,
    );
    return myApp;
  };
  const submit = (id: string) => service.client.must('submitApp', { id }, ada.token);
  const withdraw = (id: string) => service.client.must('withdrawApp', { id }, ada.token);
  const positionsOf = async (...ids: string[]) =>
    Promise.all(ids.map(async (id) => (await placeOf(id)).review?.position));
  /** A number of decisions: the first took that many hours, and each of the others one more. */
  const decided = async (count: number, hours: number) => {
    const { id } = await service.anApp(ada, 'APPROVED');
    await service.sql('delete from submissions where app_id = $1', [id]);
    await service.sql(
      `insert into submissions (id, created_at, app_id, queued_at, due_at, ended_at, outcome)
       select gen_random_uuid(), now(), $1, now() - make_interval(hours => $3 + n), now(), now(),
         case n % 2 when 0 then 'APPROVED' else 'REJECTED' end
       from generate_series(0, $2 - 1) n`,
      [id, count, hours],
    );
  };
  const since = (start: string, end: string) => (Date.parse(end) - Date.parse(start)) / hourMs;

  it('is null unless something is pending', async () => {
    for (const status of ['DRAFT', 'REJECTED', 'APPROVED', 'SUSPENDED'] as const)
      expect((await placeOf((await service.anApp(ada, status)).id)).review).toBeNull();
  });

  it('counts apps and versions in one queue, exactly, and moves up with every decision and withdrawal', async () => {
    const [one, two, three] = [
      await service.anApp(ada, 'PENDING'),
      await service.anApp(ada, 'PENDING'),
      await service.anApp(ada, 'PENDING'),
    ];
    const { app, version } = await service.aVersion(ada, 'PENDING');
    const last = await service.anApp(ada, 'PENDING');
    expect(await positionsOf(one.id, two.id, three.id, last.id)).toEqual([1, 2, 3, 5]);
    expect(await placeOf(app.id)).toMatchObject({
      review: null,
      openVersion: { review: { position: 4, ahead: 3 } },
    });
    await service.administer('approveApp', { id: one.id, revision: 1 });
    await withdraw(three.id);
    expect(await positionsOf(two.id, last.id)).toEqual([1, 3]);
    await service.administer('approveAppVersion', { id: version.id, revision: 1 });
    expect(await placeOf(last.id)).toMatchObject({ review: { position: 2, ahead: 1, stage: 'QUEUED' } });
  });

  it('is due after 48 hours, and expected after 24 or 48 while there is no history (D56)', async () => {
    await decided(4, 100);
    const app = await service.anApp(ada, 'PENDING');
    const { review } = await placeOf(app.id);
    expect(review?.submittedAt).toBe(app.submittedAt);
    expect(since(review!.submittedAt, review!.dueAt)).toBe(48);
    expect(since(review!.submittedAt, review!.etaP50)).toBe(24);
    expect(since(review!.submittedAt, review!.etaP90)).toBe(48);
  });

  it('is expected by what five recent decisions or more took, withdrawals aside (D56)', async () => {
    await decided(5, 10);
    const withdrawn = await service.anApp(ada, 'PENDING');
    await service.sql("update submissions set queued_at = now() - interval '9 days' where app_id = $1", [
      withdrawn.id,
    ]);
    await withdraw(withdrawn.id);
    const { review } = await placeOf((await service.anApp(ada, 'PENDING')).id);
    // 10, 11, 12, 13 and 14 hours: the median, and four tenths of the way from the fourth to the fifth.
    expect(since(review!.submittedAt, review!.etaP50)).toBeCloseTo(12, 3);
    expect(since(review!.submittedAt, review!.etaP90)).toBeCloseTo(13.6, 3);
  });

  it('is never expected in the past', async () => {
    await decided(5, 1);
    const { id } = await service.anApp(ada, 'PENDING');
    await service.sql("update submissions set queued_at = now() - interval '3 days' where app_id = $1", [id]);
    const { review } = await placeOf(id);
    expect(Math.abs(Date.parse(review!.etaP50) - Date.now())).toBeLessThan(60_000);
    expect(review!.etaP90 >= review!.etaP50).toBe(true);
  });

  it('is not expected to wait less than the head of the queue waits already (D56)', async () => {
    await decided(5, 1);
    const head = await service.anApp(ada, 'PENDING');
    await service.sql("update submissions set queued_at = now() - interval '3 days' where app_id = $1", [
      head.id,
    ]);
    const { review } = await placeOf((await service.anApp(ada, 'PENDING')).id);
    expect(review!.ahead).toBe(1);
    expect(since(review!.submittedAt, review!.etaP50)).toBeCloseTo(72, 1);
    expect(review!.etaP90).toBe(review!.etaP50);
  });

  describe('a withdrawn and resubmitted listing', () => {
    const withdrawnFor = (interval: string, id: string) =>
      service.sql(
        'update submissions set ended_at = now() - $2::interval where app_id = $1 and ended_at is not null',
        [id, interval],
      );

    it('keeps the place and the time it is due, within seven days, again and again (D57)', async () => {
      const one = await service.anApp(ada, 'PENDING');
      const two = await service.anApp(ada, 'PENDING');
      const before = (await placeOf(one.id)).review;
      for (const waited of ['0 days', '6 days 23 hours']) {
        await withdraw(one.id);
        await withdrawnFor(waited, one.id);
        await submit(one.id);
        expect(await positionsOf(one.id, two.id)).toEqual([1, 2]);
      }
      expect((await placeOf(one.id)).review?.dueAt).toBe(before?.dueAt);
    });

    it('goes to the end of the queue after eight days (D57)', async () => {
      const one = await service.anApp(ada, 'PENDING');
      const two = await service.anApp(ada, 'PENDING');
      await withdraw(one.id);
      await withdrawnFor('8 days', one.id);
      await submit(one.id);
      expect(await positionsOf(one.id, two.id)).toEqual([2, 1]);
    });

    it.each(['still is at it', 'gave it back'])(
      'goes to the end of the queue once a reviewer had begun, who %s (D57)',
      async (what) => {
        const one = await service.anApp(ada, 'PENDING');
        const two = await service.anApp(ada, 'PENDING');
        await service.administer('claimReview', { id: one.id });
        if (what === 'gave it back') await service.administer('releaseReview', { id: one.id });
        await withdraw(one.id);
        await submit(one.id);
        expect(await positionsOf(one.id, two.id)).toEqual([2, 1]);
      },
    );

    it('goes to the end of the queue after a rejection, whatever was withdrawn before it', async () => {
      const one = await service.anApp(ada, 'PENDING');
      await withdraw(one.id);
      await submit(one.id);
      const two = await service.anApp(ada, 'PENDING');
      await service.administer('rejectApp', {
        id: one.id,
        revision: 1,
        reasons: [{ code: 'OTHER', message: 'No.' }],
        guidance: 'Mend it.',
      });
      await submit(one.id);
      expect(await positionsOf(one.id, two.id)).toEqual([2, 1]);
    });

    it.each([
      ['another name', { name: 'Another app' }],
      ['a small repair', { description: 'Tracks the time that you spend on each task.' }],
      ['other pictures', { screenshots: [1, 2, 3].map((n) => ({ url: `https://new.example/${n}.png` })) }],
    ])(
      'goes to the end of the queue with %s: the place belongs to the withdrawn revision (D57)',
      async (_, changes) => {
        const one = await service.anApp(ada, 'PENDING');
        const two = await service.anApp(ada, 'PENDING');
        await withdraw(one.id);
        await service.client.must('updateApp', { id: one.id, ...changes }, ada.token);
        await submit(one.id);
        expect(await positionsOf(one.id, two.id)).toEqual([2, 1]);
        const { review } = await placeOf(one.id);
        expect(since(review!.submittedAt, review!.dueAt)).toBe(48);
      },
    );

    it('loses the place by the first edit, so that nobody keeps a place for another listing (D57)', async () => {
      const one = await service.anApp(ada, 'PENDING');
      const two = await service.anApp(ada, 'PENDING');
      await withdraw(one.id);
      await submit(one.id);
      expect(await positionsOf(one.id, two.id)).toEqual([1, 2]);
      await service.client.must('updateApp', { id: one.id }, ada.token);
      expect(await positionsOf(one.id, two.id)).toEqual([1, 2]);
      await service.client.must('updateApp', { id: one.id, name: 'Another app' }, ada.token);
      expect(await positionsOf(one.id, two.id)).toEqual([2, 1]);
      const { review } = await placeOf(one.id);
      expect(since(review!.submittedAt, review!.dueAt)).toBe(48);
    });

    it('that was never withdrawn keeps the place through every edit (D19)', async () => {
      const one = await service.anApp(ada, 'PENDING');
      const two = await service.anApp(ada, 'PENDING');
      await service.client.must('updateApp', { id: one.id, name: 'Another app' }, ada.token);
      expect(await positionsOf(one.id, two.id)).toEqual([1, 2]);
    });

    it.each(['before it is submitted again', 'afterwards'])(
      'loses a version’s place by an edit %s (D57)',
      async (when) => {
        const { app, version } = await service.aVersion(ada, 'PENDING');
        await service.anApp(ada, 'PENDING');
        const edit = () =>
          service.client.must('updateAppVersion', { id: version.id, name: 'Another' }, ada.token);
        await service.client.must('withdrawAppVersion', { id: version.id }, ada.token);
        if (when !== 'afterwards') await edit();
        await service.client.must('submitAppVersion', { id: version.id }, ada.token);
        if (when === 'afterwards') await edit();
        expect((await placeOf(app.id)).openVersion?.review?.position).toBe(2);
      },
    );

    it('keeps a version’s place too (D57)', async () => {
      const { app, version } = await service.aVersion(ada, 'PENDING');
      await service.anApp(ada, 'PENDING');
      await service.client.must('withdrawAppVersion', { id: version.id }, ada.token);
      await service.client.must('submitAppVersion', { id: version.id }, ada.token);
      expect((await placeOf(app.id)).openVersion?.review?.position).toBe(1);
    });
  });

  describe('for one’s verification', () => {
    const verificationOf = async ({ token }: Developer) => {
      const { me } = await service.client.queryData<{ me: { verification: Place | null } }>(
        `{ me { verification ${fields} } }`,
        {},
        token,
      );
      return me.verification;
    };

    it('counts earlier registrations, and promises 24 hours; it is null for a verified developer', async () => {
      const [grace, mary] = [await service.anUnverifiedDeveloper(), await service.anUnverifiedDeveloper()];
      const [first, second] = [await verificationOf(grace), await verificationOf(mary)];
      expect([first?.position, second?.position]).toEqual([1, 2]);
      expect(second).toMatchObject({ stage: 'QUEUED', ahead: 1 });
      expect(since(second!.submittedAt, second!.dueAt)).toBe(24);
      await service.administer('verifyDeveloper', { id: grace.id });
      expect(await verificationOf(grace)).toBeNull();
      expect((await verificationOf(mary))?.position).toBe(1);
      expect(await verificationOf(ada)).toBeNull();
    });

    it('is expected by what recent verifications took (D56)', async () => {
      await Promise.all(Array.from({ length: 5 }, () => service.aDeveloper()));
      await service.sql(
        "update developers set created_at = verified_at - interval '3 hours' where verified_at is not null",
      );
      const place = await verificationOf(await service.anUnverifiedDeveloper());
      expect(since(place!.submittedAt, place!.etaP50)).toBeCloseTo(3, 3);
      expect(since(place!.submittedAt, place!.etaP90)).toBeCloseTo(3, 3);
    });
  });
});
