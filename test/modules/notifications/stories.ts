import type { MailedKind } from '../../../src/modules/events/event-mail.types.js';
import { accountStories } from './account-stories.js';
import { appStories } from './app-stories.js';
import type { Story } from './story.js';
import { receiver, webhookStories } from './webhook-stories.js';

/**
 * The webhook receiver of the stories must be reachable from their service. All stories happen at once, most of them by one
 * administrator, whose last act waits for all others.
 */
export const storyOptions = async () => ({
  webhooks: { allowedHosts: [(await receiver).host] },
  writeBounds: { waitMs: 120_000 },
});

/** One for every kind of mail: a new kind does not compile without its story. */
export const stories: Record<MailedKind, Story> = { ...accountStories, ...appStories, ...webhookStories };
