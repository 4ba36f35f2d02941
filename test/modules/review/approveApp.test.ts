import { describe, expect, it } from '@jest/globals';
import type { AppJson } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { aTime } from '../../support/matchers.js';
import { notificationsOf } from '../../support/notifications.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

describe('approveApp over graphql', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());

  const approve = async (input: Record<string, unknown>) => service.callAsAdmin<AppJson>('approveApp', input);

  it('makes a submission APPROVED and changes nothing else but the times (D18)', async () => {
    const pending = await service.anApp(ada, 'PENDING');
    expect(expectSuccess(await approve({ id: pending.id, revision: pending.revision }))).toEqual({
      ...pending,
      status: 'APPROVED',
      approvedAt: aTime,
      updatedAt: aTime,
    });
  });

  it('leaves the revision as it was: a state is not an edit (D19)', async () => {
    const app = await service.anApp(ada, 'PENDING');
    const { revision } = await service.client.must<AppJson>(
      'updateApp',
      { id: app.id, name: 'Another name' },
      ada.token,
    );
    expect(revision).toBe(2);
    expect((await approve({ id: app.id, revision })).data.revision).toBe(2);
  });

  it('clears the rejection of an earlier round (D19)', async () => {
    const app = await service.anApp(ada, 'REJECTED');
    expect(app).toHaveProperty('rejection.guidance');
    await service.client.must('submitApp', { id: app.id }, ada.token);
    expect((await approve({ id: app.id, revision: app.revision })).data).toMatchObject({
      status: 'APPROVED',
      rejection: null,
    });
  });

  it('refuses a revision that the reviewer did not see with REVISION_CONFLICT, and notifies nobody (D19)', async () => {
    const developer = await service.aDeveloper();
    const app = await service.anApp(developer, 'PENDING');
    await service.client.must('updateApp', { id: app.id, name: 'Another name' }, developer.token);
    const outcome = await approve({ id: app.id, revision: app.revision });
    expectError(outcome, 'REVISION_CONFLICT');
    expect(outcome.message).toContain('revision 2');
    expectError(await approve({ id: app.id, revision: 3 }), 'REVISION_CONFLICT');
    expect(await service.client.must('myApp', { id: app.id }, developer.token)).toMatchObject({
      status: 'PENDING',
    });
    const kinds = (await notificationsOf(service, developer.id)).map(({ kind }) => kind);
    expect(kinds).not.toContain('app.approved');
  });

  it('requires a revision (D19)', async () => {
    const { id } = await service.anApp(ada, 'PENDING');
    const outcome = await approve({ id });
    expect(outcome).toMatchObject({ code: 'VALIDATION_FAILED', status: 400 });
    expect(outcome.details[0]?.field).toBe('revision');
  });
});
