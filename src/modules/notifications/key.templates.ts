import type { KeyList } from '../events/event.types.js';
import {
  appPage,
  formatDate,
  formatTime,
  keyChangesPage,
  keyName,
  keysPage,
  newKeyPage,
} from './fragment.templates.js';
import type { MailContent, MailTemplates, TemplateData } from './mail.types.js';

const dayMs = 24 * 60 * 60 * 1000;

/** Lists keys that were created with the key of the mail, after an introductory sentence. */
const descendantList = (introduction: string, keys: KeyList | undefined): MailContent['body'] =>
  keys
    ? [
        introduction,
        { points: keys.first.map(({ name, maskedKey }) => ({ label: name, text: maskedKey })) },
        ...(keys.count > keys.first.length ? [`And ${keys.count - keys.first.length} more.`] : []),
      ]
    : [];

const revokePage = (data: TemplateData, keyId: string) =>
  keysPage(
    data,
    'See your API keys',
    `To revoke it, call revokeApiKey (GraphQL) with its id, ${keyId}, or DELETE /api/dev/api-keys/${keyId}.`,
  );

const revokedTogether = 'These keys were created with it and have been revoked too:';

/** The mails about API keys. */
export const keyTemplates = {
  'key.created': ({ keyId }, data) => ({
    subject: 'An API key was created',
    body: [
      `The key ${keyName(data)} can now act for you${data.key ? `, until ${formatDate(data.key.expiresAt)}` : ''}.`,
      ...(data.key ? [`Its scopes are: ${data.key.scopes.join(', ')}.`] : []),
      'If you did not create it: revoke it at once. Any of your keys can revoke any other.',
    ],
    action: revokePage(data, keyId),
  }),
  'key.revoked': ({ revokedDescendants, livingDescendants }, data) => ({
    subject: 'An API key was revoked',
    body: [
      `The key ${keyName(data)} no longer works. A revoked key cannot be enabled again.`,
      'If one of your programs still uses it, give that program a new key.',
      ...descendantList(revokedTogether, revokedDescendants),
      ...descendantList(
        'These keys were created with it and still work. If someone else may have had the revoked key, revoke them too:',
        livingDescendants,
      ),
    ],
    action: newKeyPage(data),
  }),
  'key.rotated': ({ keyId, formerUntil }, data) => ({
    subject: 'An API key was rotated',
    heading: 'An API key has a new value',
    body: [
      `The key ${keyName(data)} replaces the former key. It has the same name and scopes.`,
      `The former key works until ${formatTime(new Date(formerUntil))}. Switch to the new key before then.`,
      'If you did not rotate it: revoke both keys at once. Any of your keys can revoke any other.',
    ],
    action: revokePage(data, keyId),
  }),
  'key.leaked': ({ keyId, revokedDescendants }, data) => ({
    subject: 'One of your API keys was found in public and has been revoked',
    heading: 'One of your API keys has leaked',
    body: [
      `Someone found the key ${keyName(data)} in a place where it should not be, and reported it. The key no longer works and cannot be enabled again.`,
      ...(data.key?.lastUsedAt
        ? [`It was last used on ${formatTime(data.key.lastUsedAt)}. Check whether that was you.`]
        : []),
      'Give a new key to every program that uses it, and remove the old key from where it was found: source code, a log, a chat.',
      ...descendantList(revokedTogether, revokedDescendants),
      'Check what was done with it in the last days. Changes of your profile and of your webhooks can be undone for 7 days.',
    ],
    action: keyChangesPage(data, keyId, 'See what was done with it'),
  }),
  'publisher.added': ({ appId, repository, issuer }, data) => ({
    subject: `A pipeline may now publish ${data.app?.name ?? 'your app'}`,
    heading: 'A pipeline is trusted',
    body: [
      `Pipelines of the repository ${repository} (${issuer}) can now change and submit ${data.app?.name ?? 'your app'}, without an API key.`,
      'If you did not do this: remove the pipeline at once, and change the password of your account.',
    ],
    action: appPage(
      data,
      appId,
      'See the app',
      'To remove the pipeline, call trustedPublishers (GraphQL), then removeTrustedPublisher with its id.',
    ),
  }),
  'key.expiring': ({ daysBefore }, data) => {
    const { key, auditEvent } = data;
    const recordedMs = auditEvent.createdAt.getTime();
    const end = key?.expiresAt ?? new Date(recordedMs + daysBefore * dayMs);
    const daysLeft = Math.ceil((end.getTime() - recordedMs) / dayMs);
    const soon = daysLeft === 1 ? 'within 24 hours' : `in ${daysLeft} days`;
    return {
      subject: `Your API key “${key?.name ?? ''}” expires ${soon}`,
      heading: `An API key expires ${soon}`,
      body: [
        `The key ${keyName(data)} works until ${formatTime(end)}. After that, requests with this key are rejected.`,
        'Rotate the key, and use the new one in its place: it has the same name, scopes and lifetime.',
      ],
      action: keysPage(data, 'Rotate the key', 'To rotate it, call rotateApiKey (GraphQL).'),
    };
  },
} satisfies Partial<MailTemplates>;
