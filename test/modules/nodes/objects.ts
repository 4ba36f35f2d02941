import { Scope } from '../../../src/auth/scope.js';
import { nodeIdOf } from '../../../src/operations/node-id.js';
import type { Json } from '../../support/actors.js';
import type { Service } from '../../support/service.js';

/** An object that can be looked up. */
export interface NodeObject {
  id: string;
  nodeId: string;
}

/** Bearer values of those who look it up. */
export interface Callers {
  /** The developer of everything below. */
  owner: string;
  /** The author of the rating, who is no developer. */
  author: string;
  /** Another developer. */
  stranger: string;
  administrator: string;
  /** A key of the owner without APP_READ. */
  narrowKey: string;
  nobody: null;
}

/** Creates one object of every type that implements Node, all of one developer. */
export async function gatherObjects(
  service: Service,
): Promise<{ callers: Callers; objects: Record<string, NodeObject> }> {
  const { client } = service;
  const ada = await service.aDeveloper();
  const { app, version } = await service.aVersion(ada, 'PENDING');
  const rating = await service.aRating(app);
  const key = await service.anIssuedKey(ada, [Scope.ANALYTICS_READ]);
  const message = await client.must<Json>('messageReviewers', { id: app.id, text: 'Hello.' }, ada.token);
  const endpoint = await client.must<Json>(
    'createWebhookEndpoint',
    { url: 'https://ada.example/hook' },
    ada.token,
  );
  const delivery = await client.must<Json>('testWebhookEndpoint', { id: endpoint.id }, ada.token);
  const idOf = async (text: string) => (await service.sql<{ id: string }>(text, [app.id]))[0]!.id;
  const attempt = await idOf(`
    insert into webhook_attempts (id, created_at, delivery_id, number, url, request_headers, duration_ms)
    select gen_random_uuid(), now(), '${delivery.id}', 1, 'https://ada.example/hook', '{}', 1
    from apps where id = $1 returning id`);
  const submission = await idOf('select id from submissions where app_id = $1 and ended_at is null');
  const event = await idOf("select id from audit_events where app_id = $1 and kind = 'app.approved'");
  const ids: Record<string, string> = {
    App: app.id,
    PublicApp: app.id,
    AppVersion: version.id,
    Developer: ada.id,
    PublicDeveloper: ada.id,
    Rating: rating.id,
    ApiKey: key.id,
    ReviewMessage: message.id,
    WebhookEndpoint: endpoint.id,
    WebhookDelivery: delivery.id,
    WebhookAttempt: attempt,
    Event: event,
    AuditEvent: event,
    TimelineEntry: event,
    ReviewQueueItem: submission,
    Submission: submission,
  };
  return {
    callers: {
      owner: ada.token,
      author: rating.token,
      stranger: (await service.aDeveloper()).token,
      administrator: await service.admin(),
      narrowKey: key.key,
      nobody: null,
    },
    objects: Object.fromEntries(
      Object.entries(ids).map(([type, id]) => [type, { id, nodeId: nodeIdOf(type, id) }]),
    ),
  };
}
