import { differences } from './mail.difference.js';
import { appName, appNameFirst, listing, reference } from './mail.links.js';
import type { Templates } from './mail.templates.js';
import { reasonPoints } from './review.mails.js';

/** The mails about apps. */
export const appMails = {
  'app.submitted': (_, subjects) => ({
    subject: `We have received ${appName(subjects)}`,
    heading: `${appNameFirst(subjects)} is in the queue`,
    body: [
      'An administrator will look at it, usually within 24 to 48 hours. You will hear from us either way.',
      'While it waits, you can still edit it, or withdraw it.',
    ],
    action: reference(subjects, 'See where it stands', 'myApp'),
  }),
  'app.approved': ({ note }, subjects) => ({
    subject: `${appNameFirst(subjects)} is approved`,
    heading: `${appNameFirst(subjects)} is approved and public`,
    body: [
      'Everybody can find and install it as of now.',
      ...(note ? [{ label: 'A word from the reviewer', quote: note }] : []),
    ],
    action: listing(subjects, 'See it live'),
  }),
  'app.rejected': ({ appId, reasons, guidance }, subjects) => ({
    subject: `${appNameFirst(subjects)} needs changes`,
    heading: `${appNameFirst(subjects)} was not approved yet`,
    body: [
      reasons.length === 1
        ? 'One thing stands in the way:'
        : `${reasons.length} things stand in the way; these are all of them:`,
      reasonPoints(reasons),
      { label: 'What the reviewer advises', quote: guidance },
      'What to do next: change the app and submit it again. There is no need to start over.',
      {
        points: [
          { label: 'Change it', text: `updateApp, or PUT /api/dev/apps/${appId}` },
          { label: 'Submit it again', text: `submitApp, or POST /api/dev/apps/${appId}/submit` },
        ],
      },
    ],
    action: reference(subjects, 'How to change the app', 'updateApp'),
  }),
  'app.suspended': ({ reason }, subjects) => ({
    subject: `${appNameFirst(subjects)} was taken down`,
    heading: `${appNameFirst(subjects)} was taken down`,
    body: [
      'An administrator has taken your app down. It is no longer public; its installs and its address are kept.',
      { label: 'The reason', quote: reason },
      'Contact support once this is mended, or if you think that it is a mistake.',
    ],
    action: reference(subjects, 'See where it stands', 'myApp'),
  }),
  'app.restored': (_, subjects) => ({
    subject: `${appNameFirst(subjects)} is public again`,
    heading: `${appNameFirst(subjects)} is public again`,
    body: ['An administrator has restored your app. Its address and its installs are what they were.'],
    action: listing(subjects, 'See it live'),
  }),
  'app.edited': ({ reason }, subjects) => ({
    subject: `${appNameFirst(subjects)} was edited by an administrator`,
    heading: `${appNameFirst(subjects)} was edited by an administrator`,
    body: [
      'This is what changed in your listing:',
      { changes: differences(subjects.record) },
      { label: 'The reason', quote: reason },
      'Contact support if something is not as it should be.',
    ],
    action: listing(subjects, 'See the listing'),
  }),
} satisfies Partial<Templates>;
