import { developerPage, keysPage, newKeyPage } from './fragment.templates.js';
import type { MailTemplates, TemplateData } from './mail.types.js';

const accountPage = (data: TemplateData, developerId: string) =>
  developerPage(
    data,
    developerId,
    'See your account status',
    'To see your account status, call me (GraphQL) with your account token.',
  );

/** The mails about a developer's account. */
export const developerTemplates = {
  'developer.verified': (_, data) => ({
    subject: 'You are verified',
    heading: `Welcome, ${data.developer.name}`,
    body: [
      'Your developer account has been verified.',
      'You can now create API keys and submit apps for review.',
    ],
    action: newKeyPage(data, 'Create your first API key'),
  }),
  'developer.unverified': ({ developerId, reason }, data) => ({
    subject: 'Your verification was withdrawn',
    heading: 'Your verification was withdrawn',
    body: [
      'Until you are verified again, you cannot create API keys or submit apps. Your existing apps and keys do not change.',
      { label: 'Reason', quote: reason },
      'Correct your profile, then ask support to check it again.',
    ],
    action: developerPage(
      data,
      developerId,
      'See your profile',
      'To change your profile, call updateMe (GraphQL), or PUT /api/dev/me.',
    ),
  }),
  'developer.suspended': ({ developerId, reason }, data) => ({
    subject: 'Your developer account is suspended',
    heading: 'Your developer account is suspended',
    body: [
      'During the suspension your API keys do not work and your apps are not public. Nothing is deleted.',
      { label: 'Reason', quote: reason },
      'Contact support if you think that this is a mistake.',
    ],
    action: accountPage(data, developerId),
  }),
  'developer.reinstated': ({ developerId }, data) => ({
    subject: 'Your suspension has ended',
    heading: 'Your suspension has ended',
    body: [
      'Your account is as it was before: your API keys work again, and your approved apps are public again.',
    ],
    action: accountPage(data, developerId),
  }),
  'developer.email-changed': (_, data) => ({
    subject: 'Your e-mail address was changed',
    heading: 'Your e-mail address was changed',
    body: [
      `From now on we send your e-mails to ${data.developer.email}. This is the last one to this address.`,
      'If you did not make this change: revoke your API keys at once, and contact support.',
    ],
    action: keysPage(
      data,
      'See your API keys',
      'To revoke a key, call revokeApiKey (GraphQL), or DELETE /api/dev/api-keys/:id; myApiKeys lists them.',
    ),
  }),
} satisfies Partial<MailTemplates>;
