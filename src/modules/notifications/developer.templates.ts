import { fieldLabel } from './field-label.rules.js';
import {
  changedFields,
  developerPage,
  formatTime,
  keyChangesPage,
  keyName,
  keysPage,
  newKeyPage,
} from './fragment.templates.js';
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
    body: [
      'During the suspension your API keys do not work and your apps are not public. Nothing is deleted.',
      { label: 'Reason', quote: reason },
      'Contact support if you think that this is a mistake.',
    ],
    action: accountPage(data, developerId),
  }),
  'developer.reinstated': ({ developerId }, data) => ({
    subject: 'Your suspension has ended',
    body: [
      'Your account is as it was before: your API keys work again, and your approved apps are public again.',
    ],
    action: accountPage(data, developerId),
  }),
  'developer.updated': ({ changed }, data) => ({
    subject: 'An API key changed your profile',
    body: [
      `${madeBy(data)} These fields have new values: ${changed?.map(fieldLabel).join(', ') ?? ''}.`,
      { changes: changedFields(data.auditEvent) },
      ...undoAdvice(data),
    ],
    action: undoOrKeys(data),
  }),
  'developer.edited': ({ developerId, reason }, data) => ({
    subject: 'Your profile was edited',
    body: [
      'An administrator has changed your developer profile.',
      { label: 'Reason', quote: reason },
      { changes: changedFields(data.auditEvent) },
      'Contact support if you think that this is a mistake.',
    ],
    action: developerPage(
      data,
      developerId,
      'See your profile',
      'To see your profile, call me (GraphQL) with your account token, or GET /api/dev/me.',
    ),
  }),
  'developer.email_lost': ({ developerId }, data) => ({
    subject: 'Your developer account needs another e-mail address',
    heading: 'Your account needs another e-mail address',
    body: [
      `The developer account “${data.developer.name}” has no e-mail address any more: another account has proven that the address is its own.`,
      'You get this e-mail at the address that you used before. Give the account another address. Until then you get no e-mails and cannot submit apps; all else works as before.',
    ],
    action: developerPage(
      data,
      developerId,
      'Give another address',
      'To give another address, call updateMe (GraphQL), or PUT /api/dev/me.',
    ),
  }),
  'developer.email-changed': (_, data) => ({
    subject: 'Your e-mail address was changed',
    body: data.isPresentAddress
      ? [
          'From now on we send your e-mails to this address.',
          'If you do not know why you receive this: contact support.',
        ]
      : [
          `From now on we send your e-mails to ${data.developer.email}.`,
          ...(data.key
            ? [
                madeBy(data),
                { changes: changedFields(data.auditEvent) },
                ...undoAdvice(data),
                'For 30 days, mails about the security of your account are sent to this address too.',
              ]
            : [
                'This is the last one to this address.',
                'If you did not make this change: revoke your API keys at once, and contact support.',
              ]),
        ],
    action: undoOrKeys(data),
  }),
  'developer.change_undone': ({ keyId, emailTaken }, data) => ({
    subject: 'A change of your profile was undone',
    body: [
      `The API key ${keyName(data)} had changed your profile. These fields have their former values again:`,
      { changes: changedFields(data.auditEvent) },
      ...(emailTaken
        ? [
            'The former e-mail address could not be restored, because another developer uses it now. Set another one in your profile.',
          ]
        : []),
    ],
    action: keyChangesPage(data, keyId, 'See what else was done with the key'),
  }),
} satisfies Partial<MailTemplates>;

/** Says which key made a change, and when. */
const madeBy = (data: TemplateData): string =>
  `The API key ${keyName(data)} made this change on ${formatTime(data.auditEvent.createdAt)}.`;

const undoAdvice = ({ undoUrl }: TemplateData): string[] => [
  undoUrl === null
    ? 'If it was not you: the links in our first e-mails about changes by this key undo this one too, within 7 days. They restore the former values, and revoke the key and all keys that were created with it.'
    : 'If it was not you: undo the change within 7 days. This restores the former values, and revokes the key and all keys that were created with it.',
];

/** The link that undoes the change, or the page of the keys in a mail without one. */
const undoOrKeys = (data: TemplateData) =>
  data.undoUrl === null
    ? keysPage(
        data,
        'See your API keys',
        'To revoke a key, call revokeApiKey (GraphQL), or DELETE /api/dev/api-keys/:id; myApiKeys lists them.',
      )
    : { label: 'Undo this change', url: data.undoUrl };
