import { referenceLink } from './fragment.templates.js';
import type { MailTemplates } from './mail.types.js';

/** The mails about a developer's account. */
export const developerTemplates = {
  'developer.verified': (_, data) => ({
    subject: 'You are verified',
    heading: `Welcome, ${data.developer.name}`,
    body: [
      'Your developer account has been verified.',
      'You can now create API keys and submit apps for review.',
    ],
    action: referenceLink(data, 'Create your first API key', 'createApiKey'),
  }),
  'developer.unverified': ({ reason }, data) => ({
    subject: 'Your verification was withdrawn',
    heading: 'Your verification was withdrawn',
    body: [
      'Until you are verified again, you cannot create API keys or submit apps. Your existing apps and keys do not change.',
      { label: 'Reason', quote: reason },
      'Correct your profile, then ask support to check it again.',
    ],
    action: referenceLink(data, 'See your profile', 'me'),
  }),
  'developer.suspended': ({ reason }, data) => ({
    subject: 'Your developer account is suspended',
    heading: 'Your developer account is suspended',
    body: [
      'During the suspension your API keys do not work and your apps are not public. Nothing is deleted.',
      { label: 'Reason', quote: reason },
      'Contact support if you think that this is a mistake.',
    ],
    action: referenceLink(data, 'See your account status', 'me'),
  }),
  'developer.reinstated': (_, data) => ({
    subject: 'Your suspension has ended',
    heading: 'Your suspension has ended',
    body: [
      'Your account is as it was before: your API keys work again, and your approved apps are public again.',
    ],
    action: referenceLink(data, 'See your account status', 'me'),
  }),
  'developer.email-changed': (_, data) => ({
    subject: 'Your e-mail address was changed',
    heading: 'Your e-mail address was changed',
    body: [
      `From now on we send your e-mails to ${data.developer.email}. This is the last one to this address.`,
      'If you did not make this change: revoke your API keys at once, and contact support.',
    ],
    action: referenceLink(data, 'How to revoke a key', 'revokeApiKey'),
  }),
} satisfies Partial<MailTemplates>;
