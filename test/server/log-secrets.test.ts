import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { leastCpuMs, maxMs } from '../support/cpu.js';
import { MailServer } from '../support/mail-server.js';
import { startService } from '../support/service.js';
import { createTestLog } from './test-log.js';

describe('the log', () => {
  it('of a whole run has no secrets (D89)', async () => {
    const whole = createTestLog('trace');
    const mailServer = await MailServer.start({ answerTo: (who) => `450 The mailbox of ${who} is busy` });
    const run = await startService({ WORKER: 'inline', SMTP_URL: mailServer.url }, whole.log);
    const secrets: string[] = [];
    try {
      const eve = await run.aDeveloper({ email: 'eve@private.example', bio: 'her-private-bio' });
      const issued = await run.anIssuedKey(eve);
      const admin = await run.admin();
      const webhook = { url: 'https://hooks.example/path-secret', events: ['app.submitted'] };
      const endpoint = await run.call<{ secret: string }>('createWebhookEndpoint', webhook, eve.token);
      const app = await run.anApp(eve, 'APPROVED', { description: 'her-private-words' });
      await run.client.call(
        'rest',
        'registerDeveloper',
        { accountUserId: 'mallory', name: 'M', email: 'eve@private.example' },
        await run.token('mallory'),
      );
      for (const bearer of [
        `${eve.token}x`,
        issued.key.slice(0, -1),
        'eyJhbGciOiJub25lIn0.eyJzdWIiOiJhIn0.',
        'my-password',
      ])
        for (const api of ['rest', 'graphql'] as const) await run.client.call(api, 'me', {}, bearer);
      await run.client.request('GET', `/api/apps?search=a&key=${eve.key}`);
      await run.client.request('GET', `/${eve.key}`);
      await run.client.request('POST', '/graphql', { body: { query: `{ me { id } } # ${eve.key}` } });
      await run.client.request('POST', '/api/dev/apps', { body: `{"broken": "${eve.key}"` });
      // No client can cause this: PostgreSQL rejects a value, and quotes it in the error.
      await run.sql("alter table developers add constraint odd check (bio <> 'her-private-bio-too')");
      await run.sql("create unique index on apps (md5(description)) where description = 'her-private-words'");
      await run.client.call('rest', 'updateMe', { bio: 'her-private-bio-too' }, eve.key);
      const second = await run.anApp(eve);
      await run.client.call(
        'rest',
        'updateApp',
        { id: second.id, description: 'her-private-words' },
        eve.key,
      );
      await run.sql('alter table api_keys alter column name type integer using 0');
      const wrong = { name: 'her-private-name', scopes: ['APP_READ'] };
      for (const api of ['rest', 'graphql'] as const)
        await run.client.call(api, 'createApiKey', wrong, eve.token);
      await run.call('suspendDeveloper', { id: eve.id, reason: 'a-private-reason' }, admin);
      secrets.push(
        ...[
          eve.key,
          eve.token,
          issued.key,
          admin,
          endpoint.data?.secret ?? 'none',
          'my-password',
          'path-secret',
        ],
        ...[
          'eve@private.example',
          'private.example',
          'her-private',
          'a-name-that-is',
          'a-private-reason',
          app.slug,
        ],
        ...[issued.key.slice(4, 20), eve.token.split('.')[2] ?? '', mailServer.url],
      );
      expect(whole.text()).toContain('"code":"INTERNAL"');
      expect(whole.text()).toContain('request failed');
      expect(whole.text()).toContain('invalid input syntax for type integer');
      while (!whole.text().includes('a job failed')) await delay(50);
    } finally {
      await run.close();
      await mailServer.stop();
    }
    for (const secret of secrets) expect([secret, whole.text().includes(secret)]).toEqual([secret, false]);
  });

  it('has secrets masked, whichever code logs them (D89)', () => {
    const { log, text } = createTestLog();
    const cause = Object.assign(new Error('550 no such user <ada@secret.example>'), {
      response: 'ada@secret.example',
      rejected: ['x'],
    });
    log.error(
      { err: new Error(`bad mkt_${'a'.repeat(38)}`, { cause }) },
      'to bob@secret.example with Bearer abcdef',
    );
    log.error({
      err: Object.assign(new Error('invalid input syntax for type uuid: "hunter2"'), {
        code: '22P02',
        detail: 'hunter2',
        where: 'hunter2',
      }),
    });
    log.error({ err: 'whsec_hunter2' }, 'postgres://user:hunter2@database/x');
    expect(text()).not.toMatch(/secret\.example|aaaaaaaa|abcdef|hunter2/);
    expect(text()).toContain('invalid input syntax for type uuid');
    for (const line of text().trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
  });

  it.each(['x', 'eyJ', 'mkt_', '@x', 'whsec_.'])(
    'is written quickly for a very long word: %s (D89)',
    async (part) => {
      const { log } = createTestLog();
      const write = async () => log.info(`somebody@example.com ${part.repeat(60_000)}`);
      expect(await leastCpuMs(write)).toBeLessThan(maxMs);
    },
  );
});
