import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import type { Json } from '../support/actors.js';
import { connectTo } from '../support/database.js';
import { callers, fifty, race, racing, tally, winners, within } from './race.js';

type Key = Json & { revokedAt: string | null; status: string };

describe('fifty at once, with keys', () => {
  const { service, entry, gatedFifty, gatedRace, notificationsOf, waitingFor } = racing();

  it('revoke the same key: all see the same record, and the developer is told once', async () => {
    const developer = await service.aDeveloper();
    const { id } = await service.anIssuedKey(developer);
    const outcomes = await gatedFifty('api_keys', () => entry<Key>('revokeApiKey', { id }, developer.key));
    expect(tally(outcomes)).toEqual({ OK: callers });
    expect(new Set(outcomes.map(({ data }) => data.revokedAt)).size).toBe(1);
    expect(outcomes.every(({ data }) => data.status === 'REVOKED')).toBe(true);
    expect(await notificationsOf('key.revoked', id)).toBe(1);
  });

  it.each(['reportLeakedKey', 'revokeApiKey'] as const)(
    'create keys with a descendant of a key that %s ends: no key that they created works afterwards (D125)',
    async (act) => {
      const developer = await service.aDeveloper();
      const root = await service.anIssuedKey(developer);
      const input = { name: 'One of many', scopes: ['APP_READ'] };
      const child = await service.must<Json & { key: string }>('createApiKey', input, root.key);
      const others = [await service.anIssuedKey(developer), await service.anIssuedKey(developer)];
      const end =
        act === 'reportLeakedKey'
          ? entry<Key>(act, { key: root.key }, null)
          : () => service.call<Key>(act, { id: root.id, descendants: true }, developer.token);
      const create = (bearer: string) => entry<Key>('createApiKey', input, bearer);
      const rotate = (id: string, bearer: string) => entry<Key>('rotateApiKey', { id }, bearer);
      const entries = [
        ...fifty((i) => create(i % 2 === 0 ? child.key : root.key)).slice(4),
        rotate(child.id, child.key),
        rotate(others[0]!.id, root.key),
        rotate(root.id, root.key),
        within(20, end),
      ];
      const outcomes = await gatedRace('api_keys', entries);
      expect(outcomes.at(-1)!.code).toBeNull();
      const counts = tally(outcomes.slice(0, -1));
      const refused = ['API_KEY_REVOKED', 'INSUFFICIENT_SCOPE', 'INVALID_TRANSITION'];
      expect(Object.keys(counts).filter((code) => code !== 'OK' && !refused.includes(code))).toEqual([]);
      const keys = await service.must<Key[]>('myApiKeys', {}, developer.token);
      const alive = keys.filter(({ status }) => status === 'ACTIVE').map(({ id }) => id);
      // The developer's key, and the two that the revoked key did not create; a rotated one for its grace time.
      expect(new Set(alive)).toEqual(
        new Set([...others.map(({ id }) => id), ...keys.slice(-1).map(({ id }) => id)]),
      );
      const made = winners(outcomes.slice(0, -1)).map(({ id }) => id);
      expect(keys.filter(({ id, status }) => made.includes(id) && status === 'ACTIVE')).toEqual([]);
    },
  );

  it('create keys with a key that is reported while they wait: none is made (D125)', async () => {
    const developer = await service.aDeveloper();
    const { key } = await service.anIssuedKey(developer);
    const gate = await connectTo(service.databaseUrl);
    await gate.query('begin');
    await gate.query('select from developers where id = $1 for update', [developer.id]);
    const report = service.call<Key>('reportLeakedKey', { key });
    await waitingFor(1);
    const input = { name: 'One of many', scopes: ['APP_READ'] };
    const creations = race(fifty(() => entry<Key>('createApiKey', input, key)));
    await waitingFor(callers + 1);
    await gate.end();
    expect((await report).code).toBeNull();
    expect(tally(await creations)).toEqual({ API_KEY_REVOKED: callers });
    expect(await service.must('myApiKeys', {}, developer.token)).toHaveLength(2);
  });

  it('create keys: all are made, each with a value of its own', async () => {
    const developer = await service.aDeveloper();
    const outcomes = await race(
      fifty(() =>
        entry<Json & { key: string }>(
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
    'create keys while the verification is withdrawn: none is created afterwards (round %i)',
    async () => {
      const developer = await service.aDeveloper();
      const creations = fifty(() =>
        within(30, entry<Key>('createApiKey', { name: 'A key', scopes: ['APP_READ'] }, developer.token)),
      );
      const withdrawal = entry<Key>(
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
    const create = entry<Key>('createApiKey', { name: 'A key', scopes: ['APP_READ'] }, developer.token);
    const unverify = entry<Key>(
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
    const outcomes = await gatedRace('api_keys', [...fifty(() => create).slice(1), withdrawal], () =>
      expect(withdrawn).toBe(false),
    );
    expect(tally(outcomes.slice(0, -1)).OK).toBeGreaterThan(0);
    expect(outcomes.at(-1)!.code).toBeNull();
    const late = await race(fifty(() => create));
    expect(tally(late)).toEqual({ DEVELOPER_NOT_VERIFIED: callers });
  });
});
