import type { MailedKind } from '../../../src/modules/audit/event-mail.types.js';
import { accountStories } from './account-stories.js';
import { appStories } from './app-stories.js';
import type { Story } from './story.js';
import { receiver, webhookStories } from './webhook-stories.js';

/** The webhook receiver of the stories must be reachable from their service. */
export const storyOptions = async () => ({ webhooks: { allowedHosts: [(await receiver).host] } });

/** One for every kind of mail: a new kind does not compile without its story. */
export const stories: Record<MailedKind, Story> = { ...accountStories, ...appStories, ...webhookStories };
