import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { loadConfig } from '../../src/config.js';
import { openWorker } from '../../src/process/open-worker.js';
import { type AppJson, aListing, unique } from '../support/actors.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { until } from '../support/mail-server.js';
import { notificationsOf } from '../support/notifications.js';
import { startService } from '../support/service.js';
import { countRows, type PostRequest, postWithKey } from './post-with-key.js';

const service = duringTests(() => startService({ TRUST_PROXY: 'loopback' }));
const ada = beforeTests(() => service.aDeveloper());

const post = (request: PostRequest, key: string | null, headers: Record<string, string> = {}) =>
  postWithKey(service, request, key, headers);

describe('an Idempotency-Key', () => {
  it('is a conflict with another body, and is independent at another path and of another caller (D35)', async () => {
    const key = unique('key');
    const to = (path: string, bearer: string, name = 'One') =>
      post({ path, body: aListing({ name }), bearer }, key);
    expect((await to('/api/dev/apps', ada.key)).status).toBe(201);
    const other = await to('/api/dev/apps', ada.key, 'Two');
    expect(other).toMatchObject({ status: 409, code: 'IDEMPOTENCY_CONFLICT' });
    expect(other.json.error?.details).toMatchObject([{ field: 'Idempotency-Key', code: 'other_body' }]);
    const eve = await service.aDeveloper();
    expect((await to('/api/dev/apps', eve.key)).headers.has('idempotent-replayed')).toBe(false);
    const [first, second] = [await service.anApp(ada), await service.anApp(ada)];
    for (const { id } of [first, second]) {
      const { status, headers } = await post({ path: `/api/dev/apps/${id}/submit`, bearer: ada.key }, key);
      expect({ status, replayed: headers.has('idempotent-replayed') }).toEqual({
        status: 200,
        replayed: false,
      });
    }
  });

  it('belongs to the developer, whichever API key is used (D35)', async () => {
    const request = { path: '/api/dev/apps', body: aListing(), bearer: ada.key };
    const key = unique('key');
    const first = await post(request, key);
    const second = await post({ ...request, bearer: await service.aKey(ada) }, key);
    expect(second.text).toBe(first.text);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
  });

  it('of a public request belongs to the address (D35)', async () => {
    const { slug } = await service.anApp(ada, 'APPROVED');
    const key = unique('key');
    const from = (address: string) =>
      post({ path: `/api/apps/${slug}/install`, bearer: null }, key, { 'x-forwarded-for': address });
    const replayed = [];
    for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.1'])
      replayed.push((await from(address)).headers.has('idempotent-replayed'));
    expect(replayed).toEqual([false, false, true]);
  });

  it('does not store errors: a corrected request takes effect (D35)', async () => {
    const key = unique('key');
    const request = { path: '/api/dev/apps', bearer: ada.key };
    expect((await post({ ...request, body: {} }, key)).code).toBe('VALIDATION_FAILED');
    const { id } = await service.anApp(ada, 'PENDING');
    const submit = { path: `/api/dev/apps/${id}/submit`, bearer: ada.key };
    expect((await post(submit, key)).code).toBe('INVALID_TRANSITION');
    await service.must('withdrawApp', { id }, ada.token);
    expect((await post(submit, key)).status).toBe(200);
    expect((await post({ ...request, body: aListing() }, key)).status).toBe(201);
  });

  it('replays nothing for a revoked key, a missing scope or a suspended developer (D7, D35)', async () => {
    const developer = await service.aDeveloper();
    const { id, key: bearer } = await service.anIssuedKey(developer);
    const request = { path: '/api/dev/apps', body: aListing() };
    const key = unique('key');
    expect((await post({ ...request, bearer }, key)).status).toBe(201);
    await service.must('revokeApiKey', { id }, developer.token);
    expect((await post({ ...request, bearer }, key)).code).toBe('API_KEY_REVOKED');
    expect((await post({ ...request, bearer: null }, key)).code).toBe('UNAUTHENTICATED');
    const narrow = await service.aKey(developer, ['APP_READ' as never]);
    expect((await post({ ...request, bearer: narrow }, key)).code).toBe('INSUFFICIENT_SCOPE');
    await service.administer('suspendDeveloper', { id: developer.id, reason: 'Spam.' });
    expect((await post({ ...request, bearer: developer.key }, key)).code).toBe('DEVELOPER_SUSPENDED');
  });

  it.each([
    ['empty', ''],
    ['too long', 'x'.repeat(256)],
    ['not ASCII', 'sch\u00f6n'],
  ])('that is %s is rejected by name, with all other problems, after 401 (D7, D35)', async (_, key) => {
    const request = { path: '/api/dev/apps', body: { ...aListing(), name: '' } };
    expect((await post({ ...request, bearer: null }, key)).code).toBe('UNAUTHENTICATED');
    const { code, json } = await post({ ...request, bearer: ada.key }, key);
    expect(code).toBe('VALIDATION_FAILED');
    expect(json.error?.details).toMatchObject([{ field: 'name' }, { field: 'Idempotency-Key' }]);
  });

  it('may have 255 printable characters, and may be absent (D35)', async () => {
    const request = { path: '/api/dev/apps', body: aListing(), bearer: ada.key };
    const key = `~ "${'x'.repeat(252)}`;
    expect((await post(request, key)).status).toBe(201);
    expect((await post(request, key)).headers.get('idempotent-replayed')).toBe('true');
    const plain = [
      (await post(request, null)).json,
      (await post(request, null)).json,
    ] as unknown as AppJson[];
    expect(plain[0]?.id).not.toBe(plain[1]?.id);
  });

  it('is stored in the transaction of the change (D35)', async () => {
    const name = unique('App');
    const request = { path: '/api/dev/apps', body: aListing({ name }), bearer: ada.key };
    const key = unique('key');
    const notifications = await notificationsOf(service, ada.id);
    await service.sql(
      `alter table stored_responses add constraint broken check (body not like '%${name}%') not valid`,
    );
    expect((await post(request, key)).code).toBe('INTERNAL');
    await service.sql('alter table stored_responses drop constraint broken');
    expect(await countRows(service, 'from apps where name = $1', [name])).toBe(0);
    expect(await notificationsOf(service, ada.id)).toEqual(notifications);
    expect((await post(request, key)).status).toBe(201);
  });

  it('is valid for every gateway on the database (D35)', async () => {
    await using other = await startService({}, undefined, { databaseVia: async () => service.databaseUrl });
    const request = { path: '/api/dev/apps', body: aListing(), bearer: ada.key };
    const key = unique('key');
    const first = await post(request, key);
    const elsewhere = await postWithKey(other, request, key);
    expect(elsewhere.text).toBe(first.text);
    expect(elsewhere.headers.get('idempotent-replayed')).toBe('true');
  });

  it('expires after 24 hours, and is then deleted by the worker (D35)', async () => {
    const request = { path: '/api/dev/apps', body: aListing(), bearer: ada.key };
    const key = unique('key');
    const age = (interval: string) =>
      service.sql(`update stored_responses set created_at = created_at - interval '${interval}'`);
    await post(request, key);
    await age('23 hours 59 minutes');
    expect((await post(request, key)).headers.has('idempotent-replayed')).toBe(true);
    await age('1 minute');
    expect((await post(request, key)).headers.has('idempotent-replayed')).toBe(false);
    expect((await post(request, key)).headers.has('idempotent-replayed')).toBe(true);
    const close = await openWorker(loadConfig({ DATABASE_URL: service.databaseUrl }), {
      databaseUrl: service.databaseUrl,
      log: pino({ level: 'silent' }),
    });
    // A worker that is closed gives up what it is doing.
    const stored = () => countRows(service, 'from stored_responses', []);
    await until(async () => (await stored()) === 1, 'the expired rows are still there');
    await close();
    expect(await stored()).toBe(1);
  });
});
