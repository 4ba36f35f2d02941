import { describe, expect, it } from '@jest/globals';
import { waitingFor } from '../../races/race.js';
import { beforeTests } from '../../support/before-tests.js';
import { connectTo } from '../../support/database.js';
import { until } from '../../support/mail-server.js';
import { aTime } from '../../support/matchers.js';
import { expectError } from '../../support/outcomes.js';
import { status, verified } from './receiver.js';
import { type DeliveryJson, patientWebhooks } from './webhooks.js';

const hooks = beforeTests(patientWebhooks);

describe('replayWebhookDelivery', () => {
  const replay = (token: string, id: string) =>
    hooks.service.client.call<DeliveryJson>('graphql', 'replayWebhookDelivery', { id }, token);

  it('sends the same message again, at once, though its next attempt was far off (D37)', async () => {
    const { ada, id, secret, address } = await hooks.anEndpoint({ answer: status(500) });
    await hooks.anEvent(ada);
    const waiting = await hooks.delivery(ada, id, (each) => each.attemptCount === 1);
    expect(Date.parse(String(waiting.nextAttemptAt))).toBeGreaterThan(Date.now() + 30_000);
    address.behave(status(200));
    expect((await replay(ada.token, waiting.id)).data).toMatchObject({ status: 'PENDING', attemptCount: 1 });
    const done = await hooks.delivery(ada, id, (each) => each.status === 'DELIVERED');
    expect(done.attempts.map(({ responseStatus }) => responseStatus)).toEqual([500, 200]);

    expect((await replay(ada.token, done.id)).data.status).toBe('PENDING');
    const again = await hooks.delivery(ada, id, (each) => each.attemptCount === 3);
    expect(again.status).toBe('DELIVERED');
    const messages = address.inbox();
    expect(messages).toHaveLength(3);
    for (const message of messages) verified(secret, message);
    expect(new Set(messages.map(({ headers, body }) => `${headers['webhook-id']} ${body}`)).size).toBe(1);
  });

  it('restarts the schedule (D37)', async () => {
    const { ada, id } = await hooks.anEndpoint({ answer: status(500), events: ['key.created'] });
    await hooks.service.aKey(ada);
    const first = await hooks.delivery(ada, id, (each) => each.attemptCount === 1);
    await replay(ada.token, first.id);
    const second = await hooks.delivery(ada, id, (each) => each.attemptCount === 2);
    expect(second).toMatchObject({ status: 'PENDING', nextAttemptAt: aTime });
  });

  it('is refused while the endpoint is disabled (D54)', async () => {
    const { ada, id, address } = await hooks.anEndpoint({ answer: status(410), events: ['key.created'] });
    await hooks.service.aKey(ada);
    const failed = await hooks.delivery(ada, id, (each) => each.status === 'FAILED');
    expectError(await replay(ada.token, failed.id), 'INVALID_TRANSITION');
    await hooks.service.client.must('enableWebhookEndpoint', { id }, ada.token);
    address.behave(status(200));
    await replay(ada.token, failed.id);
    await hooks.delivery(ada, id, (each) => each.status === 'DELIVERED');
  });

  it('keeps the last fifty attempts of a delivery, however often it is replayed (D54)', async () => {
    const { ada, id } = await hooks.anEndpoint({ answer: status(500), events: ['key.created'] });
    await hooks.service.aKey(ada);
    const delivery = await hooks.delivery(ada, id, (each) => each.attemptCount === 1);
    await hooks.service.sql(
      `insert into webhook_attempts (id, created_at, delivery_id, number, url, request_headers, duration_ms)
       select gen_random_uuid(), now(), $1, n, 'https://hooks.example/', '{}', 1 from generate_series(2, 60) n`,
      [delivery.id],
    );
    await hooks.service.sql('update webhook_deliveries set attempt_count = 60 where id = $1', [delivery.id]);
    await hooks.service.client.must('replayWebhookDelivery', { id: delivery.id }, ada.token);
    const { attempts } = await hooks.delivery(ada, id, (each) => each.attemptCount === 61);
    expect(attempts.map(({ number }) => number)).toEqual(Array.from({ length: 50 }, (_, i) => i + 12));
  });

  it('is not undone by an attempt that gives up at the same moment, since the endpoint was off (D54)', async () => {
    const { ada, id } = await hooks.anEndpoint({ answer: status(500), events: ['key.created'] });
    await hooks.service.aKey(ada);
    const { id: deliveryId } = await hooks.delivery(ada, id, (each) => each.attemptCount === 1);
    await hooks.service.sql(
      "update webhook_endpoints set disabled_at = now(), disabled_reason = 'Gone.' where id = $1",
      [id],
    );
    const replaying = await connectTo(hooks.service.databaseUrl);
    await replaying.query('begin');
    await replaying.query('update webhook_deliveries set job_id = gen_random_uuid() where id = $1', [
      deliveryId,
    ]);
    await hooks.service.sql('update pgboss.job set start_after = now() where group_id = $1', [id]);
    await waitingFor(hooks.service, 1);
    await replaying.query('commit');
    await replaying.end();
    await until(async () => {
      const [left] = await hooks.service.sql(
        "select from pgboss.job where group_id = $1 and state <> 'completed'",
        [id],
      );
      return !left;
    });
    expect(await hooks.deliveries(ada, id)).toMatchObject([{ status: 'PENDING', failure: null }]);
  });
});
