import { z } from 'zod';
import { cursor, id, text, webUrl } from '../../operations/input.js';
import { connectionArguments } from '../../operations/paging.js';
import { publishedKinds } from '../events/event-kind.types.js';
import { adminEvents, webhooked } from '../events/published-event.types.js';

/** All types of events that an endpoint can subscribe to. */
export const eventTypes: readonly string[] = Object.keys(webhooked).sort();
/** All types of events that an endpoint of the administration can subscribe to. */
const adminEventTypes: readonly string[] = Object.keys(adminEvents).sort();

/**
 * Standard Webhooks recommends names of letters, digits, `_` and `.`. New types follow that; the two older ones with a
 * hyphen are still sent by their old names, and can be subscribed to by both.
 */
const typeOf = (types: readonly string[], name: string): string =>
  types.find((type) => type.replaceAll('-', '_') === name) ?? name;

const url = webUrl().describe(
  'URL that events are sent to by POST. It must be public and use https. In development it may be on this machine and use http, such as `http://127.0.0.1:8080/`.',
);
// Strings, because names of GraphQL enum values cannot contain a dot; `eventKinds` takes the enum.
const eventsOf = (types: readonly string[], note: string) =>
  z
    .array(
      z.string().refine((name) => types.includes(typeOf(types, name)), {
        params: { code: 'invalid_value' },
        message: `must be one of ${types.join(', ')}`,
      }),
    )
    .max(100)
    .overwrite((names) => [...new Set(names.map((name) => typeOf(types, name)))])
    .nullish()
    .describe(`Types of events to send. Null or empty: all types. The types are ${types.join(', ')}.${note}`);
const events = eventsOf(eventTypes, ' A hyphen may be written as `_`.');
const adminEventNames = eventsOf(adminEventTypes, '');
const eventKinds = z
  .array(
    z.enum(publishedKinds).refine((kind) => eventTypes.includes(kind), {
      params: { code: 'invalid_value' },
      message: 'is sent to endpoints of the administration only',
    }),
  )
  .max(100)
  .nullish()
  .describe('Types of events to send, as enums. They are added to those of `events`.');
const description = text({ min: 0, max: 200 })
  .nullish()
  .describe('Note on what the endpoint is for. Null or empty: none.');

export const CreateWebhookEndpoint = z.object({ url, events, eventKinds, description });
export const WebhookEndpointChanges = z.object({ url: url.optional(), events, eventKinds, description });
export const WebhookEndpointId = z.object({ id: id('endpoint') });
export const UpdateWebhookEndpoint = WebhookEndpointId.extend(WebhookEndpointChanges.shape);

export const CreateAdminWebhook = z.object({ url, events: adminEventNames, description });
export const AdminWebhookChanges = z.object({ url: url.optional(), events: adminEventNames, description });
export const UpdateAdminWebhook = WebhookEndpointId.extend(AdminWebhookChanges.shape);

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
