import type { EntityManager } from '@mikro-orm/postgresql';
import DataLoader from 'dataloader';
import { Developer } from '../modules/developers/developer.entity.js';
import { WebhookAttempt } from '../modules/webhooks/webhook-attempt.entity.js';

/** Relations of one request, each loaded in one query however long the list. */
export function createLoaders(fork: () => EntityManager) {
  return {
    developer: new DataLoader(async (ids: readonly string[]) => {
      const rows = await fork().find(Developer, { id: [...ids] });
      const byId = new Map(rows.map((row) => [row.id, row]));
      return ids.map((id) => byId.get(id) ?? new Error(`No developer ${id}`));
    }),
    webhookAttempts: new DataLoader(async (deliveryIds: readonly string[]) => {
      const rows = await fork().find(
        WebhookAttempt,
        { delivery: { $in: [...deliveryIds] } },
        { orderBy: { number: 'asc' } },
      );
      const byDelivery = Map.groupBy(rows, ({ delivery }) => delivery.id);
      return deliveryIds.map((id) => byDelivery.get(id) ?? []);
    }),
  };
}

export type Loaders = ReturnType<typeof createLoaders>;
