import { describe, expect, it } from '@jest/globals';
import { type Actors, atOnce, type Json, unique, type VersionJson } from '../support/actors.js';
import { apis, type Input } from '../support/api-client.js';
import { linesOf } from '../support/audit.js';
import { duringTests } from '../support/before-tests.js';
import { notificationsOf } from '../support/notifications.js';
import { expectError, expectSuccess } from '../support/outcomes.js';
import { secondGateway, startService } from '../support/service.js';

type Profile = Json & { email: string; emailProven: boolean; emailLost: boolean };

const service = duringTests(() => startService({ ASSET_CHECKS: 'off' }));

/** An account whose token has this address; `emailVerified` is what the token says about it. */
async function anAccount(email: string, emailVerified?: boolean, at: Actors = service) {
  const accountUserId = unique('owner');
  const token = await at.token(accountUserId, {
    email,
    ...(emailVerified !== undefined && { emailVerified }),
  });
  const profile: Input = { accountUserId, name: unique('Grace'), email };
  return { accountUserId, token, profile };
}
const anAddress = () => `${unique('person')}@example.com`;
const meOf = (token: string) => service.must<Profile>('me', {}, token);

describe.each(apis)('registering over %s', (api) => {
  const register = ({ profile, token }: { profile: Input; token: string }) =>
    service.client.call<Profile>(api, 'registerDeveloper', profile, token);

  it('the owner of an address gets it although another account had typed it (D327)', async () => {
    const squatter = await service.aDeveloper();
    const owner = await anAccount(squatter.email.toUpperCase(), true);
    expect(expectSuccess(await register(owner), 201)).toMatchObject({ emailProven: true, emailLost: false });
    const lost = await meOf(squatter.token);
    expect(lost).toMatchObject({ emailProven: false, emailLost: true });
    expect(lost.email).toMatch(/@address-lost\.invalid$/);
  });

  it.each(['x@address-lost.invalid', 'X@Address-Lost.INVALID', 'x@elsewhere.invalid'])(
    'nobody types %s, which could mark a lost address (D342)',
    async (email) => {
      const account = await anAccount(anAddress());
      const profile = { ...account.profile, email };
      expectError(await register({ ...account, profile }), 'VALIDATION_FAILED', ['email: invalid_email']);
      const ada = await service.aDeveloper();
      for (const bearer of api === 'rest' ? [ada.key] : [ada.key, ada.token])
        expectError(await service.client.call(api, 'updateMe', { email }, bearer), 'VALIDATION_FAILED', [
          'email: invalid_email',
        ]);
      expect(await meOf(ada.token)).toMatchObject({ email: ada.email, emailLost: false });
    },
  );

  it.each([
    ['does not say whether it is verified', undefined],
    ['says that it is not', false],
  ])('an account whose token %s gets EMAIL_TAKEN as before (D327)', async (_, emailVerified) => {
    const other = await service.aDeveloper();
    expectError(await register(await anAccount(other.email, emailVerified)), 'EMAIL_TAKEN', ['email: taken']);
    expect(await meOf(other.token)).toMatchObject({ email: other.email, emailLost: false });
  });

  it('a token that proves another address proves nothing (D327)', async () => {
    const other = await service.aDeveloper();
    const account = await anAccount(anAddress(), true);
    const profile = { ...account.profile, email: other.email };
    expectError(await register({ ...account, profile }), 'EMAIL_TAKEN', ['email: taken']);
    const unproven = await register({ ...account, profile: { ...profile, email: anAddress() } });
    expect(unproven.data).toMatchObject({ emailProven: false });
  });

  it('an address that its account has proven is not taken by another proof (D327)', async () => {
    const email = anAddress();
    expectSuccess(await register(await anAccount(email, true)), 201);
    expectError(await register(await anAccount(email, true)), 'EMAIL_TAKEN', ['email: taken']);
  });
});

