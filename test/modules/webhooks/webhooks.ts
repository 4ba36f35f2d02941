import type { Logger } from 'pino';
import type { WebhookOptions } from '../../../src/worker.js';
import type { ConnectionJson, Developer, Json } from '../../support/actors.js';
import type { Input } from '../../support/api-client.js';
import { until } from '../../support/mail-server.js';
import { type Service, startService } from '../../support/service.js';
import { shared } from '../../support/shared.js';
import { type Answer, startReceiver } from './receiver.js';

export type EndpointJson = Json & {
  url: string;
  events: string[];
  description: string | null;
  status: string;
  disabledReason: string | null;
  failingSince: string | null;
};
export type IssuedJson = EndpointJson & { secret: string };
export interface AttemptJson {
  number: number;
  url: string;
  requestHeaders: Record<string, string>;
  responseStatus: number | null;
  responseBody: string | null;
  error: string | null;
  durationMs: number;
}
export type DeliveryJson = Json & {
  eventId: string;
  type: string;
  status: string;
  requestBody: string;
  attemptCount: number;
  nextAttemptAt: string | null;
  deliveredAt: string | null;
  failure: string | null;
  attempts: AttemptJson[];
};

/** An endpoint of a new developer, in a service that sends nothing. */
export async function anEndpoint(service: Service) {
  const ada = await service.anUnverifiedDeveloper();
  const { secret: _, ...endpoint } = await service.client.must<IssuedJson>(
    'createWebhookEndpoint',
    { url: 'https://hooks.example/', events: ['app.approved'], description: 'Mine' },
    ada.token,
  );
  const update = (changes: Input) =>
    service.client.call<EndpointJson>(
      'graphql',
      'updateWebhookEndpoint',
      { id: endpoint.id, ...changes },
      ada.token,
    );
  return { ada, endpoint, update };
}

/** An endpoint of the administration. There is a limit to them, so the former ones make room. */
export async function anAdminEndpoint(
  service: Service,
  input: Input = { url: 'https://desk.example/' },
): Promise<IssuedJson> {
  await service.sql('delete from webhook_endpoints where developer_id is null');
  return service.administer<IssuedJson>('createAdminWebhook', input);
}

/** The deliveries to an endpoint of the administration, newest first. */
export async function adminDeliveries(service: Service, endpointId: string): Promise<DeliveryJson[]> {
  const page = await service.administer<ConnectionJson<DeliveryJson>>('adminWebhookDeliveries', {
    endpointId,
    first: 100,
  });
  return page.edges.map(({ node }) => node);
}

/** A service that does its jobs, and a server on this machine that it may send to. */
export async function startWebhooks(options: WebhookOptions = {}, log?: Logger) {
  const receiver = await startReceiver();
  const service = await startService({ WORKER: 'inline' }, log, {
    webhooks: {
      allowedHosts: [receiver.host],
      // No test asks a name server: every name leads to this machine.
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
      timeoutMs: 20_000,
      retryDelaysMs: [],
      ...options,
    },
  });
  const must = async <T>(name: Parameters<Service['client']['must']>[0], input: Input, bearer: string) =>
    service.client.must<T>(name, input, bearer);
  return {
    service,
    receiver,
    endpoint: (developer: Developer, input: Input) =>
      must<IssuedJson>('createWebhookEndpoint', input, developer.token),
    /** An endpoint of a new developer at a new address of the receiver. */
    async anEndpoint({ answer, ...input }: Input & { answer?: Answer } = {}) {
      const address = receiver.address(answer);
      const ada = await service.aDeveloper();
      const { id, secret } = await this.endpoint(ada, { url: address.url, ...input });
      return { ada, id, secret, address };
    },
    /** Causes an event that is sent by webhook. */
    async anEvent(developer: Developer) {
      const app = await service.anApp(developer, 'PENDING');
      return { appId: app.id, name: String(app.name), slug: app.slug };
    },
    async deliveries(developer: Developer, endpointId: string) {
      const page = await must<ConnectionJson<DeliveryJson>>(
        'webhookDeliveries',
        { endpointId, first: 100 },
        developer.token,
      );
      return page.edges.map(({ node }) => node);
    },
    /** The endpoint's only delivery, once the condition is true. */
    async delivery(developer: Developer, endpointId: string, is: (delivery: DeliveryJson) => boolean) {
      return until(async () => {
        const [first] = await this.deliveries(developer, endpointId);
        return first && is(first) && first;
      });
    },
    async endpointNow(developer: Developer, id: string) {
      const all = await must<EndpointJson[]>('myWebhookEndpoints', {}, developer.token);
      return all.find((each) => each.id === id);
    },
    async close() {
      await service.close();
      await receiver.close();
    },
  };
}
export type Webhooks = Awaited<ReturnType<typeof startWebhooks>>;

/** Tries a delivery once. */
export const sharedWebhooks = shared(() => startWebhooks());
/** Leaves a minute between the attempts of a delivery, more than any test waits. */
export const patientWebhooks = shared(() => startWebhooks({ retryDelaysMs: [60_000] }));
