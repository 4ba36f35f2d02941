import type { LoaderSource } from '../../operations/context.js';
import { pagesByOwner, rowsByOwner } from '../../operations/loaders.js';
import type { OwnedList } from '../../operations/owned-pages.js';
import { WebhookAttempt } from './webhook-attempt.entity.js';
import { WebhookDelivery } from './webhook-delivery.entity.js';

const deliveriesToEndpoint: OwnedList<WebhookDelivery> = {
  entity: WebhookDelivery,
  table: 'webhook_deliveries',
  ownerColumn: 'endpoint_id',
  ownerOf: ({ endpoint }) => endpoint.id,
  newestFirst: true,
};

export function webhookLoaders({ fork }: LoaderSource) {
  return {
    deliveries: pagesByOwner(fork, deliveriesToEndpoint, (delivery) => delivery),
    webhookAttempts: rowsByOwner(
      async (deliveryIds) =>
        fork().find(WebhookAttempt, { delivery: [...deliveryIds] }, { orderBy: { number: 'asc' } }),
      (attempt) => attempt.delivery.id,
    ),
  };
}
