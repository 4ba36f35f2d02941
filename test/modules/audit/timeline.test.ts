import { describe, expect, it } from '@jest/globals';
import { type AppJson, aListing, type ConnectionJson, type Json } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { aTime } from '../../support/matchers.js';
import { type Service, sharedService } from '../../support/service.js';

interface Entry {
  id: string;
  at: string;
  kind: string;
  by: string;
  message: string | null;
  changes: { field: string; before: string | null; after: string | null }[];
  reasons: { code: string; field: string | null; message: string }[];
}

/** Everything that the owner of an app can ask of it and its review. */
const everything = `query ($id: ID!) { myApp(id: $id) {
  id name status review { stage position ahead submittedAt dueAt etaP50 etaP90 }
  rejection { reasons { code field message addressed } guidance rejectedAt }
  timeline(first: 100) { edges { node { id at kind by message changes { field before after } reasons { code field message addressed } } } }
  messages { edges { node { id author text createdAt } } }
  allowedActions { action allowed code message }
  openVersion { id status revision changes { field before after } review { stage }
    allowedActions { action allowed code message } rejection { guidance } }
} }`;

describe('an app’s timeline', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());
  const mia = beforeTests(() => service.anAdministrator());

  const timelineOf = async (id: string) =>
    (
      await service.client.queryData<{ myApp: { timeline: ConnectionJson<Entry> } }>(
        everything,
        { id },
        ada.token,
      )
    ).myApp.timeline.edges.map(({ node }) => node);
  const told = ({ kind, by, message, changes }: Entry) => [
    kind,
    by,
    message,
    changes.map(({ field, before, after }) => `${field}: ${before} → ${after}`).join(', '),
  ];
  const developer = (name: Parameters<Service['client']['must']>[0], input: object) =>
    service.client.must<Json>(name, { ...input }, ada.token);
  const reviewer = (name: Parameters<Service['client']['must']>[0], input: object) =>
    service.client.must<Json>(name, { ...input }, mia.token);

  it('shows all events in order: the role, the message, the changes (D38)', async () => {
    const app = (await developer('createApp', aListing({ name: 'Story' }))) as AppJson;
    const { id, slug } = app;
    await developer('submitApp', { id });
    await reviewer('claimReview', { id });
    await reviewer('messageDeveloper', { id, text: 'Which browsers?' });
    await developer('messageReviewers', { id, text: 'All of them.' });
    const reasons = [{ code: 'INCOMPLETE', field: 'description', message: 'It says too little.' }];
    await reviewer('rejectApp', { id, revision: 1, reasons, guidance: 'Say more.' });
    await developer('updateApp', { id, description: 'It says more.' });
    await developer('addressReason', { id, reason: 0 });
    await developer('submitApp', { id });
    await developer('withdrawApp', { id });
    await developer('submitApp', { id });
    await reviewer('approveApp', { id, revision: 2, note: 'Well done.' });
    const version = await developer('createAppVersion', { appId: id, name: 'Story Two' });
    await developer('submitAppVersion', { id: version.id });
    await reviewer('approveAppVersion', { id: version.id, revision: 1 });
    await reviewer('featureApp', { id, featured: true });
    await reviewer('editApp', { id, websiteUrl: 'https://story.example', reason: 'You asked for it.' });
    await reviewer('suspendApp', { id, reason: 'A complaint.' });
    await reviewer('restoreApp', { id });

    const timeline = await timelineOf(id);
    const [dev, adm] = ['DEVELOPER', 'ADMINISTRATOR'];
    expect(timeline.map(told)).toEqual([
      ['app.created', dev, null, `status: null → DRAFT, name: null → Story, slug: null → ${slug}`],
      ['app.submitted', dev, null, 'status: DRAFT → PENDING'],
      ['review.claimed', adm, null, 'stage: QUEUED → IN_REVIEW'],
      ['review.message-received', adm, 'Which browsers?', ''],
      ['review.message-sent', dev, 'All of them.', ''],
      ['app.rejected', adm, 'Say more.', 'status: PENDING → REJECTED'],
      ['app.updated', dev, null, `description: ${app.description} → It says more., revision: 1 → 2`],
      [
        'app.reason-addressed',
        dev,
        'Addressed: It says too little.',
        'rejection.reasons.0.addressed: false → true',
      ],
      ['app.submitted', dev, null, 'status: REJECTED → PENDING'],
      ['app.withdrawn', dev, null, 'status: PENDING → DRAFT'],
      ['app.submitted', dev, null, 'status: DRAFT → PENDING'],
      ['app.approved', adm, 'Well done.', 'status: PENDING → APPROVED'],
      ['version.created', dev, null, 'status: null → DRAFT, name: null → Story Two, revision: null → 1'],
      ['version.submitted', dev, null, 'status: DRAFT → PENDING'],
      ['version.approved', adm, null, 'status: PENDING → APPROVED, name: Story → Story Two, revision: 2 → 3'],
      ['app.featured', adm, null, 'featured: false → true'],
      ['app.edited', adm, 'You asked for it.', 'websiteUrl: null → https://story.example, revision: 3 → 4'],
      ['app.suspended', adm, 'A complaint.', 'status: APPROVED → SUSPENDED'],
      ['app.restored', adm, null, 'status: SUSPENDED → APPROVED'],
    ]);
    expect(timeline[5]?.reasons).toMatchObject(reasons);
    expect(timeline.every(({ at }) => /Z$/.test(at))).toBe(true);
    expect(timeline.map(({ at }) => at)).toEqual(timeline.map(({ at }) => at).toSorted());
    expect(timeline[0]?.at).toEqual(aTime);
  });

  it('never names an administrator or an e-mail address: nothing that the owner receives does (D38)', async () => {
    const { id } = await service.anApp(ada, 'PENDING');
    const noa = await service.anAdministrator();
    await reviewer('claimReview', { id });
    await service.client.must('claimReview', { id, takeOver: true }, noa.token);
    await service.client.must('messageDeveloper', { id, text: 'Hello.' }, noa.token);
    const claimed = await service.client.call('graphql', 'releaseReview', { id }, mia.token);
    expect(claimed.code).toBe('REVIEW_CLAIMED');
    await service.client.must(
      'rejectApp',
      { id, revision: 1, reasons: [{ code: 'OTHER', message: 'No.' }], guidance: 'Mend it.' },
      noa.token,
    );
    const { app, version } = await service.aVersion(ada, 'PENDING');
    await reviewer('claimReview', { id: version.id });
    for (const each of [id, app.id]) {
      const answer = JSON.stringify(await service.client.queryData(everything, { id: each }, ada.token));
      expect(answer).toContain('review.claimed');
      for (const secret of [mia.accountUserId, noa.accountUserId, 'the-administrator', '@'])
        expect(answer).not.toContain(secret);
    }
    // The log itself knows.
    const [taken] = await service.sql<{ actor_account: string; data: { takenFrom: string } }>(
      "select actor_account, data from audit_events where app_id = $1 and data->>'takenFrom' is not null",
      [id],
    );
    expect(taken).toMatchObject({ actor_account: noa.accountUserId, data: { takenFrom: mia.accountUserId } });
  });

  it('is the app’s own: nothing of another app of the same developer', async () => {
    const [one, two] = [await service.anApp(ada), await service.anApp(ada, 'PENDING')];
    expect((await timelineOf(one.id)).map(({ kind }) => kind)).toEqual(['app.created']);
    expect((await timelineOf(two.id)).map(({ kind }) => kind)).toEqual(['app.created', 'app.submitted']);
  });
});
