import { describe, expect, it } from '@jest/globals';
import type { Json } from '../../support/actors.js';
import { linesOf } from '../../support/audit.js';
import { beforeTests } from '../../support/before-tests.js';
import { unknownId } from '../../support/matchers.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

describe('reviewItem', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());

  const read = (id: string) => service.callAsAdmin<Json>('reviewItem', { id });

  it('shows a submission by its id or that of its app, as the queue does, and claims nothing (D59, D194)', async () => {
    const app = await service.anApp(ada, 'PENDING');
    const lines = await linesOf(service, async () => {
      const outcome = expectSuccess(await read(app.id));
      expect(outcome).toMatchObject({ app: { id: app.id }, version: null, claim: null, overdue: false });
      expect((await read(outcome.id)).data).toEqual(outcome);
    });
    expect(lines).toEqual([]);
  });

  it('shows a version by its id; the id of its app does not name it (D59, D194)', async () => {
    const { app, version } = await service.aVersion(ada, 'PENDING');
    expect((await read(version.id)).data).toMatchObject({ app: { id: app.id }, version: { id: version.id } });
    expectError(await read(app.id), 'NOT_FOUND');
  });

  it('returns NOT_FOUND for what is not in the queue (D119, D194)', async () => {
    const draft = await service.anApp(ada);
    const eve = await service.aDeveloper();
    const waiting = await service.anApp(eve, 'PENDING');
    await service.administer('suspendDeveloper', { id: eve.id, reason: 'Spam.' });
    for (const id of [draft.id, waiting.id, unknownId, 'not-an-id']) expectError(await read(id), 'NOT_FOUND');
  });
});
