import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { newApiKeyToken } from '../../../src/auth/api-key-token.js';
import type { ConnectionJson } from '../../support/actors.js';
import { linesOf } from '../../support/audit.js';
import { until } from '../../support/mail-server.js';
import { unknownId } from '../../support/matchers.js';
import { notificationsOf } from '../../support/notifications.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { type Service, startService } from '../../support/service.js';
import { aKeyBy, rotatedBy, working } from './family.js';

const logged: string[] = [];
let service: Service;
beforeAll(async () => {
  const log = pino({ level: 'trace' }, { write: (line) => void logged.push(line) });
  service = await startService({ DATABASE_POOL: '80' }, log);
});
afterAll(() => service.close());

type Report = { maskedKey: string; revokedAt: string; descendantsRevoked: number };
const report = (key: string, bearer: string | null = null) =>
  service.client.call<Report>('graphql', 'reportLeakedKey', { key }, bearer);
const leaksTold = async (developerId: string) =>
  (await notificationsOf(service, developerId)).filter(({ kind }) => kind === 'key.leaked');

describe('reportLeakedKey', () => {
  it('revokes the key at once, for any caller, and notifies its owner (D93)', async () => {
    const developer = await service.aDeveloper();
    const { id, key, maskedKey } = await service.anIssuedKey(developer);
    expect(expectSuccess(await report(` ${key}\n`))).toEqual({
      maskedKey,
      revokedAt: expect.stringMatching(/Z$/),
      descendantsRevoked: 0,
    });
    for (const api of ['rest', 'graphql'] as const)
      expectError(await service.client.call(api, 'me', {}, key), 'API_KEY_REVOKED');
    expectSuccess(await service.client.call('rest', 'me', {}, developer.key));
    expect(await leaksTold(developer.id)).toEqual([
      { kind: 'key.leaked', developerId: developer.id, keyId: id },
    ]);
  });

  it('revokes all descendants of the key, and returns their number; other keys still work (D103)', async () => {
    const developer = await service.aDeveloper();
    const leaked = await service.anIssuedKey(developer);
    const child = await aKeyBy(service, leaked.key);
    const grandchild = await aKeyBy(service, child.key);
    const revoked = await aKeyBy(service, child.key);
    await service.client.must('revokeApiKey', { id: revoked.id }, developer.token);
    const behindRevoked = await aKeyBy(service, grandchild.key);
    await service.client.must('revokeApiKey', { id: grandchild.id }, developer.token);
    const unrelated = [await service.anIssuedKey(developer), await aKeyBy(service, developer.key)];
    const data = expectSuccess(await report(leaked.key));
    expect(data.descendantsRevoked).toBe(2);
    expect(await working(service, [child, behindRevoked, ...(unrelated as never[])])).toEqual(
      unrelated.map(({ id }) => id),
    );
  });

  it('revokes keys that the key or a descendant rotated, and not those that its owner rotated (D103)', async () => {
    const developer = await service.aDeveloper();
    const leaked = await aKeyBy(service, developer.token, 'Leaked', ['APP_READ', 'APP_UPDATE']);
    const child = await aKeyBy(service, leaked.key);
    const rotatedByOwner = await rotatedBy(service, child.id, developer.token);
    const other = await aKeyBy(service, developer.token);
    const otherRotatedWithIt = await rotatedBy(service, other.id, leaked.key);
    const rotated = await rotatedBy(service, leaked.id, leaked.key);
    const childOfRotated = await aKeyBy(service, rotated.key);
    const outcome = await report(leaked.key);
    expect(outcome.data.descendantsRevoked).toBe(4);
    const family = [child, otherRotatedWithIt, rotated, childOfRotated];
    expect(await working(service, [...family, rotatedByOwner, other])).toEqual([rotatedByOwner.id, other.id]);
  });

  it('of a key that is revoked already still revokes the descendants, once (D93, D103)', async () => {
    const developer = await service.aDeveloper();
    const leaked = await service.anIssuedKey(developer);
    const child = await aKeyBy(service, leaked.key);
    const { revokedAt } = await service.client.must<Report>(
      'revokeApiKey',
      { id: leaked.id },
      developer.token,
    );
    expect(await working(service, [child])).toEqual([child.id]);
    const [first, second] = [await report(leaked.key), await report(leaked.key)];
    expect(first.data).toMatchObject({ revokedAt, descendantsRevoked: 1 });
    expect(second.data).toMatchObject({ revokedAt, descendantsRevoked: 0 });
    expect(await working(service, [child])).toEqual([]);
    expect(await leaksTold(developer.id)).toHaveLength(1);
  });

  it('revokes no key of another developer, and no expired one (D103)', async () => {
    const [developer, other] = [await service.aDeveloper(), await service.aDeveloper()];
    const leaked = await service.anIssuedKey(developer);
    const expired = await aKeyBy(service, leaked.key);
    await service.sql("update api_keys set expires_at = now() - interval '1 minute' where id = $1", [
      expired.id,
    ]);
    expect((await report(leaked.key)).data.descendantsRevoked).toBe(0);
    expectSuccess(await service.client.call('rest', 'me', {}, other.key));
  });

  it('records an audit event and a feed event for each key, and sends one mail that lists them (D38, D124)', async () => {
    const developer = await service.aDeveloper();
    const leaked = await service.anIssuedKey(developer);
    const children = [await aKeyBy(service, leaked.key, 'One'), await aKeyBy(service, leaked.key, 'Two')];
    const before = (await notificationsOf(service, developer.id)).length;
    const lines = await linesOf(service, () => report(leaked.key));
    const line = { actor_kind: 'anyone', actor_key: leaked.id, before: { status: 'ACTIVE' } };
    expect(lines).toMatchObject([
      { kind: 'key.leaked', ...line, data: { keyId: leaked.id }, after: { status: 'REVOKED' } },
      ...children.map(({ id }) => ({
        kind: 'key.revoked',
        ...line,
        data: { keyId: id, ancestorKeyId: leaked.id },
        after: { status: 'REVOKED' },
      })),
    ]);
    const names = children.map(({ name, maskedKey }) => ({ name, maskedKey }));
    expect((await notificationsOf(service, developer.id)).slice(before)).toEqual([
      {
        kind: 'key.leaked',
        developerId: developer.id,
        keyId: leaked.id,
        revokedDescendants: { count: 2, first: names },
      },
    ]);
    const { edges } = await service.client.must<ConnectionJson<{ type: string; data: object }>>(
      'events',
      { first: 100 },
      developer.token,
    );
    expect(edges.slice(-3).map(({ node: { type, data } }) => ({ type, ...data }))).toMatchObject([
      { type: 'key.leaked', keyId: leaked.id },
      ...children.map(({ id }) => ({ type: 'key.revoked', keyId: id, ancestorKeyId: leaked.id })),
    ]);
  });

  it('accepts keys that are expired, and those of suspended developers (D93)', async () => {
    const developer = await service.aDeveloper();
    expectSuccess(await report(await service.anExpiredKey(developer)));
    const act = { id: developer.id, reason: 'Spam.' };
    await service.administer('suspendDeveloper', act);
    expectSuccess(await report(developer.key));
  });

  it('reveals nothing about an unknown key or a malformed one (D93)', async () => {
    expectError(await report(newApiKeyToken()), 'NOT_FOUND');
    const { key } = await service.aDeveloper();
    for (const wrong of ['', 'x'.repeat(100_000), key.slice(0, -1), `${key}0`, unknownId, key.toUpperCase()])
      expectError(await report(wrong), 'VALIDATION_FAILED', ['key: invalid_key']);
    expectSuccess(await service.client.call('rest', 'me', {}, key));
  });

  it('invalidates nothing in the catalog cache, however many keys are guessed', async () => {
    const { catalog } = service.cache;
    await until(() => catalog.isKnown(), 'changes are not heard');
    const version = catalog.current;
    expectError(await report(newApiKeyToken()), 'NOT_FOUND');
    expect(catalog.current).toBe(version);
  });

  it('never echoes or logs the key, and does not reveal its owner (D93)', async () => {
    const developer = await service.aDeveloper();
    const outcomes = [
      await report(developer.key),
      await report(developer.key),
      await report(`${developer.key}0`),
    ];
    const said = [...outcomes.map(({ text }) => text), ...logged].join('\n');
    expect(said).not.toContain(developer.key.slice(8, -4));
    expect(outcomes.map(({ text }) => text).join()).not.toMatch(new RegExp(`${developer.id}|example.com`));
  });

  it('ends the key within the very request that reports it with that key (D7)', async () => {
    const { key } = await service.aDeveloper();
    const query =
      'mutation ($key: String!) { reportLeakedKey(key: $key) { maskedKey } createApp(input: { name: "x", description: "x", category: OTHER, environment: staging }) { id } }';
    const { errors } = await service.client.graphql(query, { key }, key);
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['API_KEY_REVOKED']);
  });

  it('of fifty concurrent calls revokes once, and all get the same result (D93)', async () => {
    const developer = await service.aDeveloper();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => report(developer.key)));
    expect(outcomes.filter(({ code }) => code !== null)).toEqual([]);
    expect(new Set(outcomes.map(({ data }) => data.revokedAt)).size).toBe(1);
    expect(await leaksTold(developer.id)).toHaveLength(1);
  });
});
