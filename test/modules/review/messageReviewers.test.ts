import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Scope } from '../../../src/modules/api-keys/api-key.entity.js';
import { allScopes, type Developer } from '../../support/actors.js';
import { anId, aTime, nobody } from '../../support/answers.js';
import { notificationsOf } from '../../support/notifications.js';
import { expectRefusal, expectSuccess } from '../../support/refusals.js';
import { type Service, startService } from '../../support/service.js';

describe('messageReviewers over graphql', () => {
  let service: Service;
  let ada: Developer;
  beforeAll(async () => {
    service = await startService();
    ada = await service.aDeveloper();
  });
  afterAll(() => service.close());

  const write = (id: string, text: string, bearer = ada.key) =>
    service.doors.call('graphql', 'messageReviewers', { id, text }, bearer);

  it('writes to the administration, who see it with the submission', async () => {
    const { id } = await service.anApp(ada, 'PENDING');
    const outcome = await write(id, 'The test account is "demo".');
    expectSuccess(outcome);
    const message = { author: 'DEVELOPER', text: 'The test account is "demo".', createdAt: aTime, id: anId };
    expect(outcome.data).toEqual(message);
    const { data } = await service.doors.graphql(
      '{ reviewQueue { edges { node { app { id messages { id author text createdAt } } } } } }',
      {},
      await service.admin(),
    );
    expect(data?.reviewQueue).toMatchObject({ edges: [{ node: { app: { id, messages: [message] } } }] });
  });

  it('does not mail the developer their own words', async () => {
    const developer = await service.aDeveloper();
    const { id } = await service.anApp(developer);
    const before = (await notificationsOf(service, developer.id)).length;
    await write(id, 'Hello.', developer.key);
    expect(await notificationsOf(service, developer.id)).toHaveLength(before);
  });

  it.each(['DRAFT', 'PENDING', 'REJECTED', 'APPROVED', 'SUSPENDED'] as const)(
    'is about an app in any state: %s',
    async (status) => {
      expectSuccess(await write((await service.anApp(ada, status)).id, 'A word.', ada.token));
    },
  );

  it('needs APP_UPDATE, and nothing else (D62)', async () => {
    const { id } = await service.anApp(ada);
    const without = await service.aKey(
      ada,
      allScopes.filter((scope) => scope !== Scope.APP_UPDATE),
    );
    expectRefusal(await write(id, 'Hello.', without), 'INSUFFICIENT_SCOPE');
    expectSuccess(await write(id, 'Hello.', await service.aKey(ada, [Scope.APP_UPDATE])));
  });

  it('answers NOT_FOUND for someone else’s app as for none (D7)', async () => {
    const { id } = await service.anApp(ada);
    expectRefusal(await write(id, 'Hello.', (await service.aDeveloper()).key), 'NOT_FOUND');
    expectRefusal(await write(nobody, 'Hello.'), 'NOT_FOUND');
    expectRefusal(await write(id, '\t'), 'VALIDATION_FAILED', ['text: too_short']);
  });
});
