import { describe, expect, it } from '@jest/globals';
import { aListing, atOnce, type Json } from '../support/actors.js';
import type { ApiClient, Input } from '../support/api-client.js';
import { duringTests } from '../support/before-tests.js';
import { secondGateway, startService } from '../support/service.js';
import { anyDoor, callers, type Entry, fifty, race, racing, tally, unbounded } from './race.js';

const bound = 7;
const settings = {
  DATABASE_POOL: String(2 * callers),
  QUOTA_APPS: String(bound),
  QUOTA_APPS_UNVERIFIED: String(bound),
  QUOTA_KEYS: String(bound),
  QUOTA_MESSAGES: String(bound),
  QUOTA_VERSIONS: String(bound),
  QUOTA_REPORTS: String(bound),
  QUOTA_WEBHOOK_TESTS: String(bound),
};

describe('fifty at once at two gateways, where there is room for seven (D101)', () => {
  const service = duringTests(() => startService(settings, undefined, unbounded));
  const second = duringTests(() => secondGateway(service, settings, unbounded));
  const { gatedRace } = racing(service);

  /** Half of the callers at each gateway. */
  const everywhere = (name: Parameters<ApiClient['call']>[1], input: Input, bearer: string): Entry<Json>[] =>
    fifty(
      (i) => () => (i % 2 ? service.client : second.client).call<Json>(anyDoor(name), name, input, bearer),
    );
  const counted = async (text: string, values: unknown[]) =>
    (await service.sql<{ count: number }>(`select count(*)::int as count ${text}`, values))[0]!.count;

  it('create apps: seven are made', async () => {
    const ada = await service.aDeveloper();
    const outcomes = await gatedRace('apps', everywhere('createApp', aListing(), ada.key));
    expect(tally(outcomes)).toEqual({ OK: bound, QUOTA_EXCEEDED: callers - bound });
    expect(await counted('from apps where developer_id = $1', [ada.id])).toBe(bound);
  });

  it('create apps and delete them: there are never more than seven', async () => {
    const ada = await service.aDeveloper();
    const drafts = await atOnce(bound, () => service.anApp(ada));
    const deletions = drafts.slice(0, 3).map(
      ({ id }): Entry<Json> =>
        () =>
          service.call<Json>('deleteApp', { id }, ada.key),
    );
    const outcomes = await race([...everywhere('createApp', aListing(), ada.key), ...deletions]);
    const made = tally(outcomes.slice(0, callers)).OK ?? 0;
    expect(made).toBeLessThanOrEqual(3);
    expect(await counted('from apps where developer_id = $1', [ada.id])).toBe(bound - 3 + made);
  });

  it('create keys: seven are live', async () => {
    const ada = await service.aDeveloper();
    const input = { name: 'One of many', scopes: ['APP_READ'] };
    const outcomes = await gatedRace('api_keys', everywhere('createApiKey', input, ada.key));
    // The one that they all use is the first.
    expect(tally(outcomes)).toEqual({ OK: bound - 1, QUOTA_EXCEEDED: callers - bound + 1 });
    expect(await counted('from api_keys where developer_id = $1', [ada.id])).toBe(bound);
  });

  it('rotate keys and create others: seven are live', async () => {
    const ada = await service.aDeveloper();
    const keys = await Promise.all(
      fifty(() => null)
        .slice(0, 4)
        .map(() => service.anIssuedKey(ada)),
    );
    const rotations = keys.map(
      ({ id }): Entry<Json> =>
        () =>
          second.call<Json>('rotateApiKey', { id, graceHours: 1 }, ada.key),
    );
    const input = { name: 'One of many', scopes: ['APP_READ'] };
    const outcomes = await race([...everywhere('createApiKey', input, ada.key), ...rotations]);
    expect(tally(outcomes)).toEqual({ OK: 2, QUOTA_EXCEEDED: callers + 2 });
    expect(await counted('from api_keys where developer_id = $1', [ada.id])).toBe(bound);
  });

  it('report ratings: seven reports are kept', async () => {
    const { slug } = await service.anApp(await service.aDeveloper(), 'APPROVED');
    const ratings = await Promise.all(fifty(() => service.aRating({ slug })));
    const token = await service.token('a-zealous-reporter');
    const outcomes = await race(
      ratings.map(
        ({ id }): Entry<Json> =>
          () =>
            service.call<Json>('reportRating', { id, reason: 'Spam.' }, token),
      ),
    );
    expect(tally(outcomes)).toEqual({ OK: bound, QUOTA_EXCEEDED: callers - bound });
    expect(await counted('from rating_reports where account_user_id = $1', ['a-zealous-reporter'])).toBe(
      bound,
    );
  });

  it('write to the reviewers: seven messages are kept', async () => {
    const ada = await service.aDeveloper();
    const { id } = await service.anApp(ada);
    const outcomes = await race(everywhere('messageReviewers', { id, text: 'Hello.' }, ada.key));
    expect(tally(outcomes)).toEqual({ OK: bound, QUOTA_EXCEEDED: callers - bound });
    expect(await counted('from review_messages where app_id = $1', [id])).toBe(bound);
  });

  it('test a webhook endpoint: seven deliveries are made', async () => {
    const ada = await service.aDeveloper();
    const { id } = await service.must<Json>(
      'createWebhookEndpoint',
      { url: 'https://hooks.example/' },
      ada.key,
    );
    const outcomes = await race(everywhere('testWebhookEndpoint', { id }, ada.key));
    expect(tally(outcomes)).toEqual({ OK: bound, QUOTA_EXCEEDED: callers - bound });
    expect(await counted('from webhook_deliveries where endpoint_id = $1', [id])).toBe(bound);
  });
});
