import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { v7 as newId } from 'uuid';
import { loadConfig } from '../../../src/config.js';
import { type MailedKind, mailed } from '../../../src/modules/events/event-mail.types.js';
import { until } from '../../support/mail-server.js';
import { type Service, startService } from '../../support/service.js';
import { startMailWorker } from '../../support/workers.js';
import { stories, storyOptions } from './stories.js';

interface KeptMail {
  recipient: string;
  subject: string;
  html: string;
  text: string;
}

let service: Service;
let mails: Awaited<ReturnType<typeof startMailWorker>>;
/** The job of each kind, and the mail that came of it at once. */
const told = new Map<string, { data: Record<string, unknown>; mail: KeptMail }>();

beforeAll(async () => {
  service = await startService({ WORKER: 'inline' }, undefined, await storyOptions());
  await Promise.all(
    Object.entries(stories).map(async ([kind, { happens }]) => {
      const recipient = await happens(service);
      const find = () =>
        service.sql<KeptMail & { data: Record<string, unknown> }>(
          `select data, recipient, subject, html, text from mails join pgboss.job using (id)
           where kind = $1 and recipient = $2 and job.name = 'notifications'`,
          [kind, recipient],
        );
      const { data, ...mail } = await until(
        async () => (await find())[0],
        () => `no mail ${kind} to ${recipient}`,
      );
      told.set(kind, { data, mail });
    }),
  );
  await changeEverything();
  const mailbox = { smtpUrl: null, from: 'Marketplace <marketplace@localhost>' };
  mails = await startMailWorker(service.databaseUrl, mailbox, loadConfig({}).portal);
}, 90_000);
afterAll(async () => {
  await mails?.close();
  await service?.close();
});

/** Changes everything that a mail could mention, except the audit log, which is append-only. */
async function changeEverything(): Promise<void> {
  for (const change of [
    "update apps set name = name || ' (renamed)', slug = slug || '-moved', description = 'Other', long_description = 'Other', website_url = 'https://other.example'",
    "update apps set status = 'SUSPENDED' where status = 'APPROVED'",
    `update apps set rejection = '{"reasons": [], "guidance": "Other", "rejectedAt": "2020-01-01T00:00:00Z"}' where status = 'REJECTED'`,
    "update app_versions set name = 'Other', description = 'Other', website_url = 'https://other.example'",
    "update api_keys set name = 'Other', masked_key = 'mkt_xxxx…xxxx', scopes = '{APP_DELETE}', expires_at = expires_at + interval '9 days', last_used_at = now()",
    "update webhook_endpoints set url = 'https://other.example/', description = 'Other', events = '{}'",
    "update webhook_endpoints set former_secret_until = now() + interval '9 days' where former_secret is not null",
    "update review_messages set text = 'Other'",
    "update developers set name = 'Somebody Else', company_name = 'Other', email = 'moved-' || email",
    "update developers set status_before_suspension = status, status = 'SUSPENDED' where status <> 'SUSPENDED'",
  ])
    await service.sql(change);
}

describe.each([...mailed])('the mail about %s, sent long after (D127)', (kind: MailedKind) => {
  it('states the facts of the time of the event, to the address of that time', async () => {
    const { data, mail } = told.get(kind)!;
    const id = newId();
    await mails.deliver({ id, data, retryCount: 0 });
    const [late] = await service.sql<KeptMail>(
      'select recipient, subject, html, text from mails where id = $1',
      [id],
    );
    expect(late).toEqual(mail);
  });
});

it('a job from before facts were recorded is still mailed, with current data (D127)', async () => {
  const { data } = told.get('developer.suspended')!;
  const { facts: _, ...old } = data;
  const id = newId();
  await mails.deliver({ id, data: old, retryCount: 0 });
  const [mail] = await service.sql<KeptMail>('select recipient, text from mails where id = $1', [id]);
  expect(mail?.recipient).toMatch(/^moved-/);
  expect(mail?.text).toContain('It sent spam.');
});
