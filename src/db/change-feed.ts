import type { DatabaseListener } from './listen.js';

/** The channel on which the triggers of `announcements.sql` and `audit.sql` notify. */
const channel = 'changes';

/** A committed change, as the database announces it. `anything`: some changes may have been missed. */
export type Change =
  | {
      readonly about: 'event';
      /** The kind of an event of the audit log. */
      readonly kind: string;
      readonly appId: string | null;
      /** The status of the version that the event is about, or of the app; null if it was deleted. */
      readonly status: string | null;
    }
  | { readonly about: 'listing'; readonly slug: string }
  | { readonly about: 'anything' };

/** Passes the changes that any process commits to the subscriptions of this one. */
export class ChangeFeed {
  private readonly followers = new Set<(change: Change) => void>();

  constructor(private readonly listener: DatabaseListener) {
    listener.subscribe({
      channel,
      effectOfLoss: 'subscriptions report nothing',
      onNotification: (payload) => this.publish(changeOf(payload)),
      // Notifications were lost while there was no connection.
      onConnected: () => this.publish({ about: 'anything' }),
    });
  }

  /** Calls a function with every change until the returned function is called. */
  follow(follower: (change: Change) => void): () => void {
    this.followers.add(follower);
    return () => void this.followers.delete(follower);
  }

  /** To be called regularly while there are followers: a broken connection is noticed by its heartbeats only. */
  keepAlive(): void {
    this.listener.isAlive();
  }

  private publish(change: Change): void {
    for (const follower of this.followers) follower(change);
  }
}

/** An unknown payload, such as one of a later version, may mean anything. */
function changeOf(payload: string): Change {
  const [about, first = '', appId = null, status = null] = payload.split(' ');
  if (about === 'event' && first) return { about, kind: first, appId, status };
  if (about === 'listing' && first) return { about, slug: first };
  return { about: 'anything' };
}
