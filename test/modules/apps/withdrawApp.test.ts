import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Scope } from '../../../src/auth/scope.js';
import { type AppJson, type AppStatus, aRejection, type Developer, type Json } from '../../support/actors.js';
import { aTime, unknownId } from '../../support/matchers.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { type Service, sharedService } from '../../support/service.js';

let service: Service;
let ada: Developer;
beforeAll(async () => {
  service = await sharedService();
  ada = await service.aDeveloper();
});

const withdraw = (id: string, bearer: string | null = ada.key) =>
  service.client.call<AppJson>('graphql', 'withdrawApp', { id }, bearer);
const read = (id: string) => service.client.must<AppJson>('myApp', { id }, ada.key);

describe('withdrawApp', () => {
  it('makes a pending app a draft again, and leaves its revision (D18, D19, D43)', async () => {
    const app = await service.anApp(ada, 'PENDING');
    const outcome = await withdraw(app.id);
    expectSuccess(outcome);
    expect(outcome.data).toEqual({ ...app, status: 'DRAFT', submittedAt: null, updatedAt: aTime });
    expect(await read(app.id)).toEqual(outcome.data);
  });

  it('removes the app from the review queue, so that nobody can decide on it (D18)', async () => {
    const { id, revision } = await service.anApp(ada, 'PENDING');
    await withdraw(id);
    const admin = await service.admin();
    const queue = await service.client.must<{ edges: { node: { app: Json } }[] }>(
      'reviewQueue',
      { first: 100 },
      admin,
    );
    expect(queue.edges.map(({ node }) => node.app.id)).not.toContain(id);
    expectError(
      await service.client.call('graphql', 'approveApp', { id, revision }, admin),
      'INVALID_TRANSITION',
    );
    expectError(
      await service.client.call('graphql', 'rejectApp', { id, ...aRejection(revision) }, admin),
      'INVALID_TRANSITION',
    );
  });

  it('lets the app be submitted again (D18)', async () => {
    const { id } = await service.anApp(ada, 'PENDING');
    await withdraw(id);
    const outcome = await service.client.call('rest', 'submitApp', { id }, ada.key);
    expectSuccess(outcome);
    expect(outcome.data).toMatchObject({ status: 'PENDING', submittedAt: aTime });
  });

  it('keeps the last rejection of an app that was submitted again, until the next decision (D17)', async () => {
    const { id, rejection } = await service.anApp(ada, 'REJECTED');
    await service.client.must('submitApp', { id }, ada.key);
    expect((await withdraw(id)).data).toMatchObject({ status: 'DRAFT', rejection });
  });

  it.each<AppStatus>(['DRAFT', 'REJECTED', 'APPROVED', 'SUSPENDED'])(
    'refuses an app that is %s (D18)',
    async (status) => {
      const app = await service.anApp(ada, status);
      expectError(await withdraw(app.id), 'INVALID_TRANSITION');
      expect(await read(app.id)).toEqual(app);
    },
  );

  it('needs the scope APP_UPDATE and nothing more, by key (D10)', async () => {
    const { id } = await service.anApp(ada, 'PENDING');
    const others = ['APP_READ', 'APP_CREATE', 'APP_DELETE', 'ANALYTICS_READ'] as Scope[];
    expectError(await withdraw(id, await service.aKey(ada, others)), 'INSUFFICIENT_SCOPE');
    expectSuccess(await withdraw(id, await service.aKey(ada, ['APP_UPDATE' as Scope])));
  });

  it('accepts the account token, and needs no verification (D9, D13)', async () => {
    const developer = await service.aDeveloper();
    const { id } = await service.anApp(developer, 'PENDING');
    const act = { id: developer.id, reason: 'Papers expired.' };
    await service.client.must('unverifyDeveloper', act, await service.admin());
    expectSuccess(await withdraw(id, developer.token));
  });

  it("returns the same NOT_FOUND for someone else's app as for a missing one (D7)", async () => {
    const other = await service.aDeveloper();
    const { id } = await service.anApp(other, 'PENDING');
    const missing = await withdraw(unknownId);
    const foreign = await withdraw(id);
    expectError(missing, 'NOT_FOUND');
    expectError(foreign, 'NOT_FOUND');
    expect(foreign.message).toBe(missing.message);
    expectError(await withdraw('no-uuid'), 'NOT_FOUND');
    expectError(await withdraw(id, null), 'UNAUTHENTICATED');
  });

  it('has no REST route: SPEC has eighteen (D18)', async () => {
    const { id } = await service.anApp(ada, 'PENDING');
    const response = await service.client.request('POST', `/api/dev/apps/${id}/withdraw`, {
      bearer: ada.key,
      body: {},
    });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
  });
});
