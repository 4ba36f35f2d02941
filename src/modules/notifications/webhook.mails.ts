import { differences } from './mail.difference.js';
import { graphql, moment } from './mail.links.js';
import type { MailSubjects, Templates } from './mail.templates.js';

const open = (subjects: MailSubjects) => graphql(subjects, 'Open the marketplace', 'developer');

/** The advice of every change that a stolen key could make. */
const ifNotYou = (endpointId: string) =>
  `If it was not you: delete the endpoint (deleteWebhookEndpoint in GraphQL, with its id, ${endpointId}) and revoke your API keys.`;

/** The mails about webhook endpoints. Of an address only the host is mailed: many addresses hold a secret. */
export const webhookMails = {
  'webhook.created': ({ endpointId, host }, subjects) => ({
    subject: `A webhook to ${host} was created`,
    heading: 'A webhook endpoint was created',
    body: [
      `From now on we send events of your account to ${host}: ${listOf(subjects.record.after?.events)}.`,
      ifNotYou(endpointId),
    ],
    action: open(subjects),
  }),
  'webhook.updated': ({ endpointId, host, changed }, subjects) => ({
    subject: `Your webhook to ${host} was changed`,
    heading: 'A webhook endpoint was changed',
    body: [
      `These fields of your endpoint have new values: ${changed.join(', ')}.`,
      { changes: differences(subjects.record).filter(({ before, after }) => before !== after) },
      ifNotYou(endpointId),
    ],
    action: open(subjects),
  }),
  'webhook.deleted': ({ host }, subjects) => ({
    subject: `Your webhook to ${host} was deleted`,
    heading: 'A webhook endpoint was deleted',
    body: [
      `We no longer send events to ${host}. The delivery log of the endpoint is deleted too; the events are still in the events feed.`,
      'If it was not you: revoke your API keys, and create the endpoint again.',
    ],
    action: open(subjects),
  }),
  'webhook.secret-rotated': ({ endpointId, host, formerUntil }, subjects) => ({
    subject: `Your webhook to ${host} has a new secret`,
    heading: 'A webhook endpoint has a new secret',
    body: [
      `Messages to ${host} are signed with a new secret. Until ${moment(new Date(formerUntil))} they are also signed with the former one: put the new one in its place before then.`,
      `If it was not you: call rotateWebhookSecret (GraphQL) with the endpoint's id, ${endpointId}, and revoke your API keys.`,
    ],
    action: open(subjects),
  }),
  'webhook.enabled': ({ endpointId, host }, subjects) => ({
    subject: `Your webhook to ${host} was enabled again`,
    heading: 'A webhook endpoint was enabled again',
    body: [`We send events to ${host} again.`, ifNotYou(endpointId)],
    action: open(subjects),
  }),
  'webhook.disabled': ({ endpointId, host, reason }, subjects) => ({
    subject: `Your webhook to ${host} was switched off`,
    heading: 'A webhook of yours was switched off',
    body: [
      `We no longer send events to your endpoint at ${host}.`,
      { label: 'The reason', quote: reason },
      `Fix the receiver, then call testWebhookEndpoint and enableWebhookEndpoint (GraphQL) with its id, ${endpointId}.`,
      'What was missed is in the delivery log, to be replayed, and in the events feed.',
    ],
    action: open(subjects),
  }),
} satisfies Partial<Templates>;

const listOf = (events: unknown): string =>
  Array.isArray(events) && events.length > 0 ? events.join(', ') : 'all of them';
