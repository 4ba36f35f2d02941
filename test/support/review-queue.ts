import type { Json } from './actors.js';
import type { Service } from './service.js';

interface QueuedItem {
  app: { id: string };
  version: { id: string } | null;
  findings: Json[];
}

/** The first hundred submissions in the queue. All of their fields would be more than one document may read (D356). */
export async function queuedItems(service: Service): Promise<QueuedItem[]> {
  const { reviewQueue } = await service.client.queryData<{ reviewQueue: { edges: { node: QueuedItem }[] } }>(
    '{ reviewQueue(first: 100) { edges { node { app { id } version { id } findings { field severity code } } } } }',
    {},
    await service.admin(),
  );
  return reviewQueue.edges.map(({ node }) => node);
}