describe('changing the profile', () => {
  it('by account token takes a proven address, and proves the present one (D327)', async () => {
    const squatter = await service.aDeveloper();
    const accountUserId = unique('owner');
    const first = await service.token(accountUserId);
    const own = anAddress();
    await service.must('registerDeveloper', { accountUserId, name: unique('Grace'), email: own }, first);
    const prove = (email: string) => service.token(accountUserId, { email, emailVerified: true });
    const proven = await service.must<Profile>('updateMe', { email: own }, await prove(own));
    expect(proven).toMatchObject({ email: own, emailProven: true });
    const { email } = squatter;
    const moved = await service.must<Profile>('updateMe', { email }, await prove(email));
    expect(moved).toMatchObject({ email, emailProven: true });
    expect(await meOf(squatter.token)).toMatchObject({ emailLost: true });
  });

  it.each(apis)('by key over %s never proves, and takes nothing (D327)', async (api) => {
    const [squatter, eve] = [await service.aDeveloper(), await service.aDeveloper()];
    const taken = await service.client.call(api, 'updateMe', { email: squatter.email }, eve.key);
    expectError(taken, 'EMAIL_TAKEN', ['email: taken']);
    const email = anAddress();
    const token = await service.token(eve.accountUserId, { email, emailVerified: true });
    await service.must('updateMe', { email }, token);
    const changed = await service.client.call<Profile>(api, 'updateMe', { email: anAddress() }, eve.key);
    expect(changed.data).toMatchObject({ emailProven: false });
    // Another release that writes the address knows of no proof.
    await service.must('updateMe', { email }, token);
    await service.sql('update developers set email = $2 where id = $1', [eve.id, anAddress()]);
    expect(await meOf(eve.token)).toMatchObject({ emailProven: false });
  });
});

describe('an account that lost its address', () => {
  const aLoss = async () => {
    const former = anAddress();
    const squatter = await service.aDeveloper({ email: former });
    await service.must('updateMe', { email: squatter.email.replace('@', '+new@') }, squatter.token);
    const { email } = await meOf(squatter.token);
    const owner = await anAccount(email, true);
    const lines = await linesOf(service, () => service.must('registerDeveloper', owner.profile, owner.token));
    return { squatter, former, email, owner, lines };
  };

  it('is told at the address before, by an event and in the profile, and never at the lost one (D327, D342)', async () => {
    const { squatter, former, email, owner, lines } = await aLoss();
    expect(lines.find(({ kind }) => kind === 'developer.email_lost')).toMatchObject({
      developer_id: squatter.id,
      actor_kind: 'account',
      actor_account: owner.accountUserId,
      before: { email },
      after: { email: null },
    });
    const told = (await notificationsOf(service, squatter.id)).filter(
      ({ kind }) => kind === 'developer.email_lost',
    );
    expect(told).toEqual([{ kind: 'developer.email_lost', developerId: squatter.id, recipient: former }]);
    const events = await service.client.queryData(
      '{ events(first: 100) { edges { node { type data } } } }',
      {},
      squatter.token,
    );
    expect(JSON.stringify(events)).toContain('developer.email_lost');
    expect(JSON.stringify(events)).not.toContain(owner.accountUserId);
  });

  it('is told by event and profile alone if it never had another address (D327)', async () => {
    const squatter = await service.aDeveloper();
    const owner = await anAccount(squatter.email, true);
    await service.must('registerDeveloper', owner.profile, owner.token);
    const told = (await notificationsOf(service, squatter.id)).filter(
      ({ kind }) => kind === 'developer.email_lost',
    );
    expect(told).toEqual([]);
  });

  it('cannot submit an app or a version until it gives another one, and allowedActions says so (D342)', async () => {
    const { squatter } = await aLoss();
    const app = await service.anApp(squatter);
    const submit = (api: 'rest' | 'graphql') =>
      service.client.call(api, 'submitApp', { id: app.id }, squatter.key);
    for (const api of apis) expectError(await submit(api), 'VALIDATION_FAILED', ['email: taken']);
    const actions = async () => {
      const { myApp } = await service.client.queryData<{
        myApp: { allowedActions: { action: string; allowed: boolean; code: string | null }[] };
      }>(
        'query ($id: ID!) { myApp(id: $id) { allowedActions { action allowed code } } }',
        { id: app.id },
        squatter.token,
      );
      return myApp.allowedActions.find(({ action }) => action === 'submitApp');
    };
    expect(await actions()).toMatchObject({ allowed: false, code: 'VALIDATION_FAILED' });
    await service.must('updateMe', { email: anAddress() }, squatter.token);
    expect(await actions()).toMatchObject({ allowed: true });
    expectSuccess(await submit('rest'));
  });

  it('cannot submit a version either (D327)', async () => {
    const squatter = await service.aDeveloper();
    const { version } = await service.aVersion(squatter);
    const owner = await anAccount(squatter.email, true);
    await service.must('registerDeveloper', owner.profile, owner.token);
    const outcome = await service.call('submitAppVersion', { id: version.id }, squatter.token);
    expectError(outcome, 'VALIDATION_FAILED', ['email: taken']);
    await service.must('updateMe', { email: anAddress() }, squatter.token);
    await service.must<VersionJson>('submitAppVersion', { id: version.id }, squatter.token);
  });

  it('cannot take the proven address back (D327)', async () => {
    const { squatter, email } = await aLoss();
    for (const bearer of [squatter.key, squatter.token])
      expectError(await service.call('updateMe', { email }, bearer), 'EMAIL_TAKEN', ['email: taken']);
  });

  it('keeps everything else: keys, apps and the sign-in (D342)', async () => {
    const { squatter } = await aLoss();
    await service.must('createApiKey', { name: 'A key', scopes: ['APP_READ'] }, squatter.token);
    expectSuccess(await service.client.call('rest', 'updateMe', { bio: 'Still here' }, squatter.key));
  });
});

