import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Json, unique } from '../../support/actors.js';
import { apis } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { notificationsOf } from '../../support/notifications.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { type Service, secondGateway, sharedService, startService } from '../../support/service.js';

const service = beforeTests(sharedService);

const full = { companyName: 'Engines Ltd', websiteUrl: 'https://engines.example', bio: 'Hello' };

describe.each(apis)('updateMe over %s', (api) => {
  it('changes only the fields that are sent (D20)', async () => {
    const developer = await service.aDeveloper(full);
    const before = await service.client.must<Json>('me', {}, developer.key);
    const name = unique('Ada King');
    const data = expectSuccess(
      await service.client.call(api, 'updateMe', { name: ` ${name} ` }, developer.key),
    );
    expect(data).toEqual({ ...before, name, updatedAt: expect.any(String) });
    expect(String(data.updatedAt) > String(before.updatedAt)).toBe(true);
    expect(await service.client.must('me', {}, developer.key)).toEqual(data);
  });

  it('changes every editable field of a profile (D15)', async () => {
    const { key } = await service.aDeveloper();
    const names = { name: unique('Ada King'), companyName: unique('Engines Ltd') };
    const changes = { ...full, ...names, email: `${unique('king')}@example.com` };
    expect(expectSuccess(await service.client.call(api, 'updateMe', changes, key))).toMatchObject(changes);
  });

  it('clears an optional field that is sent as null (D20)', async () => {
    const { key } = await service.aDeveloper(full);
    const cleared = { companyName: null, websiteUrl: null, bio: null };
    expect(expectSuccess(await service.client.call(api, 'updateMe', cleared, key))).toMatchObject(cleared);
  });

  it('changes nothing, not even updatedAt, when nothing or the same is sent (D20)', async () => {
    const { key } = await service.aDeveloper(full);
    const before = await service.client.must('me', {}, key);
    for (const changes of [{}, full]) {
      expect(expectSuccess(await service.client.call(api, 'updateMe', changes, key))).toEqual(before);
    }
  });

  it('mails the old and the new address when the e-mail changes, and only then (D15, D323)', async () => {
    const { id, email, key } = await service.aDeveloper();
    const told = async () =>
      (await notificationsOf(service, id)).filter(({ kind }) => kind === 'developer.email-changed');
    await service.client.call(api, 'updateMe', { name: unique('Ada King'), email }, key);
    expect(await told()).toEqual([]);
    const moved = `${unique('new')}@example.com`;
    await service.client.call(api, 'updateMe', { email: moved }, key);
    const event = {
      kind: 'developer.email-changed',
      developerId: id,
      formerEmail: email,
      changed: ['email'],
    };
    expect(await told()).toMatchObject([event, { ...event, recipient: moved }]);
    expect((await told())[0]).not.toHaveProperty('recipient');
  });

  it('refuses an e-mail address of someone else, whatever its case, and notifies nobody (D15)', async () => {
    const other = await service.aDeveloper();
    const { id, email, key } = await service.aDeveloper();
    const before = await notificationsOf(service, id);
    const outcome = await service.client.call(
      api,
      'updateMe',
      { name: 'Eve', email: other.email.toUpperCase() },
      key,
    );
    expectError(outcome, 'EMAIL_TAKEN', ['email: taken']);
    expect(await service.client.must('me', {}, key)).toMatchObject({ name: 'Ada', email });
    expect(await notificationsOf(service, id)).toEqual(before);
  });

  it('lets developers change the case of their own address (D15)', async () => {
    const { email, key } = await service.aDeveloper();
    const data = expectSuccess(
      await service.client.call(api, 'updateMe', { email: email.toUpperCase() }, key),
    );
    expect(data.email).toBe(email.toUpperCase());
  });

  it('refuses to clear required fields (D20)', async () => {
    const { key } = await service.aDeveloper();
    const outcome = await service.client.call(api, 'updateMe', { name: null, email: null }, key);
    expectError(outcome, 'VALIDATION_FAILED', ['name: required', 'email: required']);
  });
});

