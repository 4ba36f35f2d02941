import { beforeAll, describe, expect, it } from '@jest/globals';
import { type AppJson, aRejection, type ConnectionJson, type Json } from '../../support/actors.js';
import type { Input } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

type Decision = Json & { app: AppJson; version: Json | null; outcome: string; reviewer: string };
type Page = ConnectionJson<Decision>;

describe('decisions over graphql', () => {
  const ids: Record<string, string> = {};
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());
  const mia = beforeTests(() => service.anAdministrator());
  beforeAll(async () => {
    const { app, version } = await service.aVersion(ada, 'PENDING');
    const rejected = await service.anApp(ada, 'PENDING');
    await service.client.must('rejectApp', { id: rejected.id, ...aRejection(1) }, mia.token);
    const approved = await service.anApp(ada, 'PENDING');
    await service.client.must('approveApp', { id: approved.id, revision: 1, note: 'Fine.' }, mia.token);
    await service.client.must('approveAppVersion', { id: version.id, revision: 1 }, mia.token);
    const withdrawn = await service.anApp(ada, 'PENDING');
    await service.client.must('withdrawApp', { id: withdrawn.id }, ada.token);
    Object.assign(ids, { rejected: rejected.id, approved: approved.id, version: app.id });
  });

  const list = (input: Input = {}) => service.client.call<Page>('graphql', 'decisions', input, mia.token);
  const appsOf = ({ edges }: Page) => edges.map(({ node }) => node.app.id);

  it('lists approvals and rejections of all administrators, latest first, with their outcome (D158)', async () => {
    const outcome = await list({ first: 3 });
    expectSuccess(outcome);
    expect(appsOf(outcome.data)).toEqual([ids.version, ids.approved, ids.rejected]);
    expect(outcome.data.edges.map(({ node }) => node)).toMatchObject([
      { outcome: 'APPROVED', version: { status: 'APPROVED' }, note: null, reviewer: mia.accountUserId },
      { outcome: 'APPROVED', version: null, note: 'Fine.', reviewer: mia.accountUserId },
      { outcome: 'REJECTED', rejection: { guidance: 'Say what it does.' }, reviewer: mia.accountUserId },
    ]);
    const [{ count } = { count: 0 }] = await service.sql<{ count: number }>(
      "select count(*)::int as count from submissions where outcome in ('APPROVED', 'REJECTED')",
    );
    expect(outcome.data.totalCount).toBe(count);
  });

  it('filters by reviewer, outcome and time (D158)', async () => {
    const reviewer = mia.accountUserId;
    const { data: mine } = await list({ reviewer });
    expect(appsOf(mine)).toEqual([ids.version, ids.approved, ids.rejected]);
    expect(appsOf((await list({ reviewer, outcome: 'REJECTED' })).data)).toEqual([ids.rejected]);
    expect((await list({ reviewer, outcome: 'WITHDRAWN' })).data.totalCount).toBe(0);
    const at = String(mine.edges[1]?.node.decidedAt);
    expect(appsOf((await list({ reviewer, from: at })).data)).toEqual([ids.version, ids.approved]);
    expect(appsOf((await list({ reviewer, to: at })).data)).toEqual([ids.rejected]);
    expect((await list({ reviewer, first: 2 })).data.totalCount).toBe(3);
    expectError(await list({ from: 'yesterday' }), 'VALIDATION_FAILED', ['from: invalid_time']);
  });
});
