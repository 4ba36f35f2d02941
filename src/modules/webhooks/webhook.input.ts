import { z } from 'zod';
import { cursor, id, text, webUrl } from '../../operations/input.js';
import { connectionArguments } from '../../operations/paging.js';
import { webhooked } from '../audit/event.types.js';
import { readPosition } from './event-feed.cursor.js';

/** Every type of event there is to subscribe to. */
export const eventTypes: readonly string[] = Object.keys(webhooked).sort();

const url = webUrl().describe('Where to send events: a public https address.');
// GraphQL's enums know no dots, and the types shall read the same here as in a message.
const events = z
  .array(
    z.string().refine((type) => eventTypes.includes(type), {
      params: { code: 'invalid_value' },
      message: `must be one of ${eventTypes.join(', ')}`,
    }),
  )
  .max(100)
  .overwrite((types) => [...new Set(types)])
  .nullish()
  .describe(`Which types of events to send; none: all of them. There are ${eventTypes.join(', ')}.`);
const description = text({ min: 0, max: 200 }).nullish().describe('What it is for.');

export const CreateWebhookEndpoint = z.object({ url, events, description });
export const WebhookEndpointChanges = z.object({ url: url.optional(), events, description });
export const WebhookEndpointId = z.object({ id: id('endpoint') });
export const UpdateWebhookEndpoint = WebhookEndpointId.extend(WebhookEndpointChanges.shape);

export const WebhookDeliveryId = z.object({ id: id('delivery') });
export const ListWebhookDeliveries = z.object({ endpointId: id('endpoint'), ...connectionArguments });

export const ListEvents = z.object({
  after: cursor(500, (value) => readPosition(value) !== null)
    .nullish()
    .describe('The last `endCursor` that was read; none: from the beginning.'),
  first: connectionArguments.first,
});
