/** The subjects of events, in the order in which they are shown. */
const subjects: Record<string, string> = {
  app: 'Apps',
  version: 'New versions',
  review: 'Review',
  rating: 'Ratings',
  key: 'API keys',
  developer: 'Account',
  webhook: 'Webhooks',
};

/** Events whose type does not say in words what has happened. */
const words: Record<string, string> = {
  'app.edited': 'App edited by an administrator',
  'app.featured': 'App made a staff pick',
  'app.pictures_changed': 'Pictures of a public app changed',
  'app.restored': 'App restored',
  'app.suspended': 'App taken down',
  'app.unfeatured': 'App removed from staff picks',
  'developer.change_undone': 'Profile changes undone',
  'developer.edited': 'Profile edited by an administrator',
  'developer.email-changed': 'E-mail address changed',
  'developer.email_lost': 'E-mail address claimed by another account',
  'developer.reinstated': 'Suspension ended',
  'developer.suspended': 'Account suspended',
  'developer.unverified': 'Verification withdrawn',
  'developer.verified': 'Account verified',
  'key.expiring': 'Key expires soon',
  'rating.created': 'App rated',
  'review.message-received': 'Message from a reviewer',
  'review.message_received': 'Message from a developer',
  'review.overdue': 'Decision overdue',
  'version.rebased': 'Version updated with edits of an administrator',
  'webhook.disabled': 'Endpoint disabled',
};

/** `key.created` as "Key created". */
const spelledOut = (type: string) =>
  type.charAt(0).toUpperCase() + type.slice(1).replace('.', ' ').replaceAll(/[_-]/g, ' ');

/** Returns an event in words: "App taken down". */
export const eventText = (type: string): string => words[type] ?? spelledOut(type);

interface EventGroup {
  readonly subject: string;
  readonly events: readonly { readonly type: string; readonly text: string }[];
}

/** Returns types of events in groups, each event with its words. */
export const groupsOf = (types: readonly string[]): EventGroup[] =>
  Object.entries(subjects)
    .map(([prefix, subject]) => ({
      subject,
      events: types
        .filter((type) => type.startsWith(`${prefix}.`))
        .map((type) => ({ type, text: eventText(type) })),
    }))
    .filter(({ events }) => events.length > 0);
