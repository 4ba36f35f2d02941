import type { EventOf } from '../events/event.types.js';
import type { ReviewerEvent } from '../events/published-event.types.js';
import { appName, formatTime, pageOr, pictureList, reviewPage } from './fragment.templates.js';
import type { MailContent, MailDraft, ReviewerTemplateData, ReviewerTemplates } from './mail.types.js';

/** Completes "You receive this e-mail because …". */
export const reviewersBecause = 'this address is set to be told about reviews of the marketplace';

const developerName = ({ developer }: ReviewerTemplateData) => developer?.name ?? 'A developer';

const openReview = (data: ReviewerTemplateData, appId: string) =>
  reviewPage(
    data,
    appId,
    'Open the review',
    `To review it, call claimReview (GraphQL) with its id, ${appId}; reviewQueue lists what waits.`,
  );

const submitted = (
  { appId, resubmission }: { appId: string; resubmission: boolean },
  data: ReviewerTemplateData,
  [article, name]: [string, string],
): MailDraft => {
  const again = resubmission ? ' again' : '';
  return {
    subject: `${article}${name} was submitted${again}`,
    heading: `${developerName(data)} submitted ${article.toLowerCase()}${name}${again}`,
    body: ['It waits for review.'],
    action: openReview(data, appId),
  };
};

/** The mail about a message, to the administrators who review the app and to the addresses of REVIEWERS_EMAIL. */
export const messageFromDeveloper = (
  { appId, text }: EventOf<'review.message-sent'>,
  data: ReviewerTemplateData,
): MailDraft => ({
  subject: `${developerName(data)} wrote about ${appName(data)}`,
  body: [{ label: 'Message', quote: text }],
  action: reviewPage(
    data,
    appId,
    'Reply to the developer',
    `To reply, call messageDeveloper (GraphQL) with the app's id, ${appId}.`,
  ),
});

const templates: ReviewerTemplates = {
  'app.submitted': (event, data) => submitted(event, data, ['', appName(data)]),
  'version.submitted': (event, data) => submitted(event, data, ['A ', `new version of ${appName(data)}`]),
  'review.message-sent': messageFromDeveloper,
  'app.pictures_changed': ({ appId, pictures }, data) => ({
    subject: `Pictures of ${appName(data)} are not those that were reviewed`,
    body: [
      `${developerName(data)} or their server has changed pictures of a public app since its review:`,
      pictureList(pictures),
      'Look at the listing. If it deceives or harms users, take it down.',
    ],
    action: reviewPage(
      data,
      appId,
      'Open the app',
      `To see what was found, call adminApp (GraphQL) with its id, ${appId}.`,
    ),
  }),
  'review.overdue': ({ appId, versionId, dueAt }, data) => {
    const name = versionId === null ? appName(data) : `the new version of ${appName(data)}`;
    return {
      subject: `Overdue: ${name}`,
      heading: `The review of ${name} is overdue`,
      body: [`It was due on ${formatTime(new Date(dueAt))} and is still waiting.`],
      action: openReview(data, appId),
    };
  },
  'webhook.disabled': ({ endpointId, host, reason }, { portal }) => ({
    subject: `The administration's webhook to ${host} was disabled`,
    heading: 'A webhook endpoint of the administration was disabled',
    body: [
      `Events about reviews are no longer sent to ${host}.`,
      { label: 'Reason', quote: reason },
      `Fix the receiver, then call testAdminWebhook and enableAdminWebhook (GraphQL) with the endpoint's id, ${endpointId}.`,
    ],
    action: pageOr(
      portal.adminWebhooks,
      { id: endpointId },
      'See the endpoint',
      'To see the endpoints, call adminWebhooks (GraphQL).',
    ),
  }),
};

/** Writes the content of the mail to the reviewers about an event. */
export function composeReviewerMail(event: ReviewerEvent, data: ReviewerTemplateData): MailContent {
  // The kind selects the template that takes this event, but TypeScript cannot infer that.
  const template = templates[event.kind] as (event: ReviewerEvent, data: ReviewerTemplateData) => MailDraft;
  const draft = template(event, data);
  return { because: reviewersBecause, heading: draft.subject, ...draft };
}
