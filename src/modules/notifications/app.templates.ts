import {
  appName,
  appNameFirst,
  appPage,
  changedFields,
  listingPage,
  pictureList,
  reasonList,
} from './fragment.templates.js';
import type { MailTemplates } from './mail.types.js';

/** The mails about apps. */
export const appTemplates = {
  'app.submitted': ({ appId }, data) => ({
    subject: `We have received ${appName(data)}`,
    heading: `${appNameFirst(data)} is in the review queue`,
    body: [
      'An administrator will review it, usually within 24 to 48 hours. We will send you the decision by e-mail.',
      'While it waits, you can still edit it or withdraw it.',
    ],
    action: appPage(data, appId),
  }),
  'app.approved': ({ appId, note }, data) => ({
    subject: `${appNameFirst(data)} is approved`,
    heading: `${appNameFirst(data)} is approved and public`,
    body: [
      'Everyone can now find it and install it.',
      ...(note ? [{ label: 'Note from the reviewer', quote: note }] : []),
    ],
    action: listingPage(data, appId),
  }),
  'app.rejected': ({ appId, reasons, guidance }, data) => ({
    subject: `${appNameFirst(data)} needs changes`,
    body: [
      reasons.length === 1
        ? 'The reviewer found one problem:'
        : `The reviewer found ${reasons.length} problems. This is the complete list:`,
      reasonList(reasons),
      { label: 'Advice from the reviewer', quote: guidance },
      'What to do next: change the app and submit it again. You do not need to create a new app.',
    ],
    action: appPage(
      data,
      appId,
      'Change the app',
      `To change it, call updateApp (GraphQL), or PUT /api/dev/apps/${appId}. To submit it again, call submitApp, or POST /api/dev/apps/${appId}/submit.`,
    ),
  }),
  'app.suspended': ({ appId, reason }, data) => ({
    subject: `${appNameFirst(data)} was taken down`,
    body: [
      'An administrator has taken your app down. It is no longer public. Its address and its install count are not lost.',
      { label: 'Reason', quote: reason },
      'Contact support when the problem is fixed, or if you think that this is a mistake.',
    ],
    action: appPage(data, appId),
  }),
  'app.restored': ({ appId }, data) => ({
    subject: `${appNameFirst(data)} is public again`,
    body: ['An administrator has restored your app. Its address and its install count have not changed.'],
    action: listingPage(data, appId),
  }),
  'app.edited': ({ appId, reason }, data) => ({
    subject: `${appNameFirst(data)} was edited by an administrator`,
    body: [
      'These fields of your listing have changed:',
      { changes: changedFields(data.auditEvent) },
      { label: 'Reason', quote: reason },
      'Contact support if something is wrong with the change.',
    ],
    action: listingPage(data, appId),
  }),
  'app.pictures_changed': ({ appId, pictures }, data) => ({
    subject: `Pictures of ${appName(data)} are not those that were reviewed`,
    body: [
      'We fetch the pictures of public apps from time to time. These differ from what was reviewed:',
      pictureList(pictures),
      'What to do next: restore the pictures that were reviewed, or submit a new version with the new ones. The reviewers are told too.',
    ],
    action: appPage(data, appId),
  }),
} satisfies Partial<MailTemplates>;
