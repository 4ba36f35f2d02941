import { appName, appPage, changedFields, listingPage, reasonList } from './fragment.templates.js';
import type { MailTemplates } from './mail.types.js';
import { messageFromDeveloper } from './reviewer.templates.js';

/** The mails about versions, and about messages between developers and reviewers. */
export const reviewTemplates = {
  'review.message-received': ({ appId, text }, data) => ({
    subject: `A message about ${appName(data)}`,
    heading: `A reviewer wrote to you about ${appName(data)}`,
    body: [{ label: 'Message', quote: text }],
    action: appPage(
      data,
      appId,
      'Reply to the reviewer',
      `To reply, call messageReviewers (GraphQL) with the app's id, ${appId}.`,
    ),
  }),
  'review.message-sent': (event, data) => ({
    ...messageFromDeveloper(event, data),
    because: 'you have claimed this app for review or have written a message about it',
  }),
  'version.submitted': ({ appId }, data) => ({
    subject: `We have received a new version of ${appName(data)}`,
    heading: `A new version of ${appName(data)} is in the review queue`,
    body: [
      'An administrator will review it, usually within 24 to 48 hours. We will send you the decision by e-mail.',
      'The live listing does not change until the version is approved. While it waits, you can still edit it or withdraw it.',
    ],
    action: appPage(data, appId),
  }),
  'version.approved': ({ appId, note }, data) => ({
    subject: `The new version of ${appName(data)} is approved`,
    heading: `The new version of ${appName(data)} is live`,
    body: [
      'These fields of your listing have changed:',
      { changes: changedFields(data.auditEvent) },
      ...(note ? [{ label: 'Note from the reviewer', quote: note }] : []),
    ],
    action: listingPage(data, appId),
  }),
  'version.rejected': ({ appId, versionId, reasons, guidance }, data) => ({
    subject: `The new version of ${appName(data)} needs changes`,
    body: [
      'The live listing has not changed. The reviewer found these problems:',
      reasonList(reasons),
      { label: 'Advice from the reviewer', quote: guidance },
      'What to do next: change the version and submit it again.',
    ],
    action: appPage(
      data,
      appId,
      'Change the version',
      `To change it, call updateAppVersion (GraphQL) with its id, ${versionId}; to submit it again, submitAppVersion.`,
    ),
  }),
} satisfies Partial<MailTemplates>;
