import { describe, expect, it } from '@jest/globals';
import type { Administrator, Json } from '../../support/actors.js';
import { linesOf } from '../../support/audit.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

describe('releaseReview over graphql', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());
  const mia = beforeTests(() => service.anAdministrator());
  const noa = beforeTests(() => service.anAdministrator());

  const release = (who: Administrator, id: string) =>
    service.client.call<Json>('graphql', 'releaseReview', { id }, who.token);
  const claim = (who: Administrator, id: string) =>
    service.client.must<Json>('claimReview', { id }, who.token);

  it('releases a submission, by its own id, its app’s or its version’s (D55, D59)', async () => {
    const { id } = await service.anApp(ada, 'PENDING');
    const submission = await claim(mia, id);
    expect(expectSuccess(await release(mia, submission.id))).toMatchObject({
      id: submission.id,
      claim: null,
      app: { id },
    });
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

  it('returns NOT_FOUND once it is decided', async () => {
    const { id, revision } = await service.anApp(ada, 'PENDING');
    const submission = await claim(mia, id);
    await service.client.must('approveApp', { id, revision }, mia.token);
    expectError(await release(mia, submission.id), 'NOT_FOUND');
  });
});
