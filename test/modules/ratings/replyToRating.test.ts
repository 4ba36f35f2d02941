import { describe, expect, it } from '@jest/globals';
import { beforeTests } from '../../support/before-tests.js';
import { unknownId } from '../../support/matchers.js';
import { expectError } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

describe('replyToRating', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());

  const reply = (id: string, text: string | null, token = ada.key) =>
    service.client.call('graphql', 'replyToRating', { id, text }, token);

  it.each([null, '', ' '])('adds a public reply, once; %j removes it (D76)', async (nothing) => {
    const app = await service.anApp(ada, 'APPROVED');
    const { id } = await service.aRating(app);
    expect((await reply(id, ' Thank\nyou. ')).data).toMatchObject({ id, reply: 'Thank\nyou.' });
    expect((await reply(id, 'Mended.')).data).toMatchObject({ reply: 'Mended.' });
    const page = await service.client.must('appRatings', { slug: app.slug });
    expect(page).toMatchObject({ edges: [{ node: { id, reply: 'Mended.' } }] });
    expect((await reply(id, nothing)).data).toMatchObject({ id, reply: null });
  });

  it('stays when the rating is changed (D76)', async () => {
    const { slug } = await service.anApp(ada, 'APPROVED');
    const { id, token } = await service.aRating({ slug });
    await reply(id, 'Thank you.');
    const changed = await service.client.must('rateApp', { slug, rating: 5 }, token);
    expect(changed).toMatchObject({ id, rating: 5, reply: 'Thank you.' });
  });

  it('is NOT_FOUND for the rating of another’s app, a hidden one, and none at all (D7, D76)', async () => {
    const eve = await service.aDeveloper();
    const theirs = await service.aRating(await service.anApp(eve, 'APPROVED'));
    expectError(await reply(theirs.id, 'Hello.'), 'NOT_FOUND');
    const mine = await service.aRating(await service.anApp(ada, 'APPROVED'));
    await service.administer('hideRating', { id: mine.id, reason: 'Spam.' });
    for (const id of [mine.id, unknownId, 'x']) expectError(await reply(id, 'Hello.'), 'NOT_FOUND');
  });
});
