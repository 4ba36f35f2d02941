import type { MailedKind } from '../../../src/modules/events/event-mail.types.js';
import { unique } from '../../support/actors.js';
import { startKeyExpiryWorker } from '../../support/workers.js';
import { type Story, theApp, toAda } from './story.js';

const dayMs = 24 * 60 * 60 * 1000;

/** Does an administrator's act to a developer. */
const decided = (
  act: 'unverifyDeveloper' | 'suspendDeveloper' | 'editDeveloper',
  input: object,
): Story['happens'] => toAda((service, { id }) => service.administer(act, { id, ...input }));

export const accountStories = {
  'developer.verified': {
    happens: toAda(),
    subject: 'You are verified',
    says: ['Welcome, Ada Lovelace', 'create API keys', 'submit apps for review'],
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
    happens: toAda(async (service, { id }) => {
      await service.administer('suspendDeveloper', { id, reason: 'Spam.' });
      await service.administer('reinstateDeveloper', { id });
    }),
    subject: 'Your suspension has ended',
    says: ['your API keys work again'],
  },
  'developer.edited': {
    happens: decided('editDeveloper', { companyName: 'King & Sons', reason: 'You asked for it.' }),
    subject: 'Your profile was edited',
    says: ['You asked for it.', 'Company', 'King'],
  },
  'developer.email_lost': {
    happens: toAda(async (service, developer) => {
      const email = `${unique('typed')}@example.org`;
      await service.client.must('updateMe', { email }, developer.token);
      const accountUserId = unique('owner');
      const token = await service.token(accountUserId, { email, emailVerified: true });
      await service.client.must('registerDeveloper', { accountUserId, name: 'Grace', email }, token);
    }),
    subject: 'Your developer account needs another e-mail address',
    says: ['Ada Lovelace', 'another account has proven', 'at the address that you used before'],
  },
  'developer.email-changed': {
    happens: toAda((service, developer) =>
      service.client.must('updateMe', { email: `${unique('new')}@example.org` }, developer.token),
    ),
    subject: 'Your e-mail address was changed',
    says: ['@example.org', 'If you did not make this change: revoke your API keys'],
  },
  'developer.updated': {
    happens: toAda((service, developer) =>
      service.client.must('updateMe', { companyName: 'Engines & Co' }, developer.key),
    ),
    subject: 'An API key changed your profile',
    says: ['“A key” (mkt_', 'Company', 'If it was not you: undo the change within 7 days'],
  },
  'developer.change_undone': {
    happens: toAda(async (service, developer) => {
      const { id, key } = await service.anIssuedKey(developer);
      await service.client.must('updateMe', { companyName: 'Engines & Sons' }, key);
      await service.client.must('revokeApiKey', { id }, developer.token);
      await service.client.must('undoKeyChanges', { keyId: id }, developer.token);
    }),
    subject: 'A change of your profile was undone',
    says: ['“A key” (mkt_', 'Company', 'have their former values again'],
  },
  'key.created': {
    happens: toAda(),
    subject: 'An API key was created',
    says: ['“A key” (mkt_', 'APP_CREATE, APP_READ', 'revoke it at once'],
  },
  'publisher.added': {
    happens: toAda(async (service, developer) => {
      const { id: appId } = await service.anApp(developer, 'DRAFT', theApp);
      const pipeline = { issuer: 'https://gitlab.com', repository: 'acme/notes', environment: 'live' };
      await service.client.must('addTrustedPublisher', { appId, ...pipeline }, developer.token);
    }),
    subject: `A pipeline may now publish ${theApp.name}`,
    says: ['acme/notes (https://gitlab.com)', 'remove the pipeline at once'],
  },
  'key.revoked': {
    happens: toAda(async (service, developer) => {
      const { id, key } = await service.anIssuedKey(developer);
      const child = { name: 'The next <one>', scopes: ['APP_READ'] };
      await service.client.must('createApiKey', child, key);
      await service.client.must('revokeApiKey', { id }, developer.token);
    }),
    subject: 'An API key was revoked',
    says: ['“A key” (mkt_', 'no longer works', 'still work', 'revoke them too', 'mkt_'],
  },
  'key.rotated': {
    happens: toAda(async (service, developer) => {
      const { id } = await service.anIssuedKey(developer);
      await service.client.must('rotateApiKey', { id }, developer.token);
    }),
    subject: 'An API key was rotated',
    says: ['“A key” (mkt_', 'replaces the former key', 'works until', 'revoke both keys at once'],
  },
  'key.leaked': {
    happens: toAda(async (service, developer) => {
      const key = await service.aKey(developer);
      await service.client.must('createApiKey', { name: 'A child', scopes: ['APP_READ'] }, key);
      await service.client.must('reportLeakedKey', { key });
    }),
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
    happens: toAda(async (service, developer) => {
      await service.sql('update api_keys set created_at = $2, expires_at = $3 where developer_id = $1', [
        developer.id,
        new Date(Date.now() - 30 * dayMs),
        new Date(Date.now() + 3 * dayMs - 60_000),
      ]);
      const worker = await startKeyExpiryWorker(service.databaseUrl);
      await worker.giveNotices();
      await worker.close();
    }),
    subject: 'Your API key “A key” expires in 3 days',
    says: ['“A key” (mkt_', 'works until', 'Rotate the key'],
  },
} satisfies Partial<Record<MailedKind, Story>>;
