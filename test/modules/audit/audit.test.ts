import { describe, expect, it } from '@jest/globals';
import { contract, type OperationName } from '../../../src/contract.js';
import { aListing, unique } from '../../support/actors.js';
import { linesOf } from '../../support/audit.js';
import { beforeTests } from '../../support/before-tests.js';
import { sharedService } from '../../support/service.js';
import { type Act, actsOf } from './acts.js';

describe('the audit log', () => {
  const service = beforeTests(sharedService);
  const ada = beforeTests(() => service.aDeveloper());
  const acts = actsOf({ service, ada });
  const rows = Object.entries(acts) as [OperationName, Act][];
  const bearerOf = async ({ by }: Act) => (by === 'administrator' ? service.admin() : ada.token);

  it.each(rows)(
    'gets one line from %s: who, what before and after, in which request (D38)',
    async (operation, act) => {
      const input = await act.on();
      let requestId: string | null = null;
      const lines = await linesOf(service, async () => {
        const outcome = await service.client.call('graphql', operation, input, await bearerOf(act));
        expect(outcome.message).toBe('');
        requestId = outcome.headers.get('x-request-id');
      });
      expect(lines).toHaveLength(1);
      const account = act.by === 'administrator' ? 'the-administrator' : ada.accountUserId;
      expect(lines[0]).toMatchObject({
        ...act.line,
        actor_kind: act.by,
        actor_account: account,
        actor_key: null,
        request_id: requestId,
      });
      expect({ before: lines[0]?.before, after: lines[0]?.after }).toEqual({
        before: act.line.before,
        after: act.line.after,
      });
    },
  );

  it.each(rows.filter(([, { refused }]) => refused))(
    'gets none from %s that is refused (D38)',
    async (operation, act) => {
      const input = await act.refused!();
      const lines = await linesOf(service, async () => {
        const { code } = await service.client.call('graphql', operation, input, await bearerOf(act));
        expect(code).toMatch(/^[A-Z_]+$/);
        expect(code).not.toBe('INTERNAL');
      });
      expect(lines).toEqual([]);
    },
  );

  it('is asked of every operation that changes something but installs, which are counted elsewhere', () => {
    const changing = Object.entries(contract).filter(([, { kind }]) => kind === 'mutation');
    // A test and a replay send again what is in the log already.
    const resent = [
      'testWebhookEndpoint',
      'replayWebhookDelivery',
      'testAdminWebhook',
      'replayAdminWebhookDelivery',
    ];
    const elsewhere = [
      'registerDeveloper',
      'reportLeakedKey',
      'exchangePublisherToken',
      'undoProfileChange',
      'recordInstall',
      ...resent,
    ];
    expect(changing.map(([operation]) => operation).sort()).toEqual(
      [...Object.keys(acts), ...elsewhere].sort(),
    );
  });

  it('gets one line from registerDeveloper, by the account (D38)', async () => {
    const lines = await linesOf(service, () => service.anUnverifiedDeveloper({ name: 'Grace' }));
    expect(lines).toMatchObject([
      {
        kind: 'developer.registered',
        actor_kind: 'account',
        actor_account: expect.stringContaining('account-'),
        before: null,
        after: { name: 'Grace', status: 'UNVERIFIED' },
      },
    ]);
  });

  it('gets one line from a change of e-mail, with both addresses', async () => {
    const { token, email } = await service.anUnverifiedDeveloper();
    const next = `${unique('new')}@example.com`;
    const lines = await linesOf(service, () => service.client.must('updateMe', { email: next }, token));
    expect(lines).toMatchObject([
      { kind: 'developer.email-changed', before: { email }, after: { email: next } },
    ]);
  });

  it('gets one line from reportLeakedKey, by anyone who holds the key (D38)', async () => {
    const { id, key } = await service.anIssuedKey(ada);
    const lines = await linesOf(service, () => service.client.must('reportLeakedKey', { key }));
    expect(lines).toMatchObject([
      {
        kind: 'key.leaked',
        actor_kind: 'anyone',
        actor_account: null,
        actor_key: id,
        before: { status: 'ACTIVE' },
        after: { status: 'REVOKED' },
        request_id: expect.stringMatching(/./),
      },
    ]);
  });

  it('names the key where a key was used', async () => {
    const { id: actorKey, key } = await service.anIssuedKey(ada);
    const lines = await linesOf(service, () => service.client.must('createApp', aListing(), key));
    expect(lines).toMatchObject([{ actor_kind: 'developer', actor_account: null, actor_key: actorKey }]);
  });

  it('keeps the caller’s own request id (D5)', async () => {
    const { id } = await service.anApp(ada);
    const lines = await linesOf(service, () =>
      service.client.request('POST', `/api/dev/apps/${id}/submit`, {
        bearer: ada.key,
        headers: { 'x-request-id': 'my-own.id_1' },
      }),
    );
    expect(lines).toMatchObject([{ kind: 'app.submitted', request_id: 'my-own.id_1' }]);
  });

  it.each([
    "update audit_events set actor_account = 'nobody'",
    'update audit_events set kind = kind where false',
    'delete from audit_events',
    'truncate audit_events',
    `insert into audit_events_default select * from audit_events limit 1 on conflict (id) do update set kind = 'forged'`,
  ])('is append-only, even for the owner of the table: %s', async (statement) => {
    const [{ owner } = { owner: '' }] = await service.sql<{ owner: boolean | string }>(
      "select tableowner = current_user as owner from pg_tables where tablename = 'audit_events'",
    );
    expect(owner).toBe(true);
    await expect(service.sql(statement)).rejects.toThrow('append-only');
  });
});
