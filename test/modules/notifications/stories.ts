import type { MailedKind } from '../../../src/modules/audit/event.types.js';
import { aRejection, type Developer, unique } from '../../support/actors.js';
import { startKeyExpiryWorker } from '../../support/key-expiry.js';
import type { Service } from '../../support/service.js';
import { startReceiver } from '../webhooks/receiver.js';

/** How it comes to a mail, and what the mail must say. */
interface Story {
  /** Makes it happen, and answers who gets the mail. */
  happens(service: Service): Promise<string>;
  subject: string | Promise<string>;
  /** Words that stand in the text and in the HTML. */
  says: string[];
}

/** Somebody's server, which the stories' service may send webhooks to. */
const receiver = startReceiver();
export const storyOptions = async () => ({ webhooks: { allowedHosts: [(await receiver).host] } });

const ada = (service: Service) => service.aDeveloper({ name: 'Ada Lovelace' });
const theApp = { name: 'Zähler ✓ 数' };
const dayMs = 24 * 60 * 60 * 1000;

/** Does an administrator's act to a developer. */
const decided =
  (act: 'unverifyDeveloper' | 'suspendDeveloper' | 'reinstateDeveloper', input: object = {}, first?: Act) =>
  async (service: Service) => {
    const developer = await ada(service);
    await first?.(service, developer);
    await service.doors.must(act, { id: developer.id, ...input }, await service.admin());
    return developer.email;
  };
type Act = (service: Service, developer: Developer) => Promise<unknown>;
const suspended: Act = async (service, { id }) =>
  service.doors.must('suspendDeveloper', { id, reason: 'Spam.' }, await service.admin());

/** Submits a version of a live app, and decides on it. */
const aVersionIs =
  (act?: 'approveAppVersion' | 'rejectAppVersion', decision: object = {}) =>
  async (service: Service) => {
    const developer = await ada(service);
    const app = await service.anApp(developer, 'APPROVED', { ...theApp, description: 'It counst.' });
    const input = { appId: app.id, description: 'It counts.' };
    const { id } = await service.doors.must<{ id: string }>('createAppVersion', input, developer.token);
    await service.doors.must('submitAppVersion', { id }, developer.token);
    if (act) await service.doors.must(act, { id, ...decision }, await service.admin());
    return developer.email;
  };

/** Lets a webhook's endpoint say that it is gone for good. */
const aWebhookIsGone = async (service: Service) => {
  const developer = await ada(service);
  const { url } = (await receiver).address((response) => response.writeHead(410).end());
  await service.doors.must('createWebhookEndpoint', { url }, developer.token);
  await service.aKey(developer);
  return developer.email;
};

/** Creates a webhook endpoint, and does something to it. */
const aWebhookIs =
  (act?: 'updateWebhookEndpoint' | 'deleteWebhookEndpoint' | 'rotateWebhookSecret', input: object = {}) =>
  async (service: Service) => {
    const developer = await ada(service);
    const { id } = await anEndpoint(service, developer);
    if (act) await service.doors.must(act, { id, ...input }, developer.token);
    return developer.email;
  };
const anEndpoint = (service: Service, developer: Developer) =>
  service.doors.must<{ id: string }>(
    'createWebhookEndpoint',
    { url: 'https://hooks.example/a-secret-path', events: ['app.approved', 'app.rejected'] },
    developer.token,
  );

