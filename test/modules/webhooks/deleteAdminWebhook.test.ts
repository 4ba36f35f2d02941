import { describe, expect, it } from '@jest/globals';
import { beforeTests } from '../../support/before-tests.js';
import { expectError } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';
import { anAdminEndpoint } from './webhooks.js';

const service = beforeTests(sharedService);

describe('deleteAdminWebhook', () => {
  it('removes the endpoint with its deliveries; the audit log names the administrator, and nobody is mailed (D169)', async () => {
    const { id } = await anAdminEndpoint(service);
    await service.administer('testAdminWebhook', { id });
    const act = () => service.callAsAdmin('deleteAdminWebhook', { id });
    expect((await act()).data).toEqual({ id, deleted: true });
    expectError(await act(), 'NOT_FOUND');
    expect(await service.sql('select from webhook_deliveries where endpoint_id = $1', [id])).toHaveLength(0);
    const lines = await service.sql(
      `select kind, developer_id, actor_kind, actor_account from audit_events
       where data->>'endpointId' = $1 order by position`,
      [id],
    );
    const actor = { developer_id: null, actor_kind: 'administrator', actor_account: 'the-administrator' };
    expect(lines).toEqual([
      { kind: 'webhook.created', ...actor },
      { kind: 'webhook.deleted', ...actor },
    ]);
    const jobs = "select from pgboss.job where name = 'notifications' and data->>'endpointId' = $1";
    expect(await service.sql(jobs, [id])).toHaveLength(0);
  });
});
