import type { RejectionReason } from '../apps/rejection.types.js';
import { differences } from './mail.difference.js';
import { appName, graphql, listing, reference } from './mail.links.js';
import type { Templates } from './mail.templates.js';

/** Every reason of a rejection with its field, for the developer to go through one by one. */
export const reasonPoints = (reasons: readonly RejectionReason[]) => ({
  points: reasons.map(({ code, field, message }) => ({
    label: field ?? 'The app as a whole',
    tag: code,
    text: message,
  })),
});

/** The mails about versions, and about what a reviewer writes. */
export const reviewMails = {
  'review.message-received': ({ appId, text }, subjects) => ({
    subject: `A message about ${appName(subjects)}`,
    heading: `A reviewer wrote to you about ${appName(subjects)}`,
    body: [
      { label: 'The message', quote: text },
      `To answer, call messageReviewers (GraphQL) with the app's id, ${appId}.`,
    ],
    action: reference(subjects, 'See where the app stands', 'myApp'),
  }),
  'review.message-sent': ({ appId, text }, subjects) => ({
    subject: `${subjects.developer.name} wrote about ${appName(subjects)}`,
    heading: `${subjects.developer.name} wrote about ${appName(subjects)}`,
    body: [
      { label: 'The message', quote: text },
      `To answer, call messageDeveloper (GraphQL) with the app's id, ${appId}.`,
    ],
    action: graphql(subjects, 'Open the review queue', 'admin'),
    because: 'you have claimed this app for review, or written about it',
  }),
  'version.submitted': (_, subjects) => ({
    subject: `We have received a new version of ${appName(subjects)}`,
    heading: `A new version of ${appName(subjects)} is in the queue`,
    body: [
      'An administrator will look at it, usually within 24 to 48 hours. You will hear from us either way.',
      'The live listing stays as it is until the version is approved. While it waits, you can still edit it, or withdraw it.',
    ],
    action: listing(subjects, 'See the live listing'),
  }),
  'version.approved': (_, subjects) => ({
    subject: `The new version of ${appName(subjects)} is approved`,
    heading: `The new version of ${appName(subjects)} is live`,
    body: ['This is what changed in your listing:', { changes: differences(subjects.record) }],
    action: listing(subjects, 'See it live'),
  }),
  'version.rejected': ({ versionId, reasons, guidance }, subjects) => ({
    subject: `The new version of ${appName(subjects)} needs changes`,
    heading: `The new version of ${appName(subjects)} was not approved yet`,
    body: [
      'The live listing stays as it is. This is what stands in the way:',
      reasonPoints(reasons),
      { label: 'What the reviewer advises', quote: guidance },
      `What to do next: change the version (updateAppVersion in GraphQL) and submit it again (submitAppVersion). Its id is ${versionId}.`,
    ],
    action: listing(subjects, 'See the live listing'),
  }),
} satisfies Partial<Templates>;
