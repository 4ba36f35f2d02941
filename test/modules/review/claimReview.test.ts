import { describe, expect, it } from '@jest/globals';
import type { Administrator, Json } from '../../support/actors.js';
import { linesOf } from '../../support/audit.js';
import { beforeTests } from '../../support/before-tests.js';
import { unknownId } from '../../support/matchers.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

type Item = Json & { app: Json; version: Json | null; claim: { by: string; until: string } | null };

const halfAnHourMs = 30 * 60_000;

describe('claimReview over graphql', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());
  const mia = beforeTests(() => service.anAdministrator());
  const noa = beforeTests(() => service.anAdministrator());

  const claim = (who: Administrator, id: string, takeOver?: boolean) =>
    service.client.call<Item>('graphql', 'claimReview', { id, takeOver }, who.token);
  const letLeaseExpire = (appId: string) =>
    service.sql(
      "update submissions set claimed_until = now() - interval '1 second' where app_id = $1 and ended_at is null",
      [appId],
    );
  const stageOf = async (id: string) => {
    const { myApp } = await service.client.queryData<{ myApp: { review: { stage: string } | null } }>(
      'query ($id: ID!) { myApp(id: $id) { review { stage } } }',
      { id },
      ada.token,
    );
    return myApp.review?.stage;
  };

  it('claims a submission for half an hour, and returns it whole (D55)', async () => {
    const app = await service.anApp(ada, 'PENDING');
    const data = expectSuccess(await claim(mia, app.id));
    const { claim: taken, ...item } = data;
    expect(taken?.by).toBe(mia.accountUserId);
    expect(Math.abs(Date.parse(taken!.until) - Date.now() - halfAnHourMs)).toBeLessThan(60_000);
    expect(item).toMatchObject({ app, version: null, overdue: false, submittedAt: app.submittedAt });
  });

  it('accepts the id of the submission, of the app, or of the version that was submitted (D59)', async () => {
    const pending = await service.anApp(ada, 'PENDING');
    const { data: byApp } = await claim(mia, pending.id);
    expect((await claim(mia, byApp.id)).data.app.id).toBe(pending.id);
    const { app, version } = await service.aVersion(ada, 'PENDING');
    expect((await claim(mia, version.id)).data).toMatchObject({
      app: { id: app.id },
      version: { id: version.id },
    });
    expectError(await claim(mia, app.id), 'NOT_FOUND');
  });

  it('shows the developer that it is in review, until the claim expires', async () => {
    const { id } = await service.anApp(ada, 'PENDING');
    expect(await stageOf(id)).toBe('QUEUED');
    await claim(mia, id);
    expect(await stageOf(id)).toBe('IN_REVIEW');
    await letLeaseExpire(id);
    expect(await stageOf(id)).toBe('QUEUED');
  });

  it('renews the half hour for its holder, without an audit event (D55)', async () => {
    const { id } = await service.anApp(ada, 'PENDING');
    await claim(mia, id);
    await service.sql(
      "update submissions set claimed_until = now() + interval '1 minute' where app_id = $1",
      [id],
    );
    const lines = await linesOf(service, async () => {
      const { data } = await claim(mia, id);
      expect(Date.parse(data.claim!.until)).toBeGreaterThan(Date.now() + halfAnHourMs - 10_000);
    });
    expect(lines).toEqual([]);
  });

  it('refuses a submission that another holds with REVIEW_CLAIMED: until when, but not who', async () => {
    const { id } = await service.anApp(ada, 'PENDING');
    const { data } = await claim(mia, id);
    const outcome = await claim(noa, id);
    expectError(outcome, 'REVIEW_CLAIMED');
    expect(outcome.message).toContain(data.claim!.until);
    expect(outcome.message).not.toContain(mia.accountUserId);
    expectError(await claim(noa, id, false), 'REVIEW_CLAIMED');
    expect((await claim(mia, id)).data.claim?.by).toBe(mia.accountUserId);
  });

  it('takes over with takeOver: then the former holder is refused', async () => {
    const { id } = await service.anApp(ada, 'PENDING');
    await claim(mia, id);
    expect((await claim(noa, id, true)).data.claim?.by).toBe(noa.accountUserId);
    expectError(await claim(mia, id), 'REVIEW_CLAIMED');
  });

  it('returns NOT_FOUND where nothing is pending: a draft, a decided or withdrawn submission, an unknown id', async () => {
    const { id } = await service.anApp(ada, 'PENDING');
    const { data: submission } = await claim(mia, id);
    await service.client.must('withdrawApp', { id }, ada.token);
    const approved = await service.anApp(ada, 'APPROVED');
    const { version } = await service.aVersion(ada, 'DRAFT');
    for (const gone of [id, submission.id, approved.id, version.id, unknownId, 'not-a-uuid'])
      expectError(await claim(mia, gone), 'NOT_FOUND');
  });
});
