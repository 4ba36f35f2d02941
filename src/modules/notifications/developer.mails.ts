import { reference } from './mail.links.js';
import type { Templates } from './mail.templates.js';

/** The mails about a developer's account. */
export const developerMails = {
  'developer.verified': (_, subjects) => ({
    subject: 'You are verified',
    heading: `Welcome, ${subjects.developer.name}`,
    body: [
      'Your developer account has been verified.',
      'You can now create API keys, list apps and submit them for review.',
    ],
    action: reference(subjects, 'Create your first API key', 'createApiKey'),
  }),
  'developer.unverified': ({ reason }, subjects) => ({
    subject: 'Your verification was withdrawn',
    heading: 'Your verification was withdrawn',
    body: [
      'Until you are verified again, you cannot create API keys or submit apps. Your apps and keys stay as they are.',
      { label: 'The reason', quote: reason },
      'Bring your profile in order, then ask support to look at it again.',
    ],
    action: reference(subjects, 'See your profile', 'me'),
  }),
  'developer.suspended': ({ reason }, subjects) => ({
    subject: 'Your developer account is suspended',
    heading: 'Your developer account is suspended',
    body: [
      'While the suspension lasts, your API keys do not work and your apps are not public. Nothing is deleted.',
      { label: 'The reason', quote: reason },
      'Contact support if you think that this is a mistake.',
    ],
    action: reference(subjects, 'See where your account stands', 'me'),
  }),
  'developer.reinstated': (_, subjects) => ({
    subject: 'Your suspension has ended',
    heading: 'Your suspension has ended',
    body: [
      'Your account is what it was before: your API keys work again, and your approved apps are public again.',
    ],
    action: reference(subjects, 'See where your account stands', 'me'),
  }),
  'developer.email-changed': (_, subjects) => ({
    subject: 'Your e-mail address was changed',
    heading: 'Your e-mail address was changed',
    body: [
      `What we have to tell you now goes to ${subjects.developer.email}. This is the last mail to this address.`,
      'If it was not you: revoke your API keys at once, and contact support.',
    ],
    action: reference(subjects, 'How to revoke a key', 'revokeApiKey'),
  }),
} satisfies Partial<Templates>;
