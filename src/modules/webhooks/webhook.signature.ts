import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

const secretBytes = 32;

/** A secret in the form of Standard Webhooks. */
export const newWebhookSecret = () => `whsec_${randomBytes(secretBytes).toString('base64')}`;

/** The headers by which a receiver knows a message, its age and its sender. Each secret signs. */
export function signedHeaders(
  secrets: readonly string[],
  { id, body, at }: { id: string; body: string; at: Date },
): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'marketplace-gateway webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': secrets.map((each) => new Webhook(each).sign(id, at, body)).join(' '),
  };
}
