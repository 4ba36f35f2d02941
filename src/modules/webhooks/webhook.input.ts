import { z } from 'zod';
import { cursor, id, text, webUrl } from '../../operations/input.js';
import { connectionArguments } from '../../operations/paging.js';
import { webhooked } from '../audit/event.types.js';

/** All types of events that an endpoint can subscribe to. */
export const eventTypes: readonly string[] = Object.keys(webhooked).sort();

const url = webUrl().describe('URL that events are sent to by POST. It must be public and use https.');
// Strings and not an enum: names of GraphQL enum values cannot contain a dot.
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
  .describe(`Types of events to send. Null or empty: all types. The types are ${eventTypes.join(', ')}.`);
const description = text({ min: 0, max: 200 })
  .nullish()
  .describe('Note on what the endpoint is for. Null or empty: none.');

export const CreateWebhookEndpoint = z.object({ url, events, description });
export const WebhookEndpointChanges = z.object({ url: url.optional(), events, description });
export const WebhookEndpointId = z.object({ id: id('endpoint') });
export const UpdateWebhookEndpoint = WebhookEndpointId.extend(WebhookEndpointChanges.shape);

export const WebhookDeliveryId = z.object({ id: id('delivery') });
export const ListWebhookDeliveries = z.object({ endpointId: id('endpoint'), ...connectionArguments });

/** Returns the cursor of a position in the events feed. Clients must not parse it. */
export const eventCursor = (position: string) => Buffer.from(`event ${position}`).toString('base64url');

/** Returns the position of a cursor, or null if the cursor is not valid. */
export function eventPosition(value: string): string | null {
  const position = /^event (\d{1,18})$/.exec(Buffer.from(value, 'base64url').toString())?.[1];
  return position !== undefined && eventCursor(position) === value ? position : null;
}

export const ListEvents = z.object({
  after: cursor(500, (value) => eventPosition(value) !== null)
    .nullish()
    .describe('`endCursor` of the last page that you read. Null: starts with the oldest event.'),
  first: connectionArguments.first,
});
