import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Json } from '../support/actors.js';
import type { Service } from '../support/service.js';
import {
  callers,
  entry,
  expectHealthy,
  fifty,
  gatedRace,
  notificationsOf,
  race,
  startRacingService,
  tally,
  winners,
  within,
} from './race.js';

type Key = Json & { revokedAt: string | null; status: string };

describe('fifty at once, with keys', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startRacingService();
  });
  afterAll(() => service.close());
  afterEach(() => expectHealthy(service));

  it('revoke the same key: all see the same record, and the developer is told once', async () => {
    const developer = await service.aDeveloper();
    const { id } = await service.anIssuedKey(developer);
    const outcomes = await gatedRace(
      service,
      'api_keys',
      fifty(() => entry<Key>(service, 'revokeApiKey', { id }, developer.key)),
    );
    expect(tally(outcomes)).toEqual({ OK: callers });
    expect(new Set(outcomes.map(({ data }) => data.revokedAt)).size).toBe(1);
    expect(outcomes.every(({ data }) => data.status === 'REVOKED')).toBe(true);
    expect(await notificationsOf(service, 'key.revoked', id)).toBe(1);
  });

  it('create keys: all are made, each with a value of its own', async () => {
    const developer = await service.aDeveloper();
    const outcomes = await race(
      fifty(() =>
        entry<Json & { key: string }>(
          service,
          'createApiKey',
          { name: 'One of many', scopes: ['APP_READ'] },
          developer.token,
        ),
      ),
    );
    expect(tally(outcomes)).toEqual({ OK: callers });
    expect(new Set(outcomes.map(({ data }) => data.key)).size).toBe(callers);
  });

  it.each([1, 2, 3, 4, 5, 6])(
    'create keys while the verification is withdrawn: none is made afterwards (round %i)',
    async () => {
      const developer = await service.aDeveloper();
      const creations = fifty(() =>
        within(
          30,
          entry<Key>(service, 'createApiKey', { name: 'A key', scopes: ['APP_READ'] }, developer.token),
        ),
      );
      const withdrawal = entry<Key>(
        service,
        'unverifyDeveloper',
        { id: developer.id, reason: 'A second look is needed.' },
        await service.admin(),
      );
      const outcomes = await race([...creations.slice(1), within(30, withdrawal)]);
      const made = outcomes.slice(0, -1);
      const counts = tally(made);
      expect(outcomes.at(-1)!.code).toBeNull();
      expect((counts.OK ?? 0) + (counts.DEVELOPER_NOT_VERIFIED ?? 0)).toBe(callers - 1);

      const [after] = await service.sql<{ late: number; total: number }>(
        `select count(*) filter (where k.created_at > d.updated_at)::int as late, count(*)::int as total
         from api_keys k join developers d on d.id = k.developer_id where d.id = $1`,
        [developer.id],
      );
      // The creation holds the developer's row until it is committed, so the withdrawal is the later of the two.
      expect(after).toEqual({ late: 0, total: winners(made).length + 1 });
    },
  );

  it('create keys: a withdrawal of the verification waits until they are made', async () => {
    const developer = await service.aDeveloper();
    const create = entry<Key>(
      service,
      'createApiKey',
      { name: 'A key', scopes: ['APP_READ'] },
      developer.token,
    );
    const unverify = entry<Key>(
      service,
      'unverifyDeveloper',
      { id: developer.id, reason: 'A second look is needed.' },
      await service.admin(),
    );
    let withdrawn = false;
    const withdrawal = async () => {
      await delay(50);
      const outcome = await unverify();
      withdrawn = true;
      return outcome;
    };
    const outcomes = await gatedRace(service, 'api_keys', [...fifty(() => create).slice(1), withdrawal], () =>
      expect(withdrawn).toBe(false),
    );
    expect(tally(outcomes.slice(0, -1)).OK).toBeGreaterThan(0);
    expect(outcomes.at(-1)!.code).toBeNull();
    const late = await race(fifty(() => create));
    expect(tally(late)).toEqual({ DEVELOPER_NOT_VERIFIED: callers });
  });
});
