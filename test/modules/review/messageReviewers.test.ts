import { describe, expect, it } from '@jest/globals';
import type { OperationName } from '../../../src/contract.js';
import type { Developer } from '../../support/actors.js';
import type { Input } from '../../support/api-client.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { anId, aTime } from '../../support/matchers.js';
import { notificationsOf } from '../../support/notifications.js';
import { expectSuccess } from '../../support/outcomes.js';
import { startService } from '../../support/service.js';

describe('messageReviewers over graphql', () => {
  const service = duringTests(startService);
  const ada = beforeTests(() => service.aDeveloper());

  const write = (id: string, text: string, bearer = ada.key) =>
    service.client.call('graphql', 'messageReviewers', { id, text }, bearer);

  it('sends a message that reviewers see with the submission', async () => {
    const { id } = await service.anApp(ada, 'PENDING');
    const outcome = expectSuccess(await write(id, 'The test account is "demo".'));
    const message = { author: 'DEVELOPER', text: 'The test account is "demo".', createdAt: aTime, id: anId };
    expect(outcome).toEqual(message);
    const { data } = await service.client.graphql(
      '{ reviewQueue { edges { node { app { id messages { edges { node { id author text createdAt } } } } } } } }',
      {},
      await service.admin(),
    );
    expect(data?.reviewQueue).toMatchObject({
      edges: [{ node: { app: { id, messages: { edges: [{ node: message }] } } } }],
    });
  });

  it('does not mail the developer their own message', async () => {
    const developer = await service.aDeveloper();
    const { id } = await service.anApp(developer);
    const before = (await notificationsOf(service, developer.id)).length;
    await write(id, 'Hello.', developer.key);
    expect(await notificationsOf(service, developer.id)).toHaveLength(before);
  });

  /** The recipients of the mails about an app's messages. */
  const recipientsOf = async (developer: Developer) =>
    (await notificationsOf(service, developer.id))
      .filter(({ kind }) => kind === 'review.message-sent')
      .map(({ recipient }) => recipient)
      .sort();

  describe('mails the administrators who deal with the app', () => {
    const act = (operation: OperationName, input: Input, { token }: { token: string }) =>
      service.client.must(operation, input, token);

    it('who holds the claim, lapsed or not, and who wrote: each once (D62)', async () => {
      const developer = await service.aDeveloper();
      const { id } = await service.anApp(developer, 'PENDING');
      const [first, second, third] = await Promise.all([1, 2, 3].map(() => service.anAdministrator()));
      await act('claimReview', { id }, first!);
      await act('messageDeveloper', { id, text: 'Which calendars?' }, first!);
      await act('messageDeveloper', { id, text: 'And which chats?' }, first!);
      await act('claimReview', { id, takeOver: true }, second!);
      await service.sql('update submissions set claimed_until = now() where app_id = $1', [id]);
      await write(id, 'All of them.', developer.key);
      expect(await recipientsOf(developer)).toEqual([first!.email, second!.email].sort());

      const other = await service.anApp(developer, 'PENDING');
      await act('claimReview', { id: other.id }, third!);
      await write(other.id, 'Another app.', developer.key);
      expect((await recipientsOf(developer)).filter((email) => email === third!.email)).toHaveLength(1);
    });

    it('who holds the claim on a version of it (D62)', async () => {
      const developer = await service.aDeveloper();
      const { app, version } = await service.aVersion(developer, 'PENDING');
      const reviewer = await service.anAdministrator();
      await act('claimReview', { id: version.id }, reviewer);
      await write(app.id, 'It is for the new calendar.', developer.key);
      expect(await recipientsOf(developer)).toEqual([reviewer.email]);
    });

    it('at the address that their last token had (D62)', async () => {
      const developer = await service.aDeveloper();
      const { id } = await service.anApp(developer, 'PENDING');
      const reviewer = await service.anAdministrator();
      const email = `new-${reviewer.email}`;
      const renamed = { token: await service.token(reviewer.accountUserId, { admin: true, email }) };
      await act('messageDeveloper', { id, text: 'Hello.' }, reviewer);
      await act('messageDeveloper', { id, text: 'Hello again.' }, renamed);
      await write(id, 'Hello.', developer.key);
      expect(await recipientsOf(developer)).toEqual([email]);
    });

    it('and not for ever: somebody who wrote long ago may be no administrator any more (D62)', async () => {
      const developer = await service.aDeveloper();
      const { id } = await service.anApp(developer);
      await act('messageDeveloper', { id, text: 'Hello.' }, await service.anAdministrator());
      await service.sql(
        "update review_messages set created_at = created_at - interval '91 days' where app_id = $1",
        [id],
      );
      await write(id, 'For the reviewers alone.', developer.key);
      expect(await recipientsOf(developer)).toEqual([]);
    });

    it('and none where no address is known, the claim was released or the review is over (D62)', async () => {
      const developer = await service.aDeveloper();
      const { id } = await service.anApp(developer, 'PENDING');
      await service.administer('messageDeveloper', { id, text: 'Hello.' });
      const reviewer = await service.anAdministrator();
      await act('claimReview', { id }, reviewer);
      await act('releaseReview', { id }, reviewer);
      await write(id, 'Is anybody there?', developer.key);
      await act('claimReview', { id }, reviewer);
      await act('approveApp', { id, revision: 1 }, reviewer);
      await write(id, 'Thank you.', developer.key);
      expect(await recipientsOf(developer)).toEqual([]);
    });

    it('whose addresses appear nowhere: not in the app, its timeline, the feed or the log (D62)', async () => {
      const developer = await service.aDeveloper();
      const { id } = await service.anApp(developer, 'PENDING');
      const reviewer = await service.anAdministrator();
      await act('claimReview', { id }, reviewer);
      await act('messageDeveloper', { id, text: 'Hello.' }, reviewer);
      await write(id, 'Hello.', developer.key);
      expect(await recipientsOf(developer)).toEqual([reviewer.email]);
      const shown = [
        await service.client.must('myApp', { id }, developer.token),
        await service.client.must('events', {}, developer.token),
        await service.administer('reviewQueue', { first: 100 }),
        await service.client.graphql(
          `query ($id: ID!) { myApp(id: $id) { messages { edges { node { id author text createdAt } } }
            timeline { edges { node { at kind by message changes { field before after } } } } } }`,
          { id },
          developer.token,
        ),
        await service.sql('select * from audit_events where app_id = $1', [id]),
      ];
      expect(JSON.stringify(shown)).toContain('Hello.');
      expect(JSON.stringify(shown)).not.toContain(reviewer.email);
    });
  });
});