describe('many at once on two gateways', () => {
  it('one address has one holder at any time, and the proven one wins (D327)', async () => {
    await using other = await secondGateway(service);
    for (let round = 0; round < 5; round += 1) {
      const email = anAddress();
      const owner = await anAccount(email, true, other);
      const typists = await atOnce(4, () => anAccount(email));
      const outcomes = await Promise.all([
        other.call('registerDeveloper', owner.profile, owner.token),
        ...typists.map(({ profile, token }) => service.call('registerDeveloper', profile, token)),
      ]);
      expect(outcomes[0]!.code).toBeNull();
      expect(outcomes.slice(1).filter(({ code }) => code === null).length).toBeLessThanOrEqual(1);
      const rows = await service.sql(
        'select account_user_id from developers where lower(email) = lower($1)',
        [email],
      );
      expect(rows).toEqual([{ account_user_id: owner.accountUserId }]);
    }
  });

  it('two who prove the address of each other both get it, or are told to try again (D327)', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, two] = [await service.aDeveloper(), await service.aDeveloper()];
      const swap = async (who: typeof one, { email }: typeof one) =>
        service.call(
          'updateMe',
          { email },
          await service.token(who.accountUserId, { email, emailVerified: true }),
        );
      const outcomes = await Promise.all([swap(one, two), swap(two, one)]);
      expect(outcomes.map(({ code }) => code)).toEqual([null, null]);
      expect(await meOf(one.token)).toMatchObject({ email: two.email, emailProven: true });
      expect(await meOf(two.token)).toMatchObject({ email: one.email, emailProven: true });
    }
  });
});

describe('the desk', () => {
  it('shows which address is proven (D327)', async () => {
    const email = anAddress();
    const owner = await anAccount(email, true);
    const { id } = await service.must<Json>('registerDeveloper', owner.profile, owner.token);
    const query = 'query ($id: ID!) { developer(id: $id) { email emailProven emailLost } }';
    expect(await service.client.queryData(query, { id }, await service.admin())).toEqual({
      developer: { email, emailProven: true, emailLost: false },
    });
  });
});