/** One for every mail there is: a new one does not compile without its story. */
export const stories: Record<MailedKind, Story> = {
  'developer.verified': {
    happens: async (service) => (await ada(service)).email,
    subject: 'You are verified',
    says: ['Welcome, Ada Lovelace', 'create API keys', 'submit them for review'],
  },
  'developer.unverified': {
    happens: decided('unverifyDeveloper', { reason: 'The website is gone.' }),
    subject: 'Your verification was withdrawn',
    says: ['The website is gone.', 'ask support'],
  },
  'developer.suspended': {
    happens: decided('suspendDeveloper', { reason: 'It sent spam.' }),
    subject: 'Your developer account is suspended',
    says: ['It sent spam.', 'your API keys do not work', 'support'],
  },
  'developer.reinstated': {
    happens: decided('reinstateDeveloper', {}, suspended),
    subject: 'Your suspension has ended',
    says: ['your API keys work again'],
  },
  'developer.email-changed': {
    happens: async (service) => {
      const developer = await ada(service);
      await service.doors.must('updateMe', { email: `${unique('new')}@example.org` }, developer.token);
      return developer.email;
    },
    subject: 'Your e-mail address was changed',
    says: ['@example.org', 'If you did not make this change: revoke your API keys'],
  },
  'key.created': {
    happens: async (service) => (await ada(service)).email,
    subject: 'An API key was created',
    says: ['“A key” (mkt_', 'APP_CREATE, APP_READ', 'revoke it at once'],
  },
  'key.revoked': {
    happens: async (service) => {
      const developer = await ada(service);
      const { id, key } = await service.anIssuedKey(developer);
      const child = { name: 'The next <one>', scopes: ['APP_READ'] };
      await service.doors.must('createApiKey', child, key);
      await service.doors.must('revokeApiKey', { id }, developer.token);
      return developer.email;
    },
    subject: 'An API key was revoked',
    says: ['“A key” (mkt_', 'no longer works', 'still work', 'revoke them too', 'mkt_'],
  },
  'key.rotated': {
    happens: async (service) => {
      const developer = await ada(service);
      const { id } = await service.anIssuedKey(developer);
      await service.doors.must('rotateApiKey', { id }, developer.token);
      return developer.email;
    },
    subject: 'An API key was rotated',
    says: ['“A key” (mkt_', 'replaces the former key', 'works until', 'revoke both keys at once'],
  },
  'key.leaked': {
    happens: async (service) => {
      const developer = await ada(service);
      const key = await service.aKey(developer);
      await service.doors.must('createApiKey', { name: 'A child', scopes: ['APP_READ'] }, key);
      await service.doors.must('reportLeakedKey', { key });
      return developer.email;
    },
    subject: 'One of your API keys was found in public and has been revoked',
    says: [
      '“A key” (mkt_',
      'no longer works',
      'remove the old key from where it was found',
      'have been revoked too',
      'A child',
    ],
  },
  'key.expiring': {
    happens: async (service) => {
      const developer = await ada(service);
      await service.sql('update api_keys set created_at = $2, expires_at = $3 where developer_id = $1', [
        developer.id,
        new Date(Date.now() - 30 * dayMs),
        new Date(Date.now() + 3 * dayMs - 60_000),
      ]);
      const worker = await startKeyExpiryWorker(service.databaseUrl);
      await worker.giveNotices();
      await worker.close();
      return developer.email;
    },
    subject: 'Your API key “A key” expires in 3 days',
    says: ['“A key” (mkt_', 'works until', 'Create a new key'],
  },
  'app.submitted': {
    happens: async (service) => {
      const developer = await ada(service);
      await service.anApp(developer, 'PENDING', theApp);
      return developer.email;
    },
    subject: 'We have received “Zähler ✓ 数”',
    says: ['within 24 to 48 hours', 'withdraw it'],
  },
  'app.approved': {
    happens: async (service) => {
      const developer = await ada(service);
      const { id, revision } = await service.anApp(developer, 'PENDING', theApp);
      const input = { id, revision, note: 'A fine app.' };
      await service.doors.must('approveApp', input, await service.admin());
      return developer.email;
    },
    subject: '“Zähler ✓ 数” is approved',
    says: ['approved and public', 'A fine app.', 'See the live listing'],
  },
  'app.rejected': {
    happens: async (service) => {
      const developer = await ada(service);
      const { id, revision } = await service.anApp(developer, 'PENDING', theApp);
      const reasons = [
        { code: 'IMAGE_QUALITY', field: 'screenshots.0.url', message: 'It is blurred.' },
        { code: 'BROKEN_LINK', field: 'websiteUrl', message: 'It answers 404.' },
        { code: 'POLICY', message: 'It asks for money twice.' },
      ];
      const input = { id, revision, reasons, guidance: 'Mend all three, then write to us.' };
      await service.doors.must('rejectApp', input, await service.admin());
      return developer.email;
    },
    subject: '“Zähler ✓ 数” needs changes',
    says: [
      ...['found 3 problems', 'screenshots.0.url', 'IMAGE_QUALITY', 'It is blurred.'],
      ...['websiteUrl', 'BROKEN_LINK', 'It answers 404.', 'POLICY', 'It asks for money twice.'],
      ...['Mend all three, then write to us.', 'What to do next', 'submit it again', '/submit'],
    ],
  },
  'app.suspended': {
    happens: async (service) => {
      const developer = await ada(service);
      await service.anApp(developer, 'SUSPENDED', theApp);
      return developer.email;
    },
    subject: '“Zähler ✓ 数” was taken down',
    says: ['It misbehaves.', 'no longer public'],
  },
  'app.restored': {
    happens: async (service) => {
      const developer = await ada(service);
      const { id } = await service.anApp(developer, 'SUSPENDED', theApp);
      await service.doors.must('restoreApp', { id }, await service.admin());
      return developer.email;
    },
    subject: '“Zähler ✓ 数” is public again',
    says: ['restored your app'],
  },
  'app.edited': {
    happens: async (service) => {
      const developer = await ada(service);
      const { id } = await service.anApp(developer, 'APPROVED', { ...theApp, description: 'It counst.' });
      const changes = { description: 'It counts.', websiteUrl: 'https://ada.example' };
      const input = { id, ...changes, screenshots: theScreenshots, reason: 'A slip of the pen.' };
      await service.doors.must('editApp', input, await service.admin());
      return developer.email;
    },
    subject: '“Zähler ✓ 数” was edited by an administrator',
    says: [
      ...['A slip of the pen.', 'description', 'It counst.', 'It counts.', 'websiteUrl', '(nothing)'],
      ...[
        'https://ada.example',
        'https://pictures.example/one.png',
        'https://pictures.example/three.png (3)',
      ],
    ],
  },
  'review.message-received': {
    happens: async (service) => {
      const developer = await ada(service);
      const { id } = await service.anApp(developer, 'PENDING', theApp);
      await service.doors.must(
        'messageDeveloper',
        { id, text: 'Which chat is it for?' },
        await service.admin(),
      );
      return developer.email;
    },
    subject: 'A message about “Zähler ✓ 数”',
    says: ['Which chat is it for?', 'messageReviewers'],
  },
  'review.message-sent': {
    happens: async (service) => {
      const developer = await ada(service);
      const { id } = await service.anApp(developer, 'PENDING', theApp);
      const reviewer = await service.anAdministrator();
      await service.doors.must('claimReview', { id }, reviewer.token);
      await service.doors.must('messageReviewers', { id, text: 'It is for the team chat.' }, developer.token);
      return reviewer.email;
    },
    subject: 'Ada Lovelace wrote about “Zähler ✓ 数”',
    says: ['It is for the team chat.', 'messageDeveloper', 'you have claimed this app for review'],
  },
  'version.submitted': {
    happens: aVersionIs(),
    subject: 'We have received a new version of “Zähler ✓ 数”',
    says: ['24 to 48 hours', 'The live listing does not change'],
  },
  'version.approved': {
    happens: aVersionIs('approveAppVersion', { revision: 1 }),
    subject: 'The new version of “Zähler ✓ 数” is approved',
    says: ['description', 'It counst.', 'It counts.'],
  },
  'version.rejected': {
    happens: aVersionIs('rejectAppVersion', aRejection(1)),
    subject: 'The new version of “Zähler ✓ 数” needs changes',
    says: [
      'It says too little.',
      'description',
      'INCOMPLETE',
      'Say what it does.',
      'submitAppVersion',
      'Its id is',
    ],
  },
  'webhook.created': {
    happens: aWebhookIs(),
    subject: 'A webhook to hooks.example was created',
    says: [
      'app.approved, app.rejected',
      'If you did not do this: delete the endpoint',
      'deleteWebhookEndpoint',
    ],
  },
  'webhook.updated': {
    happens: aWebhookIs('updateWebhookEndpoint', { url: 'https://other.example/', description: 'Mine' }),
    subject: 'Your webhook to other.example was changed',
    says: [
      'url, description',
      'hooks.example',
      'other.example',
      'Mine',
      '(nothing)',
      'If you did not do this',
    ],
  },
  'webhook.deleted': {
    happens: aWebhookIs('deleteWebhookEndpoint'),
    subject: 'Your webhook to hooks.example was deleted',
    says: ['no longer send events to hooks.example', 'If you did not do this: revoke your API keys'],
  },
  'webhook.secret-rotated': {
    happens: aWebhookIs('rotateWebhookSecret'),
    subject: 'Your webhook to hooks.example has a new secret',
    says: ['signed with a new secret', 'Until', 'If you did not do this: call rotateWebhookSecret'],
  },
  'webhook.enabled': {
    happens: async (service) => {
      const developer = await ada(service);
      const { id } = await anEndpoint(service, developer);
      await service.sql(
        "update webhook_endpoints set disabled_at = now(), disabled_reason = 'Gone.' where id = $1",
        [id],
      );
      await service.doors.must('enableWebhookEndpoint', { id }, developer.token);
      return developer.email;
    },
    subject: 'Your webhook to hooks.example was enabled again',
    says: ['send events to hooks.example again', 'If you did not do this: delete the endpoint'],
  },
  'webhook.disabled': {
    happens: aWebhookIsGone,
    subject: receiver.then(({ host }) => `Your webhook to ${host} was disabled`),
    says: ['410', 'enableWebhookEndpoint (GraphQL) with the endpoint'],
  },
};

const theScreenshots = [
  { url: 'https://pictures.example/one.png' },
  { url: 'https://pictures.example/three.png', caption: '3' },
];
