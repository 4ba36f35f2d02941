import { beforeAll, describe, expect, it } from '@jest/globals';
import { type AppJson, atOnce, type Developer, type Json, unique } from '../support/actors.js';
import { secondGateway } from '../support/service.js';
import { callers, fifty, race, racing, tally, unbounded, winners } from './race.js';

type Profile = Json & { accountUserId: string; email: string };

describe('fifty at once, with developer accounts', () => {
  let everybody: Developer[];
  const { service, entry, gatedFifty, gatedRace, notificationsOf } = racing();
  beforeAll(async () => {
    everybody = await Promise.all(fifty(() => service.aDeveloper()));
  });

  const developersWhere = (condition: string, value: string) =>
    service.sql<{ id: string; email: string }>(`select id, email from developers where ${condition}`, [
      value,
    ]);

  /** The fifty, with the addresses they have by now. */
  const developersNow = async () => {
    const rows = await service.sql<{ id: string; email: string }>('select id, email from developers');
    const emails = new Map(rows.map(({ id, email }) => [id, email]));
    return everybody.map((developer) => ({ ...developer, email: emails.get(developer.id)! }));
  };

  it('register the same account: one does, the others get DEVELOPER_EXISTS', async () => {
    const accountUserId = unique('account');
    const token = await service.token(accountUserId);
    const outcomes = await gatedFifty('developers', (i) =>
      entry<Profile>(
        'registerDeveloper',
        { accountUserId, name: `Ada ${i}`, email: `${accountUserId}-${i}@example.com` },
        token,
      ),
    );
    expect(tally(outcomes)).toEqual({ OK: 1, DEVELOPER_EXISTS: callers - 1 });
    const [winner] = winners(outcomes);
    expect(await developersWhere('account_user_id = $1', accountUserId)).toEqual([
      { id: winner!.id, email: winner!.email },
    ]);
  });

  it('register the same e-mail address, spelt differently: one gets it, the others are told it is taken', async () => {
    const stem = unique('shared');
    const spelling = (i: number) =>
      i % 2 ? `${stem}-Mail@Example.com` : `${stem.toUpperCase()}-mail@example.COM`;
    const accounts = fifty(() => unique('account'));
    const tokens = await Promise.all(accounts.map((account) => service.token(account)));
    const outcomes = await gatedRace(
      'developers',
      accounts.map((accountUserId, i) =>
        entry<Profile>('registerDeveloper', { accountUserId, name: 'Ada', email: spelling(i) }, tokens[i]!),
      ),
    );
    expect(tally(outcomes)).toEqual({ OK: 1, EMAIL_TAKEN: callers - 1 });
    const rows = await developersWhere('lower(email) = lower($1)', spelling(0));
    expect(rows).toEqual([{ id: winners(outcomes)[0]!.id, email: winners(outcomes)[0]!.email }]);
  });

  it('change to the same e-mail address: one gets it, the others are told it is taken', async () => {
    const email = `${unique('wanted')}@example.com`;
    const developers = await developersNow();
    const outcomes = await gatedRace(
      'developers',
      developers.map(({ key }) => entry<Profile>('updateMe', { email }, key)),
    );
    expect(tally(outcomes)).toEqual({ OK: 1, EMAIL_TAKEN: callers - 1 });
    expect(await developersWhere('email = $1', email)).toHaveLength(1);
    // To the former and to the new address.
    expect(await notificationsOf('developer.email-changed', winners(outcomes)[0]!.id)).toBe(2);
  });

  it('change to the e-mail address of the next: nobody ever has two, and every call gets a response', async () => {
    const developers = await developersNow();
    const pairs = developers.map((developer, i) => ({ developer, wanted: developers[i ^ 1]!.email }));
    const outcomes = await gatedRace(
      'developers',
      pairs.map(({ developer, wanted }) => entry<Profile>('updateMe', { email: wanted }, developer.key)),
    );
    expect(tally(outcomes)).toEqual({ EMAIL_TAKEN: callers });
    const after = await service.sql<{ id: string; email: string }>(
      'select id, email from developers where id = any($1)',
      [developers.map(({ id }) => id)],
    );
    expect(new Map(after.map(({ id, email }) => [id, email]))).toEqual(
      new Map(developers.map(({ id, email }) => [id, email])),
    );
  });

  it('move along a chain of e-mail addresses: each address has one owner, and each response is true', async () => {
    const developers = await developersNow();
    const free = `${unique('free')}@example.com`;
    const wanted = developers.map((_, i) => developers[i + 1]?.email ?? free);
    const outcomes = await gatedRace(
      'developers',
      developers.map(({ key }, i) => entry<Profile>('updateMe', { email: wanted[i] }, key)),
    );
    for (const [i, { code, data }] of outcomes.entries()) {
      if (code) expect(code).toBe('EMAIL_TAKEN');
      else expect(data.email).toBe(wanted[i]);
    }
    expect(outcomes.at(-1)!.code).toBeNull();
    for (const [i, { id, email }] of developers.entries()) {
      const [row] = await developersWhere('id = $1', id);
      expect(row!.email).toBe(outcomes[i]!.code ? email : wanted[i]);
    }
  });

  it('change the address of one account: each former address is told once (D15)', async () => {
    const { id, email, key } = await service.aDeveloper();
    const wanted = fifty(() => `${unique('new')}@example.com`);
    const outcomes = await gatedRace(
      'developers',
      wanted.map((address) => entry<Profile>('updateMe', { email: address }, key)),
    );
    expect(tally(outcomes)).toEqual({ OK: callers });
    const [now] = await developersWhere('id = $1', id);
    const told = await service.sql<{ former: string }>(
      `select data->>'formerEmail' as former from pgboss.job where data->>'kind' = 'developer.email-changed'
       and data->>'developerId' = $1 and not data ? 'recipient'`,
      [id],
    );
    const former = [email, ...wanted].filter((address) => address !== now!.email);
    expect(told.map((row) => row.former).toSorted()).toEqual(former.toSorted());
  });

  it('exchange addresses while the index is slow: no call fails', async () => {
    // PostgreSQL checks the address after it has written the row; here the time between is long enough to meet in.
    await service.sql(`
      create function slowly(text) returns text language plpgsql immutable as
        $$ begin perform pg_sleep(0.01); return $1; end $$;
      create index developers_slow on developers (slowly(name));
      drop index developers_email_key;
      create unique index developers_email_key on developers (lower(email));`);
    const developers = await atOnce(4, () => service.aDeveloper());
    const outcomes = await gatedRace(
      'developers',
      developers.map(({ key }, i) =>
        entry<Profile>('updateMe', { name: 'Bob', email: developers[i ^ 1]!.email }, key),
      ),
    );
    expect(tally(outcomes)).toEqual({ EMAIL_TAKEN: developers.length });
  });

  it('follow the link that undoes a change at two gateways, while its key goes on: one does, and nothing is changed afterwards (D323)', async () => {
    const ada = await service.aDeveloper({ bio: 'Mine.' });
    const { key } = await service.anIssuedKey(ada);
    await service.must('updateMe', { bio: 'Stolen.' }, key);
    const [mail] = await service.sql<{ url: string }>(
      "select data->>'undoUrl' as url from pgboss.job where data->>'developerId' = $1 and data ? 'undoUrl'",
      [ada.id],
    );
    const token = new URL(mail!.url).searchParams.get('token');
    const second = await secondGateway(service, {}, unbounded);
    const undo = (i: number) => () =>
      (i % 2 ? service : second).call<AppJson>('undoProfileChange', { token });
    const outcomes = await race([
      ...fifty(undo),
      ...fifty((i) => entry('updateMe', { bio: `Stolen ${i}` }, key)),
    ]);
    await second.close();
    expect(tally(outcomes.slice(0, callers))).toEqual({ OK: 1, INVALID_TRANSITION: callers - 1 });
    const late = outcomes.slice(callers).filter(({ code }) => code !== null);
    expect(new Set(late.map(({ code }) => code))).toEqual(new Set(late.length ? ['API_KEY_REVOKED'] : []));
    const [row] = await service.sql<{ bio: string }>('select bio from developers where id = $1', [ada.id]);
    expect(row).toEqual({ bio: 'Mine.' });
  });
});
