import { describe, expect, it } from '@jest/globals';
import { type Developer, type Json, unique } from '../support/actors.js';
import { apis } from '../support/api-client.js';
import { duringTests } from '../support/before-tests.js';
import { expectError } from '../support/outcomes.js';
import { startService } from '../support/service.js';
import { lastUndoUrl, post } from './stolen-key.js';

type Profile = Json & { email: string; emailProven: boolean; emailLost: boolean };

const service = duringTests(startService);

const anAddress = () => `${unique('person')}@example.com`;
const meOf = ({ token }: Developer) => service.must<Profile>('me', {}, token);

/** An account that has not registered, and whose token proves the address. */
async function anOwner(email: string) {
  const accountUserId = unique('owner');
  const token = await service.token(accountUserId, { email, emailVerified: true });
  return { token, profile: { accountUserId, name: unique('Grace'), email } };
}

describe('a proof', () => {
  const aProof = async () => {
    const email = anAddress();
    const ada = await service.aDeveloper();
    const proof = await service.token(ada.accountUserId, { email, emailVerified: true });
    await service.must('updateMe', { email }, proof);
    return { ada, email, proof };
  };
  const move = (email: string, bearer: string) => service.must<Profile>('updateMe', { email }, bearer);

  it.each(apis)(
    'stays with the account whose key goes away and back over %s: the key gains nothing (D327)',
    async (api) => {
      const { ada, email } = await aProof();
      for (const [address, emailProven] of [
        [anAddress(), false],
        [email.toUpperCase(), true],
      ] as const) {
        const outcome = await service.client.call<Profile>(api, 'updateMe', { email: address }, ada.key);
        expect(outcome.data).toMatchObject({ email: address, emailProven });
      }
      // It is where it was: another proof does not take the address.
      const other = await anOwner(email);
      const taken = await service.call('registerDeveloper', other.profile, other.token);
      expectError(taken, 'EMAIL_TAKEN', ['email: taken']);
    },
  );

  it('ends when the account gives the address up: a key that brings it back proves nothing (D327)', async () => {
    const { ada, email } = await aProof();
    expect(await move(anAddress(), ada.token)).toMatchObject({ emailProven: false });
    expect(await move(email, ada.key)).toMatchObject({ email, emailProven: false });
    // So the present owner of the address gets it.
    const owner = await anOwner(email);
    await service.must('registerDeveloper', owner.profile, owner.token);
    expect(await meOf(ada)).toMatchObject({ emailLost: true });
  });

  it('stays when the account saves the rest of a profile whose address a key has changed (D327)', async () => {
    const { ada, email } = await aProof();
    const other = anAddress();
    await move(other, ada.key);
    await service.must('updateMe', { email: other, bio: 'Saved' }, ada.token);
    await post(await lastUndoUrl(service, ada));
    expect(await meOf(ada)).toMatchObject({ email, emailProven: true, bio: 'Saved' });
  });

  it('comes back only with another proof (D327)', async () => {
    const { ada, email, proof } = await aProof();
    await move(anAddress(), ada.token);
    expect(await move(email, ada.token)).toMatchObject({ emailProven: false });
    expect(await move(email, proof)).toMatchObject({ emailProven: true });
    expect(await move(email.toUpperCase(), ada.token)).toMatchObject({ emailProven: true });
  });

  it('is whole again when the change by a key is undone (D323, D327)', async () => {
    const { ada, email } = await aProof();
    await move(anAddress(), ada.key);
    await post(await lastUndoUrl(service, ada));
    expect(await meOf(ada)).toMatchObject({ email, emailProven: true });
  });
});
