import { describe, expect, it } from '@jest/globals';
import { type AppJson, aListing, type Developer, type Json, unique } from '../../support/actors.js';
import { duringTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { startService } from '../../support/service.js';

const service = duringTests(() =>
  startService({
    QUOTA_MESSAGES: '2',
    QUOTA_REPORTS: '2',
    QUOTA_WEBHOOK_TESTS: '2',
    QUOTA_IDEMPOTENCY_KEYS: '2',
  }),
);

describe('the messages of a developer about an app (D101)', () => {
  const write = (ada: Developer, id: string) =>
    service.client.call<Json>('graphql', 'messageReviewers', { id, text: 'Hello.' }, ada.token);

  it('are bounded within 24 hours; the refusal names the bound and what to do', async () => {
    const ada = await service.aDeveloper();
    const { id } = await service.anApp(ada);
    for (let i = 0; i < 2; i += 1) expectSuccess(await write(ada, id));
    const refused = await write(ada, id);
    expectError(refused, 'QUOTA_EXCEEDED');
    expect(refused.message).toMatch(/at most 2 messages.*24 hours/);
    await service.sql("update review_messages set created_at = created_at - interval '25 hours'");
    expectSuccess(await write(ada, id));
  });

  it('are counted per app; those of administrators are not', async () => {
    const ada = await service.aDeveloper();
    const [one, two] = [await service.anApp(ada), await service.anApp(ada)];
    for (let i = 0; i < 3; i += 1)
      await service.administer('messageDeveloper', { id: one.id, text: 'Hello.' });
    for (let i = 0; i < 2; i += 1) expectSuccess(await write(ada, one.id));
    expectError(await write(ada, one.id), 'QUOTA_EXCEEDED');
    expectSuccess(await write(ada, two.id));
  });

  it('are refused after 404 (D7)', async () => {
    const [ada, eve] = [await service.aDeveloper(), await service.aDeveloper()];
    const { id } = await service.anApp(ada);
    for (let i = 0; i < 2; i += 1) expectSuccess(await write(ada, id));
    expectError(await write(eve, id), 'NOT_FOUND');
  });
});

describe('the reports of an account (D101, D192)', () => {
  it('are bounded within 24 hours, changed reasons included; the same report again is none', async () => {
    const { slug } = await service.anApp(await service.aDeveloper(), 'APPROVED');
    const [one, two] = [await service.aRating({ slug }), await service.aRating({ slug })];
    const token = await service.token(unique('reporter'));
    const report = (id: string, reason: string) =>
      service.client.call<Json>('graphql', 'reportRating', { id, reason }, token);
    for (const reason of ['Spam.', 'Spam.', 'An insult.', 'An insult.'])
      expectSuccess(await report(one.id, reason));
    const refused = await report(two.id, 'Spam.');
    expectError(refused, 'QUOTA_EXCEEDED');
    expect(refused.message).toMatch(/at most 2 ratings and apps within 24 hours/);
    await service.sql(`
      alter table audit_events disable trigger audit_events_append_only;
      update audit_events set created_at = created_at - interval '25 hours' where kind = 'rating.reported';
      alter table audit_events enable trigger audit_events_append_only`);
    expectSuccess(await report(two.id, 'Spam.'));
  });
});

describe('the tests of a webhook endpoint (D101)', () => {
  it('are bounded within 24 hours', async () => {
    const ada = await service.anUnverifiedDeveloper();
    const { id } = await service.client.must<Json>(
      'createWebhookEndpoint',
      { url: 'https://hooks.example/' },
      ada.token,
    );
    const test = () => service.client.call<Json>('graphql', 'testWebhookEndpoint', { id }, ada.token);
    for (let i = 0; i < 2; i += 1) expectSuccess(await test());
    const refused = await test();
    expectError(refused, 'QUOTA_EXCEEDED');
    expect(refused.message).toMatch(/at most 2 tests/);
    await service.sql("update webhook_deliveries set created_at = created_at - interval '25 hours'");
    expectSuccess(await test());
  });
});

describe('the responses that are stored for Idempotency-Keys (D35, D101)', () => {
  const post = async (ada: Developer, key: string | null, name = 'Kept') => {
    const response = await service.client.request('POST', '/api/dev/apps', {
      bearer: ada.key,
      body: aListing({ name }),
      headers: key === null ? {} : { 'idempotency-key': key },
    });
    const body = (await response.json()) as AppJson & { error?: { code: string; message: string } };
    return { status: response.status, body, code: body.error?.code ?? null };
  };

  it('are bounded per developer and 24 hours: beyond that nothing is done, and stored responses are still returned', async () => {
    const ada = await service.aDeveloper();
    const first = await post(ada, 'first');
    await post(ada, 'second');
    const refused = await post(ada, 'third');
    expect(refused).toMatchObject({ status: 409, code: 'QUOTA_EXCEEDED' });
    expect(refused.body.error?.message).toMatch(/^At most 2 requests .*Idempotency-Key/);
    expect(await service.client.must('myApps', {}, ada.key)).toHaveLength(2);
    expect(await post(ada, 'first')).toEqual(first);
    expect((await post(ada, null)).status).toBe(201);
    await service.sql("update stored_responses set created_at = created_at - interval '25 hours'");
    expect((await post(ada, 'third')).status).toBe(201);
  });

  it('are refused after the validation of the request (D7)', async () => {
    const ada = await service.aDeveloper();
    for (const key of ['first', 'second']) await post(ada, key);
    expect(await post(ada, 'third', '')).toMatchObject({ status: 400, code: 'VALIDATION_FAILED' });
  });
});
