import { describe, expect, it } from '@jest/globals';
import { requestLog } from '../../src/log.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { startService } from '../support/service.js';
import { createTestLog, logLineOf } from './test-log.js';

const log = createTestLog();
const service = duringTests(() => startService({}, log.log));
const ada = beforeTests(() => service.aDeveloper());

const lineOf = (send: () => Promise<Response>) => logLineOf(log, send);
const graphql =
  (query: string, bearer: string | null = null) =>
  () =>
    service.client.request('POST', '/graphql', { bearer, body: { query } });
const rest =
  (method: string, path: string, bearer: string | null = null) =>
  () =>
    service.client.request(method, path, { bearer });

describe('the log line of a request', () => {
  const common = { ms: expect.any(Number), level: 30 };

  it('has the operation, the caller, the status and the error code of a REST request (D89)', async () => {
    expect(await lineOf(rest('GET', '/api/apps?search=secret-words'))).toMatchObject({
      ...common,
      door: 'rest',
      operation: 'browseApps',
      caller: null,
      status: 200,
      code: null,
    });
    const line = await lineOf(rest('GET', '/api/dev/apps/none', ada.key));
    expect(line).toMatchObject({
      ...common,
      door: 'rest',
      operation: 'myApp',
      status: 404,
      code: 'NOT_FOUND',
    });
    expect(line.caller).toMatch(/^key:[0-9a-f-]{36}$/);
    expect(await lineOf(rest('PATCH', '/api/dev/me'))).toMatchObject({
      ...common,
      door: 'rest',
      operation: 'unknown',
      status: 405,
      code: 'METHOD_NOT_ALLOWED',
    });
  });

  it('has the root fields of a GraphQL document, including those in fragments (D89)', async () => {
    expect(await lineOf(graphql('{ categories { count } }'))).toMatchObject({
      ...common,
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

  it('has a hash of an account id that is an e-mail address (D89)', async () => {
    const token = await service.token('ada@secret.example');
    const { caller } = await lineOf(graphql('{ me { id } }', token));
    expect(caller).toMatch(/^account:[0-9a-f]{16}$/);
  });

  it('has the name of a known page; health checks are logged at debug only (D89)', async () => {
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

  it.each([
    {
      requestId: 'a.B-9',
      door: 'rest',
      operation: 'browseApps',
      caller: null,
      status: 200,
      code: null,
      ms: 0.1,
    },
    {
      requestId: 'mkt_secret123',
      door: 'graphql',
      operation: 'me,myApps,…',
      caller: 'key:1',
      status: 200,
      code: 'NOT_FOUND',
      ms: 3,
    },
    {
      requestId: 'a',
      door: 'site',
      operation: 'unknown',
      caller: 'account:"\\\n\u2028é\ud800@x',
      status: null,
      code: null,
      ms: 12.5,
    },
  ])('is the line that pino would write, within a trace or not (D288)', (fields) => {
    for (const mixin of [undefined, () => ({}), () => ({ trace_id: '0af7', span_id: 'b7ad' })]) {
      const [ours, pinos] = [1, 2].map(() => createTestLog('info', mixin && { mixin }));
      requestLog(ours!.log)('info', fields);
      requestLog(ours!.log)('debug', fields);
      pinos!.log.info(fields, 'request');
      const withoutTime = (text: string) => text.replace(/"time":\d+/, '"time":0');
      expect(withoutTime(ours!.text())).toBe(withoutTime(pinos!.text()));
    }
  });
});
