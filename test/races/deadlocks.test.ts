import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type AppJson, atOnce, type Developer } from '../support/actors.js';
import { duringTests } from '../support/before-tests.js';
import { expectHealthy, race, startRacingService, tally } from './race.js';

const deadlocking = 4;

/** Every second update of a name takes two locks in the opposite order. */
const locksInOppositeOrders = `
  create sequence turns;
  create function lock_in_turn() returns trigger language plpgsql set deadlock_timeout = 10 as $$
  declare first int := nextval('turns') % 2;
  begin
    perform pg_advisory_xact_lock(first);
    perform pg_sleep(0.05);
    perform pg_advisory_xact_lock(1 - first);
    return new;
  end $$;
  create trigger lock_in_turn before update of name on developers for each row execute function lock_in_turn()`;

/** Updates of a bio fail for 350 ms. A rollback does not reset a sequence, so one stores the time of the first attempt. */
const deadlocksForAWhile = `
  create sequence first_attempt_ms;
  create function deadlock_for_a_while() returns trigger language plpgsql as $$
  declare now_ms bigint := extract(epoch from clock_timestamp()) * 1000;
  begin
    if (select last_value from first_attempt_ms) = 1 then
      perform setval('first_attempt_ms', now_ms);
    end if;
    if now_ms < (select last_value from first_attempt_ms) + 350 then
      raise exception 'deadlock detected' using errcode = '40P01';
    end if;
    return new;
  end $$;
  create trigger deadlock_for_a_while before update of bio on developers
    for each row execute function deadlock_for_a_while()`;

describe('callers whose transactions deadlock', () => {
  let developers: Developer[];
  const service = duringTests(startRacingService);
  beforeAll(async () => {
    developers = await atOnce(deadlocking, () => service.anUnverifiedDeveloper());
    await service.sql(locksInOppositeOrders);
    await service.sql(deadlocksForAWhile);
  });

  it('all succeed: a transaction that lost a deadlock is tried again', async () => {
    const outcomes = await race(
      developers.map(
        ({ token }) =>
          () =>
            service.call<AppJson>('updateMe', { name: 'Grace' }, token),
      ),
    );
    expect(tally(outcomes)).toEqual({ OK: deadlocking });
    await expectHealthy(service);
  });

  it('succeed although they lose for a while: the pauses before the next attempts grow', async () => {
    // Each pause is as long as it may be, 600 ms in all; without pauses six attempts take some milliseconds each.
    const random = jest.spyOn(Math, 'random').mockReturnValue(0.999);
    try {
      const { token } = developers[0]!;
      const outcome = await service.call('updateMe', { bio: 'Patient.' }, token);
      expect(outcome.code).toBeNull();
    } finally {
      random.mockRestore();
    }
  });
});
