import type { KeyList } from '../audit/event.types.js';
import type { MailContent } from './mail.layout.js';
import { day, keyName, moment, reference } from './mail.links.js';
import type { Templates } from './mail.templates.js';

const dayMs = 24 * 60 * 60 * 1000;

/** Keys that descend from the one of the mail: a sentence about them, and their names. */
const descendants = (sentence: string, keys: KeyList | undefined): MailContent['body'] =>
  keys
    ? [
        sentence,
        { points: keys.first.map(({ name, maskedKey }) => ({ label: name, text: maskedKey })) },
        ...(keys.count > keys.first.length ? [`And ${keys.count - keys.first.length} more.`] : []),
      ]
    : [];

const revokedWithIt = 'These keys were made with it, and were revoked with it:';

/** The mails about API keys. */
export const keyMails = {
  'key.created': (_, subjects) => ({
    subject: 'An API key was created',
    heading: 'An API key was created',
    body: [
      `The key ${keyName(subjects)} can now act for you${subjects.key ? `, until ${day(subjects.key.expiresAt)}` : ''}.`,
      ...(subjects.key ? [`What it may do: ${subjects.key.scopes.join(', ')}.`] : []),
      'If it was not you: revoke it at once. Any of your keys can revoke any other.',
    ],
    action: reference(subjects, 'How to revoke a key', 'revokeApiKey'),
  }),
  'key.revoked': ({ revokedDescendants, livingDescendants }, subjects) => ({
    subject: 'An API key was revoked',
    heading: 'An API key was revoked',
    body: [
      `The key ${keyName(subjects)} no longer works, and will not again.`,
      'If something of yours still uses it, give it a new key.',
      ...descendants(revokedWithIt, revokedDescendants),
      ...descendants(
        'These keys were made with it, and still work. If somebody else may have had the revoked key, revoke them too:',
        livingDescendants,
      ),
    ],
    action: reference(subjects, 'Create a new key', 'createApiKey'),
  }),
  'key.rotated': ({ formerUntil }, subjects) => ({
    subject: 'An API key was rotated',
    heading: 'An API key has a new value',
    body: [
      `The key ${keyName(subjects)} takes the place of the former one, with the same name and scopes.`,
      `The former key works until ${moment(new Date(formerUntil))}: put the new one in its place before then.`,
      'If it was not you: revoke both at once. Any of your keys can revoke any other.',
    ],
    action: reference(subjects, 'How to revoke a key', 'revokeApiKey'),
  }),
  'key.leaked': ({ revokedDescendants }, subjects) => ({
    subject: 'An API key of yours was found in public, and is revoked',
    heading: 'An API key of yours has leaked',
    body: [
      `Somebody found the key ${keyName(subjects)} where it should not be, and reported it. It no longer works, and will not again.`,
      ...(subjects.key?.lastUsedAt
        ? [`It was last used on ${moment(subjects.key.lastUsedAt)}. Look whether that was you.`]
        : []),
      'Give whatever uses it a new key, and remove the old one from where it was found: source code, a log, a chat.',
      ...descendants(revokedWithIt, revokedDescendants),
    ],
    action: reference(subjects, 'Create a new key', 'createApiKey'),
  }),
  'key.expiring': ({ daysBefore }, subjects) => {
    const { key, record } = subjects;
    const happenedMs = record.createdAt.getTime();
    const end = key?.expiresAt ?? new Date(happenedMs + daysBefore * dayMs);
    const daysLeft = Math.ceil((end.getTime() - happenedMs) / dayMs);
    const soon = daysLeft === 1 ? 'within 24 hours' : `in ${daysLeft} days`;
    return {
      subject: `Your API key “${key?.name ?? ''}” expires ${soon}`,
      heading: `An API key expires ${soon}`,
      body: [
        `The key ${keyName(subjects)} works until ${moment(end)}. After that, whatever uses it is refused.`,
        'Create a new key, put it where the old one is, then revoke the old one.',
      ],
      action: reference(subjects, 'Create a new key', 'createApiKey'),
    };
  },
} satisfies Partial<Templates>;
