import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { decide } from '../support/decisions.js';
import { MailServer, until } from '../support/mail-server.js';
import { type Service, startService } from '../support/service.js';

let server: MailServer;
let service: Service;
afterEach(async () => {
  await service.close();
  await server.stop();
});

const jobs = () =>
  service.sql<{ state: string }>("select state from pgboss.job where name = 'notifications'");

describe('a mail server that is down during 500 decisions (D33)', () => {
  it('gets 500 mails once it is up, and none twice; no decision fails', async () => {
    server = await MailServer.start();
    service = await startService({ WORKER: 'inline', SMTP_URL: server.url });
    await server.stop();
    const all = 500;
    await decide(service, all);
    const tried = async () => (await jobs()).filter(({ state }) => state === 'retry').length;
    await until(async () => (await tried()) > 20, 'hardly any mail was tried while the server was down');
    expect(await jobs()).toHaveLength(all);
    expect(server.mails).toHaveLength(0);

    await server.start();
    const upAt = performance.now();
    await until(
      async () => {
        // Lets what waits for its next try have it now.
        await service.sql(
          "update pgboss.job set start_after = now() where name = 'notifications' and state = 'retry'",
        );
        await delay(200);
        return server.mails.length >= all;
      },
      () => `${server.mails.length} of ${all} mails came`,
      120_000,
    );
    const seconds = (performance.now() - upAt) / 1000;
    await until(
      async () => (await jobs()).every(({ state }) => state === 'completed'),
      'not every job was completed',
    );
    expect(server.mails).toHaveLength(all);
    expect(new Set(server.mails.map(({ messageId }) => messageId)).size).toBe(all);
    process.stdout.write(`500 decisions in an outage: ${all} mails, no duplicate, ${seconds.toFixed(1)} s\n`);
  });
});
