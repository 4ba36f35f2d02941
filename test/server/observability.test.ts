import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Logger, pino } from 'pino';
import { logOptions } from '../../src/log.js';
import { type Developer, unique } from '../support/actors.js';
import { MailServer } from '../support/mail-server.js';
import { type Service, startService } from '../support/service.js';

interface RequestLine {
  msg: string;
  level: number;
  requestId: string;
  door: string;
  operation: string;
  caller: string | null;
  status: number | null;
  code: string | null;
  ms: number;
}

/** A log as the service makes it, that the test can read. */
function aLog(level = 'info'): { log: Logger; text: () => string; requests: () => RequestLine[] } {
  const lines: string[] = [];
  const log = pino(logOptions(level), { write: (line: string) => void lines.push(line) });
  return {
    log,
    text: () => lines.join(''),
    requests: () =>
      lines.map((line) => JSON.parse(line) as RequestLine).filter(({ msg }) => msg === 'request'),
  };
}

let service: Service;
let ada: Developer;
const log = aLog();
beforeAll(async () => {
  service = await startService({}, log.log);
  ada = await service.aDeveloper();
});
afterAll(() => service.close());

const lineOf = async (send: () => Promise<Response>) => {
  const response = await send();
  await response.arrayBuffer();
  const id = response.headers.get('x-request-id');
  const deadline = performance.now() + 2_000;
  // The line comes after the last byte.
  while (performance.now() < deadline) {
    const line = log.requests().find(({ requestId }) => requestId === id);
    if (line) return line;
    await new Promise(setImmediate);
  }
  throw new Error('there is no such line');
};
const graphql =
  (query: string, bearer: string | null = null) =>
  () =>
    service.doors.request('POST', '/graphql', { bearer, body: { query } });
const rest =
  (method: string, path: string, bearer: string | null = null, body?: unknown) =>
  () =>
    service.doors.request(method, path, { bearer, ...(body !== undefined && { body }) });

describe('a line of the log', () => {
  const some = { ms: expect.any(Number), level: 30 };

  it('says of a REST request what was asked, by whom, and what became of it (D89)', async () => {
    expect(await lineOf(rest('GET', '/api/apps?search=secret-words'))).toMatchObject({
      ...some,
      door: 'rest',
      operation: 'browseApps',
      caller: null,
      status: 200,
      code: null,
    });
    const line = await lineOf(rest('GET', '/api/dev/apps/none', ada.key));
    expect(line).toMatchObject({ ...some, door: 'rest', operation: 'myApp', status: 404, code: 'NOT_FOUND' });
    expect(line.caller).toMatch(/^key:[0-9a-f-]{36}$/);
    expect(await lineOf(rest('PATCH', '/api/dev/me'))).toMatchObject({
      ...some,
      door: 'rest',
      operation: 'unknown',
      status: 405,
      code: 'METHOD_NOT_ALLOWED',
    });
  });

  it('names the root fields of a GraphQL document, those in fragments included (D89)', async () => {
    expect(await lineOf(graphql('{ categories { count } }'))).toMatchObject({
      ...some,
      door: 'graphql',
      operation: 'categories',
      status: 200,
      code: null,
    });
    const document = `query { a: me { id } b: me { id } ...more } fragment more on Query { myApps { id } ... { categories { count } } }`;
    expect(await lineOf(graphql(document, ada.token))).toMatchObject({
      operation: 'me,myApps,categories',
      caller: `account:${ada.accountUserId}`,
      code: null,
    });
    expect(await lineOf(graphql('mutation { deleteApp(id: "x") { id } }'))).toMatchObject({
      operation: 'deleteApp',
      status: 200,
      code: 'UNAUTHENTICATED',
    });
    expect(await lineOf(graphql('{ nonsense'))).toMatchObject({
      operation: 'unknown',
      status: 400,
      code: 'VALIDATION_FAILED',
    });
    expect(await lineOf(graphql('{ __schema { types { name } } }'))).toMatchObject({
      operation: 'introspection',
    });
  });

  it('does not hold an account’s id that is an e-mail address (D89)', async () => {
    const token = await service.token('ada@secret.example');
    const { caller } = await lineOf(graphql('{ me { id } }', token));
    expect(caller).toMatch(/^account:[0-9a-f]{16}$/);
  });

  it('names pages by what we know, and health only at debug (D89)', async () => {
    expect(await lineOf(rest('GET', '/docs/'))).toMatchObject({ door: 'site', operation: 'docs' });
    expect(await lineOf(rest('GET', '/my-password'))).toMatchObject({
      door: 'site',
      operation: 'unknown',
      code: 'NOT_FOUND',
    });
    const before = log.requests().length;
    await rest('GET', '/livez')();
    await rest('GET', '/readyz')();
    await lineOf(rest('GET', '/'));
    expect(
      log
        .requests()
        .slice(before)
        .map(({ operation }) => operation),
    ).toEqual(['home']);
  });
});

