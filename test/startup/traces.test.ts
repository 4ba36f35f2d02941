import { describe, expect, it } from '@jest/globals';
import { until } from '../support/mail-server.js';
import { RawConnection } from '../support/raw-connection.js';
import { TraceReceiver } from '../support/trace-receiver.js';
import { type Gateway, startWorkerProcess } from './gateway.js';
import { gatewaysOnOneDatabase } from './shared-database.js';

const { database, start } = gatewaysOnOneDatabase();

const stop = async (gateway: Gateway) => {
  expect(await gateway.end()).toBe(0);
};

/** Sends many requests that need no database, at once, and waits for all responses. */
async function sendMany(url: string): Promise<void> {
  const connection = new RawConnection(url);
  connection.send('GET /api/none HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(599));
  connection.send('GET /api/none HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  const { text } = await connection.readUntilClosed();
  expect(text.match(/HTTP\/1\.1 404 /g)).toHaveLength(600);
}

describe('OTEL_EXPORTER_OTLP_ENDPOINT', () => {
  it('loads OpenTelemetry; without it only the interfaces are loaded that prom-client requires', async () => {
    const receiver = await TraceReceiver.start();
    const printLoaded = `
      import { registerHooks } from 'node:module';
      registerHooks({ load(url, context, next) {
        if (/opentelemetry/.test(url)) process.stderr.write('loaded ' + url + '\\n');
        return next(url, context);
      } });`;
    const loadedWith = async (settings: Record<string, string>) => {
      const hook = `--import=data:text/javascript,${encodeURIComponent(printLoaded)}`;
      const gateway = start({ NODE_OPTIONS: hook, ...settings });
      const url = await gateway.url();
      expect((await fetch(`${url}/api/apps`)).status).toBe(200);
      await stop(gateway);
      const files = [
        ...gateway.output().matchAll(/^loaded \S+?\/(node_modules\/@?[\w-]+\/[\w-]+|dist\/\S+)/gm),
      ];
      return [...new Set(files.map(([, file]) => file))].sort();
    };
    expect(await loadedWith({})).toEqual(['node_modules/@opentelemetry/api']);
    expect(await loadedWith({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url })).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^dist\/src\/chunks\/opentelemetry-/),
        'node_modules/@opentelemetry/sdk-trace',
      ]),
    );
    receiver.close();
  }, 120_000);

  it('gets the spans of every process, the last ones at its end', async () => {
    const receiver = await TraceReceiver.start();
    const gateway = start({
      WEB_CONCURRENCY: '2',
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_SERVICE_NAME: 'shop',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
    const url = await gateway.url();
    // Connections go to the processes in turn.
    for (let sent = 0; sent < 4; sent += 1)
      await fetch(`${url}/api/apps`, { headers: { 'x-request-id': `sent-${sent}`, connection: 'close' } });
    await stop(gateway);
    const requests = receiver.spans.filter(({ name }) => name === 'GET /api/apps');
    expect(requests.map(({ attributes }) => attributes['marketplace.request_id']).sort()).toEqual(
      [0, 1, 2, 3].map((sent) => `sent-${sent}`),
    );
    expect(new Set(requests.map(({ resource }) => resource['process.pid'])).size).toBe(2);
    expect(requests[0]?.resource).toMatchObject({
      'service.name': 'shop',
      'deployment.environment.name': 'test',
    });
    receiver.close();
  }, 120_000);

  it('gets the trace of a request from the gateway and from the worker that sends its mail (D273)', async () => {
    const receiver = await TraceReceiver.start();
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, LOG_LEVEL: 'warn' };
    // A mail server that is away, so that the job fails.
    const smtp = { SMTP_URL: 'smtp://127.0.0.1:1' };
    const worker = startWorkerProcess({ DATABASE_URL: database.url, ...settings, ...smtp });
    const gateway = start({ WORKER: 'off', ...settings });
    const url = await gateway.url();
    const post = async <T>(path: string, body: object, token = ''): Promise<T> => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
      const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await response.json()) as T;
    };
    const tokenOf = async (account: object) =>
      (await post<{ accessToken: string }>('/dev/token', account)).accessToken;
    const profile = '{ accountUserId: "traced", name: "Ada", email: "ada@example.com" }';
    const { data } = await post<{ data: { registerDeveloper: { id: string } } }>(
      '/graphql',
      { query: `mutation { registerDeveloper(input: ${profile}) { id } }` },
      await tokenOf({ accountUserId: 'traced' }),
    );
    await post(
      '/graphql',
      { query: `mutation { verifyDeveloper(id: "${data.registerDeveloper.id}") { id } }` },
      await tokenOf({ accountUserId: 'reviewer', admin: true }),
    );
    await worker.says('a job failed and will be tried again');
    await worker.end();
    await stop(gateway);
    const operation = await receiver.find(({ name }) => name === 'verifyDeveloper');
    const job = await receiver.find(({ name }) => name === 'process notifications');
    expect(job.traceId).toBe(operation.traceId);
    expect(operation.resource['process.pid']).toBe(gateway.process.pid);
    expect(job.resource['process.pid']).toBe(worker.process.pid);
    expect(job.isFailure).toBe(true);
    const failure = worker
      .output()
      .split('\n')
      .find((line) => line.includes('a job failed'));
    expect(failure).toContain(`"trace_id":"${job.traceId}"`);
    receiver.close();
  }, 120_000);

  it('that refuses connections fails no request, and costs a line in the log, not one for each export', async () => {
    const gateway = start({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1',
      OTEL_EXPORTER_OTLP_TIMEOUT: '50',
      LOG_LEVEL: 'warn',
    });
    const url = await gateway.url();
    const warnings = () => gateway.output().match(/traces could not be exported/g)?.length ?? 0;
    await sendMany(url);
    await until(
      () => warnings() > 0,
      () => `no warning: ${gateway.output()}`,
    );
    for (let round = 0; round < 3; round += 1) await sendMany(url);
    await stop(gateway);
    expect(warnings()).toBe(1);
  }, 120_000);

  it('with OTEL_TRACES_SAMPLER=always_off gets nothing (D272)', async () => {
    const receiver = await TraceReceiver.start();
    const gateway = start({
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_TRACES_SAMPLER: 'always_off',
    });
    expect((await fetch(`${await gateway.url()}/api/apps`)).status).toBe(200);
    await stop(gateway);
    expect(receiver.spans).toEqual([]);
    receiver.close();
  }, 120_000);
});
