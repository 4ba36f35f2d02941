import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Administrator, Developer, Json } from '../../support/actors.js';
import { linesOf } from '../../support/audit.js';
import { unknownId } from '../../support/matchers.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { type Service, sharedService } from '../../support/service.js';

describe('releaseReview over graphql', () => {
  let service: Service;
  let ada: Developer;
  let mia: Administrator;
  let noa: Administrator;
  beforeAll(async () => {
    service = await sharedService();
    ada = await service.aDeveloper();
    mia = await service.anAdministrator();
    noa = await service.anAdministrator();
  });

  const release = (who: Administrator, id: string) =>
    service.client.call<Json>('graphql', 'releaseReview', { id }, who.token);
  const claim = (who: Administrator, id: string) =>
    service.client.must<Json>('claimReview', { id }, who.token);

  it('releases a submission, by its own id, its app’s or its version’s (D55, D59)', async () => {
    const { id } = await service.anApp(ada, 'PENDING');
    const submission = await claim(mia, id);
    const outcome = await release(mia, submission.id);
    expectSuccess(outcome);
    expect(outcome.data).toMatchObject({ id: submission.id, claim: null, app: { id } });
    await claim(noa, id);
    expectSuccess(await release(noa, id));
    const { version } = await service.aVersion(ada, 'PENDING');
    await claim(mia, version.id);
    expect((await release(mia, version.id)).data).toMatchObject({ claim: null, version: { id: version.id } });
  });

  it('refuses a submission that another holds with REVIEW_CLAIMED, and leaves it claimed', async () => {
    const { id } = await service.anApp(ada, 'PENDING');
    await claim(mia, id);
    expectError(await release(noa, id), 'REVIEW_CLAIMED');
    expect(await claim(mia, id)).toMatchObject({ claim: { by: mia.accountUserId } });
  });

  it('does and records nothing where there is no claim or it has expired', async () => {
    const { id } = await service.anApp(ada, 'PENDING');
    const lines = await linesOf(service, async () => expectSuccess(await release(noa, id)));
    expect(lines).toEqual([]);
    await claim(mia, id);
    await service.sql(
      "update submissions set claimed_until = now() - interval '1 second' where app_id = $1",
      [id],
    );
    expect(await linesOf(service, async () => expectSuccess(await release(noa, id)))).toEqual([]);
  });

  it.each([unknownId, 'not-a-uuid'])('returns NOT_FOUND for the id "%s"', async (id) => {
    expectError(await release(mia, id), 'NOT_FOUND');
  });

  it('returns NOT_FOUND once it is decided', async () => {
    const { id, revision } = await service.anApp(ada, 'PENDING');
    const submission = await claim(mia, id);
    await service.client.must('approveApp', { id, revision }, mia.token);
    expectError(await release(mia, submission.id), 'NOT_FOUND');
  });

  it('is for administrators only (D7)', async () => {
    expectError(
      await service.client.call('graphql', 'releaseReview', { id: unknownId }, ada.key),
      'FORBIDDEN',
    );
  });
});