describe('the log of a whole run', () => {
  it('holds nothing that is secret, however it came there (D89)', async () => {
    const whole = aLog('trace');
    const mailServer = await MailServer.start({ answerTo: (who) => `450 The mailbox of ${who} is busy` });
    const run = await startService({ WORKER: 'inline', SMTP_URL: mailServer.url }, whole.log);
    const secrets: string[] = [];
    try {
      const eve = await run.aDeveloper({ email: 'eve@private.example', bio: 'her-private-bio' });
      const issued = await run.anIssuedKey(eve);
      const admin = await run.admin();
      const webhook = { url: 'https://hooks.example/path-secret', events: ['app.submitted'] };
      const endpoint = await run.doors.call<{ secret: string }>(
        'graphql',
        'createWebhookEndpoint',
        webhook,
        eve.token,
      );
      const app = await run.anApp(eve, 'APPROVED', { description: 'her-private-words' });
      await run.doors.call(
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
        for (const door of ['rest', 'graphql'] as const) await run.doors.call(door, 'me', {}, bearer);
      await run.doors.request('GET', `/api/apps?search=a&key=${eve.key}`);
      await run.doors.request('GET', `/${eve.key}`);
      await run.doors.request('POST', '/graphql', { body: { query: `{ me { id } } # ${eve.key}` } });
      await run.doors.request('POST', '/api/dev/apps', { body: `{"broken": "${eve.key}"` });
      // What no caller can cause: PostgreSQL refuses a value, and quotes it.
      await run.sql("alter table developers add constraint odd check (bio <> 'her-private-bio-too')");
      await run.sql("create unique index on apps (md5(description)) where description = 'her-private-words'");
      await run.doors.call('rest', 'updateMe', { bio: 'her-private-bio-too' }, eve.key);
      const second = await run.anApp(eve);
      await run.doors.call('rest', 'updateApp', { id: second.id, description: 'her-private-words' }, eve.key);
      await run.sql('alter table api_keys alter column name type integer using 0');
      const wrong = { name: 'her-private-name', scopes: ['APP_READ'] };
      for (const door of ['rest', 'graphql'] as const)
        await run.doors.call(door, 'createApiKey', wrong, eve.token);
      await run.doors.call('graphql', 'suspendDeveloper', { id: eve.id, reason: 'a-private-reason' }, admin);
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

  it('masks what looks like a secret, whoever logs it (D89)', () => {
    const { log: any, text } = aLog();
    const cause = Object.assign(new Error('550 no such user <ada@secret.example>'), {
      response: 'ada@secret.example',
      rejected: ['x'],
    });
    any.error(
      { err: new Error(`bad mkt_${'a'.repeat(38)}`, { cause }) },
      'to bob@secret.example with Bearer abcdef',
    );
    any.error({
      err: Object.assign(new Error('invalid input syntax for type uuid: "hunter2"'), {
        code: '22P02',
        detail: 'hunter2',
        where: 'hunter2',
      }),
    });
    any.error({ err: 'whsec_hunter2' }, 'postgres://user:hunter2@database/x');
    expect(text()).not.toMatch(/secret\.example|aaaaaaaa|abcdef|hunter2/);
    expect(text()).toContain('invalid input syntax for type uuid');
    for (const line of text().trim().split('\n')) expect(() => JSON.parse(line)).not.toThrow();
  });
});

describe('a very long word in the log', () => {
  it.each(['x', 'eyJ', 'mkt_', '@x', 'whsec_.'])(
    'takes no longer for being looked through for secrets: %s (D89)',
    (part) => {
      const { log } = aLog('info');
      const started = performance.now();
      log.info(`somebody@example.com ${part.repeat(60_000)}`);
      expect(performance.now() - started).toBeLessThan(5_000);
    },
  );
});

describe('the metrics', () => {
  const metrics = async (bearer: string | null = null) => rest('GET', '/metrics', bearer)();

  it('count answers by door, operation and code, and how long they took (D89)', async () => {
    await lineOf(rest('GET', '/api/apps/none-such'));
    await lineOf(graphql('{ featuredApps { slug } }'));
    const text = await (await metrics()).text();
    expect(text).toMatch(/^marketplace_requests_total\{door="rest",operation="app",code="NOT_FOUND"\} 1$/m);
    expect(text).toMatch(
      /^marketplace_requests_total\{door="graphql",operation="featuredApps",code="OK"\} 1$/m,
    );
    expect(text).toMatch(/^marketplace_request_duration_seconds_count\{door="rest",operation="app"\} 1$/m);
    for (const state of ['used', 'idle', 'waiting'])
      expect(text).toMatch(new RegExp(`^marketplace_database_connections\\{state="${state}"\\} \\d+$`, 'm'));
    expect(text).toMatch(/^marketplace_jobs\{queue="notifications",state="created"\} [1-9]\d*$/m);
    expect(text).toMatch(/^marketplace_jobs\{queue="webhook-deliveries",state="failed"\} 0$/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
    expect(text).toMatch(/^process_resident_memory_bytes /m);
  });

  it('have no more labels than there are names, whatever is asked for (D89)', async () => {
    for (const path of [unique('/a'), unique('/api/b'), unique('/api/dev/c')])
      await lineOf(rest('GET', path));
    await lineOf(graphql(`{ ${unique('x').replaceAll('-', '')} }`));
    const text = await (await metrics()).text();
    const labels = [...text.matchAll(/^marketplace_requests_total\{(.*)\}/gm)].map(([, label]) => label);
    expect(labels.join('\n')).not.toMatch(/[0-9a-f]{8}-/);
    expect(labels).toContain('door="rest",operation="unknown",code="NOT_FOUND"');
  });

  it('are for whoever has the token, and for nobody in production without one (D89)', async () => {
    const token = 'a-token-of-the-operators';
    const guarded = await startService({ METRICS_TOKEN: token });
    try {
      const ask = (bearer: string | null) => guarded.doors.request('GET', '/metrics', { bearer });
      expect((await ask(token)).status).toBe(200);
      for (const bearer of [null, 'x', `${token}x`, await guarded.admin()]) {
        const refused = await ask(bearer);
        expect(refused.status).toBe(404);
        expect(await refused.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
      }
    } finally {
      await guarded.close();
    }
  });
});
