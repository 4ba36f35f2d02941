import { describe, expect, it } from '@jest/globals';
import { unique } from '../support/actors.js';
import { duringTests } from '../support/before-tests.js';
import { notificationsOf } from '../support/notifications.js';
import { startService } from '../support/service.js';
import { recipientsOf } from './stolen-key.js';

const service = duringTests(startService);

describe('the address before a change by a key', () => {
  const left = async () => {
    const ada = await service.aDeveloper();
    await service.must('updateMe', { email: `left-${ada.email}` }, ada.key);
    return ada;
  };

  it('still gets security mails when somebody squats it (D323)', async () => {
    const ada = await left();
    await service.anUnverifiedDeveloper({ email: ada.email });
    await service.anIssuedKey(ada);
    expect((await recipientsOf(service, ada, 'key.created')).slice(-2)).toEqual(['developer', ada.email]);
  });

  it('gets no more mails once another developer has proven it (D323, D327)', async () => {
    const ada = await left();
    const accountUserId = unique('owner');
    const token = await service.token(accountUserId, { email: ada.email, emailVerified: true });
    const profile = { accountUserId, name: 'The owner', email: ada.email };
    await service.must('registerDeveloper', profile, token);
    await service.anIssuedKey(ada);
    expect((await recipientsOf(service, ada, 'key.created')).slice(-1)).toEqual(['developer']);
    expect(await recipientsOf(service, ada, 'key.created')).not.toContain(ada.email);
  });

  it('still gets security mails after the account and the key have changed it again (D323)', async () => {
    const ada = await service.aDeveloper();
    const [second, third, fourth] = ['second', 'third', 'fourth'].map((word) => `${word}-${ada.email}`);
    await service.must('updateMe', { email: second }, ada.key);
    await service.must('updateMe', { email: third }, ada.token);
    await service.must('updateMe', { email: fourth }, ada.key);
    const told = (await notificationsOf(service, ada.id)).filter(({ formerEmail }) => formerEmail === third);
    expect(told.map(({ recipient, undoUrl }) => [recipient ?? third, typeof undoUrl])).toEqual([
      [third, 'string'],
      [fourth, 'undefined'],
      [ada.email, 'string'],
    ]);
    await service.anIssuedKey(ada);
    expect((await recipientsOf(service, ada, 'key.created')).slice(-2)).toEqual(['developer', ada.email]);
  });
});
