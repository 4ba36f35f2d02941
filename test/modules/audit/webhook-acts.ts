import type { Input } from '../../support/api-client.js';
import type { Service } from '../../support/service.js';
import type { ActDone } from './acts.js';
import { named } from './expected-lines.js';

const hooked = (fields: object = {}) => ({
  host: 'ada.example',
  events: [],
  description: null,
  enabled: true,
  ...fields,
});

/** Acts on webhook endpoints: of the developer, or of the administration. */
export function webhookActs(service: Service, endpoint: (input?: Input) => () => Promise<Input>) {
  return {
    create: {
      on: async () => {
        const { id } = await endpoint()();
        await service.sql('delete from webhook_endpoints where id = $1', [id]);
        return { url: 'https://ada.example/hook' };
      },
      line: { kind: 'webhook.created', before: null, after: hooked() },
      refused: async () => ({ url: 'https://10.0.0.1/' }),
    },
    update: {
      on: endpoint({ description: 'New' }),
      line: { kind: 'webhook.updated', before: hooked(), after: hooked({ description: 'New' }) },
    },
    rotate: {
      on: endpoint(),
      line: {
        kind: 'webhook.secret-rotated',
        before: { formerSecretUntil: null },
        after: { formerSecretUntil: named },
      },
    },
    remove: { on: endpoint(), line: { kind: 'webhook.deleted', before: hooked(), after: null } },
    enable: {
      on: async () => {
        const { id } = await endpoint()();
        await service.sql(
          "update webhook_endpoints set disabled_at = now(), disabled_reason = 'Gone.' where id = $1",
          [id],
        );
        return { id };
      },
      line: { kind: 'webhook.enabled', before: hooked({ enabled: false }), after: hooked() },
    },
  } satisfies Record<string, ActDone>;
}