describe('the e-mail address', () => {
  const gateways: Service[] = [];
  let second: Awaited<ReturnType<typeof secondGateway>>;
  beforeAll(async () => {
    const limited = await startService({ RATE_LIMITS: 'on' });
    gateways.push(limited);
    second = await secondGateway(limited, { RATE_LIMITS: 'on' });
  });
  afterAll(async () => {
    await second.close();
    for (const each of gateways) await each.close();
  });
  const limited = () => gateways[0]!;
  const put = (url: string, key: string, email: string) =>
    fetch(`${url}/api/dev/me`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email }),
    });
  const anEmail = () => `${unique('moved')}@example.com`;
  const mailsOf = async (id: string) =>
    (await notificationsOf(limited(), id)).filter(({ kind }) => kind === 'developer.email-changed');

  it('changes five times a day at most, of fifty concurrent calls at two gateways (D110)', async () => {
    const { id, key } = await limited().aDeveloper();
    const responses = await Promise.all(
      Array.from({ length: 50 }, (_, at) => put(at % 2 ? second.client.url : limited().url, key, anEmail())),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(5);
    const refused = responses.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(45);
    const seconds = Number(refused[0]!.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(86_300);
    expect(seconds).toBeLessThanOrEqual(86_400);
    expect(await refused[0]!.json()).toMatchObject({
      error: { code: 'RATE_LIMITED', message: expect.stringContaining('Try again in 24 hours') },
    });
    // Each change tells the address before, the new one, and the one before the first change.
    const toFormer = (await mailsOf(id)).filter(({ recipient }) => recipient === undefined);
    expect(toFormer).toHaveLength(5);
  });

  it('is refused with the code and Retry-After in GraphQL too, and the rest of the profile is not (D110)', async () => {
    const { key, email } = await limited().aDeveloper();
    for (let n = 0; n < 5; n += 1) expect((await put(limited().url, key, anEmail())).status).toBe(200);
    const query = 'mutation ($email: String) { updateMe(input: { email: $email }) { id } }';
    const response = await limited().client.request('POST', '/graphql', {
      bearer: key,
      body: { query, variables: { email } },
    });
    expect(response.headers.get('retry-after')).toMatch(/^86\d{3}$/);
    expect(await response.json()).toMatchObject({
      errors: [{ extensions: { code: 'RATE_LIMITED', details: [] } }],
    });
    expectSuccess(await limited().client.call('rest', 'updateMe', { name: unique('Ada King') }, key));
  });

  it('counts real changes of the last 24 hours only (D110)', async () => {
    const { id, key } = await limited().aDeveloper();
    const other = await limited().aDeveloper();
    let last = '';
    for (let n = 0; n < 4; n += 1) {
      last = anEmail();
      expect((await put(limited().url, key, last)).status).toBe(200);
    }
    for (let n = 0; n < 8; n += 1) expect((await put(limited().url, key, last)).status).toBe(200);
    for (let n = 0; n < 8; n += 1) expect((await put(limited().url, key, other.email)).status).toBe(409);
    expect((await put(limited().url, key, anEmail())).status).toBe(200);
    expect((await put(limited().url, key, anEmail())).status).toBe(429);
    // Other developers are counted apart.
    expect((await put(limited().url, other.key, anEmail())).status).toBe(200);
    await limited().sql('alter table audit_events disable trigger audit_events_append_only');
    await limited().sql(
      `update audit_events set created_at = created_at - interval '24 hours' where id = (
         select id from audit_events where developer_id = $1 and kind = 'developer.email-changed'
         order by created_at limit 1)`,
      [id],
    );
    expect((await put(limited().url, key, anEmail())).status).toBe(200);
    expect((await put(limited().url, key, anEmail())).status).toBe(429);
  });

  it('can still be changed by the account after a key has used up its changes (D110, D323)', async () => {
    const { key, token } = await limited().aDeveloper();
    for (let n = 0; n < 5; n += 1) expect((await put(limited().url, key, anEmail())).status).toBe(200);
    expect((await put(limited().url, key, anEmail())).status).toBe(429);
    expectSuccess(await limited().client.call('graphql', 'updateMe', { email: anEmail() }, token));
  });

  it('changes without limit with RATE_LIMITS=off (D110)', async () => {
    const { key } = await service.aDeveloper();
    for (let n = 0; n < 7; n += 1) expect((await put(service.url, key, anEmail())).status).toBe(200);
  });
});
