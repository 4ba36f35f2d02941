import { describe, expect, it } from '@jest/globals';
import { type AppJson, type Json, unique } from '../../support/actors.js';
import { linesOf } from '../../support/audit.js';
import { beforeTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';
import { reportsOf } from './reports.js';

describe('reportApp', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());

  const reporter = () => service.token(unique('reporter'));
  const report = ({ slug }: Pick<AppJson, 'slug'>, token: string, input: object = { reason: 'SPAM' }) =>
    service.client.call<Json>('graphql', 'reportApp', { slug, ...input }, token);

  it('records a report of any account, with its reason and text (D380)', async () => {
    const app = await service.anApp(ada, 'APPROVED');
    const accountUserId = unique('reporter');
    const input = { reason: 'MISLEADING', text: 'It does nothing.' };
    const data = expectSuccess(await report(app, await service.token(accountUserId), input));
    expect(data).toMatchObject({ accountUserId, ...input, updatedAt: data.createdAt });
    expectSuccess(await report(app, await reporter()));
    expect(await reportsOf(service, app.id)).toEqual([
      { reason: 'SPAM', text: null },
      { reason: 'MISLEADING', text: 'It does nothing.' },
    ]);
  });

  it('has one report per account: another one replaces the first, the same one changes nothing (D380)', async () => {
    const app = await service.anApp(ada, 'APPROVED');
    const token = await reporter();
    const lines = await linesOf(service, async () => {
      await report(app, token);
      await report(app, token, { reason: 'SPAM', text: '' });
      await report(app, token, { reason: 'COPY', text: 'Of Meeting Notes.' });
    });
    expect(lines).toMatchObject([
      { kind: 'app.reported', before: null, after: { reason: 'SPAM', text: null } },
      {
        kind: 'app.reported',
        before: { reason: 'SPAM' },
        after: { reason: 'COPY', text: 'Of Meeting Notes.' },
      },
    ]);
    expect(await reportsOf(service, app.id)).toEqual([{ reason: 'COPY', text: 'Of Meeting Notes.' }]);
  });

  it('needs a text for OTHER (D380)', async () => {
    const app = await service.anApp(ada, 'APPROVED');
    for (const text of [undefined, null, '', ' \u200b']) {
      const outcome = await report(app, await reporter(), { reason: 'OTHER', text });
      expectError(outcome, 'VALIDATION_FAILED', ['text: required']);
    }
    expectSuccess(await report(app, await reporter(), { reason: 'OTHER', text: 'It sings.' }));
  });

  it('rejects reports of the own app, and of apps that are not public (D380)', async () => {
    const own = await service.anApp(ada, 'APPROVED');
    expectError(await report(own, ada.token), 'FORBIDDEN');
    const draft = await service.anApp(ada);
    const suspended = await service.anApp(ada, 'SUSPENDED');
    for (const app of [draft, suspended, { slug: 'no-such-app' }])
      expectError(await report(app, await reporter()), 'NOT_FOUND');
  });

  it('rejects a dismissed report again until the app changes (D380)', async () => {
    const app = await service.anApp(ada, 'APPROVED');
    const token = await reporter();
    await report(app, token);
    await service.administer('dismissAppReports', { id: app.id });
    const again = await report(app, token, { reason: 'COPY' });
    expectError(again, 'INVALID_TRANSITION');
    expect(again.message).toContain('after it was changed');
    expectSuccess(await report(app, await reporter()));
    const edit = { id: app.id, description: 'Other words.', reason: 'A slip.' };
    await service.administer('editApp', edit);
    expectSuccess(await report(app, token, { reason: 'COPY' }));
  });

  it('counts into the same quota as reports of ratings (D380)', async () => {
    const accountUserId = unique('reporter');
    const [row] = await service.sql<{ count: number }>(
      `select count(*)::int as count from audit_events where kind in ('rating.reported', 'app.reported') and actor_account = $1`,
      [accountUserId],
    );
    expect(row!.count).toBe(0);
    const token = await service.token(accountUserId);
    await report(await service.anApp(ada, 'APPROVED'), token);
    const [after] = await service.sql<{ count: number }>(
      `select count(*)::int as count from audit_events where kind in ('rating.reported', 'app.reported') and actor_account = $1`,
      [accountUserId],
    );
    expect(after!.count).toBe(1);
  });

  it('is told to nobody but administrators: neither in the timeline nor in the events (D380)', async () => {
    const app = await service.anApp(ada, 'APPROVED');
    const seen = () =>
      service.client.queryData(
        'query ($id: ID!) { myApp(id: $id) { timeline { totalCount } } events { totalCount } }',
        { id: app.id },
        ada.token,
      );
    const before = await seen();
    await report(app, await reporter());
    await service.administer('dismissAppReports', { id: app.id });
    expect(await seen()).toEqual(before);
  });
});
