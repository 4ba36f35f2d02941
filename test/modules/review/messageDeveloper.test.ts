import { describe, expect, it } from '@jest/globals';
import { waitingFor } from '../../races/race.js';
import type { ConnectionJson } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { connectTo } from '../../support/database.js';
import { anId, aTime } from '../../support/matchers.js';
import { notificationsOf } from '../../support/notifications.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

describe('messageDeveloper over graphql', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());

  const write = async (id: string, text: string) => service.callAsAdmin('messageDeveloper', { id, text });
  const messagesOf = async (id: string, bearer: string) => {
    const query =
      'query ($id: ID!) { myApp(id: $id) { messages { edges { node { id author text createdAt } } } } }';
    type Answer = { myApp: { messages: ConnectionJson<{ text: string }> } };
    return (await service.client.queryData<Answer>(query, { id }, bearer)).myApp.messages.edges.map(
      ({ node }) => node,
    );
  };

  it('writes to the developer of an app, who is told by mail (D33)', async () => {
    const developer = await service.aDeveloper();
    const { id } = await service.anApp(developer, 'PENDING');
    const data = expectSuccess(await write(id, ' Which browsers?\nAnd since when? '));
    const message = { author: 'REVIEWER', text: 'Which browsers?\nAnd since when?' };
    expect(data).toEqual({ id: anId, createdAt: aTime, ...message });
    expect(await messagesOf(id, developer.token)).toEqual([data]);
    expect(await notificationsOf(service, developer.id)).toContainEqual(
      expect.objectContaining({ kind: 'review.message-received', appId: id, text: message.text }),
    );
  });

  it('and its replies are one thread, oldest first, for both sides (D62)', async () => {
    const { id } = await service.anApp(ada, 'REJECTED');
    const admin = await service.admin();
    await write(id, 'One');
    await service.client.must('messageReviewers', { id, text: 'Two' }, ada.key);
    await write(id, 'Three');
    const thread = await messagesOf(id, ada.token);
    expect(thread.map(({ text }) => text)).toEqual(['One', 'Two', 'Three']);
    const { data } = await service.client.graphql(
      'mutation ($id: ID!) { featureApp(id: $id, featured: false) { messages { edges { node { id author text createdAt } } } } }',
      { id },
      admin,
    );
    expect(data?.featureApp).toEqual({ messages: { edges: thread.map((node) => ({ node })) } });
  });

  it('returns NOT_FOUND where the app is deleted while the message is written', async () => {
    const { id } = await service.anApp(ada);
    const other = await connectTo(service.databaseUrl);
    await other.query('begin');
    await other.query('delete from apps where id = $1', [id]);
    const outcome = write(id, 'Hello?');
    await waitingFor(service, 1);
    await other.query('commit');
    await other.end();
    expectError(await outcome, 'NOT_FOUND');
  });
});
