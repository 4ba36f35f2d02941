import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { newApiKeyToken } from '../../../src/auth/api-key-token.js';
import { nobody } from '../../support/answers.js';
import { until } from '../../support/mail-server.js';
import { notificationsOf } from '../../support/notifications.js';
import { expectRefusal, expectSuccess } from '../../support/refusals.js';
import { type Service, startService } from '../../support/service.js';

const logged: string[] = [];
let service: Service;
beforeAll(async () => {
  const log = pino({ level: 'trace' }, { write: (line) => void logged.push(line) });
  service = await startService({ DATABASE_POOL: '60' }, log);
});
afterAll(() => service.close());

type Report = { maskedKey: string; revokedAt: string };
const report = (key: string, bearer: string | null = null) =>
  service.doors.call<Report>('graphql', 'reportLeakedKey', { key }, bearer);
const leaksTold = async (developerId: string) =>
  (await notificationsOf(service, developerId)).filter(({ kind }) => kind === 'key.leaked');

describe('reportLeakedKey', () => {
  it('revokes the key at once, whoever asks, and tells its owner (D93)', async () => {
    const developer = await service.aDeveloper();
    const { id, key, maskedKey } = await service.anIssuedKey(developer);
    const outcome = await report(` ${key}\n`);
    expectSuccess(outcome);
    expect(outcome.data).toEqual({ maskedKey, revokedAt: expect.stringMatching(/Z$/) });
    for (const door of ['rest', 'graphql'] as const)
      expectRefusal(await service.doors.call(door, 'me', {}, key), 'API_KEY_REVOKED');
    expectSuccess(await service.doors.call('rest', 'me', {}, developer.key));
    expect(await leaksTold(developer.id)).toEqual([
      { kind: 'key.leaked', developerId: developer.id, keyId: id },
    ]);
  });

  it('answers the same again, and tells nobody twice (D93)', async () => {
    const developer = await service.aDeveloper();
    const first = await report(developer.key);
    const second = await report(developer.key);
    expect(second.data).toEqual(first.data);
    expect(await leaksTold(developer.id)).toHaveLength(1);
  });

  it('takes keys that are expired, and those of suspended developers (D93)', async () => {
    const developer = await service.aDeveloper();
    expectSuccess(await report(await service.anExpiredKey(developer)));
    const act = { id: developer.id, reason: 'Spam.' };
    await service.doors.must('suspendDeveloper', act, await service.admin());
    expectSuccess(await report(developer.key));
  });

  it('says nothing of a key that nobody has, or of what is no key (D93)', async () => {
    expectRefusal(await report(newApiKeyToken()), 'NOT_FOUND');
    const { key } = await service.aDeveloper();
    for (const wrong of ['', 'x'.repeat(100_000), key.slice(0, -1), `${key}0`, nobody, key.toUpperCase()])
      expectRefusal(await report(wrong), 'VALIDATION_FAILED', ['key: invalid_key']);
    expectSuccess(await service.doors.call('rest', 'me', {}, key));
  });

  it('makes the service forget nothing of the catalog, however many keys are guessed (D70)', async () => {
    const { catalog } = service.memory;
    await until(
      () => catalog.isKnown(),
      10_000,
      () => 'changes are not heard',
    );
    const version = catalog.current;
    expectRefusal(await report(newApiKeyToken()), 'NOT_FOUND');
    expect(catalog.current).toBe(version);
  });

  it('never echoes or logs the key, and answers nothing of whose it was (D93)', async () => {
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
    const { errors } = await service.doors.graphql(query, { key }, key);
    expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['API_KEY_REVOKED']);
  });

  it('of fifty at once revokes once, and all are told the same (D93)', async () => {
    const developer = await service.aDeveloper();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => report(developer.key)));
    expect(outcomes.filter(({ code }) => code !== null)).toEqual([]);
    expect(new Set(outcomes.map(({ data }) => data.revokedAt)).size).toBe(1);
    expect(await leaksTold(developer.id)).toHaveLength(1);
  });
});
