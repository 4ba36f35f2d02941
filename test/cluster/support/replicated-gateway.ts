import { pino } from 'pino';
import type { Gateway } from '../../../src/app/options.js';
import { createApp } from '../../../src/app.js';
import { loadConfig } from '../../../src/config.js';
import { buildGraphQLSchema } from '../../../src/graphql/schema.js';
import { listen } from '../../../src/server/listener.js';
import { Actors } from '../../support/actors.js';
import { ApiClient } from '../../support/api-client.js';
import { DatabaseLine } from '../../support/database-line.js';
import { until } from '../../support/mail-server.js';
import { graphqlRequest, sendRequest } from '../../support/send-request.js';
import { makeFolder } from './processes.js';

const PATIENCE_MS = 60_000;

interface LogLine {
  readonly level: number;
  readonly time: number;
  readonly replica?: string;
  readonly problem?: string;
}

/** A gateway in this process whose statements on the primary can be read, and whose use of replicas can be seen. */
export class ReplicatedGateway {
  private constructor(
    readonly url: string,
    readonly line: DatabaseLine,
    readonly actors: Actors,
    private readonly gateway: Gateway,
    /** The log lines, from the level `info` on. */
    readonly logged: readonly LogLine[],
    readonly close: () => Promise<void>,
  ) {}

  static async start(
    name: string,
    primaryUrl: string,
    replicaUrls: readonly string[],
  ): Promise<ReplicatedGateway> {
    const line = await DatabaseLine.to(primaryUrl);
    const listener = await listen('127.0.0.1', 0);
    const url = `http://127.0.0.1:${listener.port}`;
    const config = loadConfig({
      DATABASE_URL: line.url,
      DATABASE_REPLICA_URLS: replicaUrls.join(','),
      DATA_DIR: await makeFolder(name, null),
      WORKER: 'off',
      RATE_LIMITS: 'off',
      WEB: 'off',
      QUOTA_APPS: '0',
    });
    const logged: LogLine[] = [];
    const write = (line: string) => {
      logged.push(JSON.parse(line));
      if (process.env.TEST_LOG) process.stdout.write(line);
    };
    const log = pino({ level: process.env.TEST_LOG ?? 'info' }, { write });
    const gateway = await createApp(config, { databaseUrl: line.url, log, publicUrl: url });
    listener.serve(gateway.handler);
    const actors = new Actors(new ApiClient(url, await buildGraphQLSchema()), async () => []);
    return new ReplicatedGateway(url, line, actors, gateway, logged, async () => {
      await listener.close({ withinMs: 0, signal: AbortSignal.abort() });
      await gateway.close();
      await line.cut();
    });
  }

  get figures() {
    return this.gateway.cache.replicas!.figures;
  }

  /** Returns the statements on the primary that the work causes if the catalog does not change meanwhile. */
  async statementsOnPrimary(work: () => Promise<unknown>): Promise<string[]> {
    const { catalog } = this.gateway.cache;
    for (;;) {
      await this.untilRead();
      const version = catalog.current;
      const statements = await this.line.listenIn(work);
      if (version === catalog.current) return statements;
    }
  }

  /** Statements that the replicas have answered. */
  get reads(): number {
    return this.figures.reduce((sum, { reads }) => sum + reads, 0);
  }

  /** Waits until exactly these of the replicas are used. Null: it is the primary. */
  async untilUsed(expected: readonly (boolean | null)[]): Promise<void> {
    await until(
      () => this.figures.every(({ isUsed }, at) => isUsed === expected[at]),
      () => `the replicas are ${JSON.stringify(this.figures)}`,
      PATIENCE_MS,
    );
  }

  /** Reads until a replica answers: after a change, the first read only asks for the position of the primary. */
  async untilRead(): Promise<void> {
    for (const before = this.reads; this.reads === before; ) await this.readUncached('categories { count }');
  }

  /** Reads an app by a request that no cache has seen. */
  async description(slug: string): Promise<string> {
    const { description } = await this.readUncached<{ description: string }>(
      `app(slug: "${slug}") { description }`,
    );
    return description;
  }

  /** Reads an app as most clients do; the response may be cached. */
  async cachedDescription(slug: string): Promise<string> {
    const { status, body } = await sendRequest(this.url, { path: `/api/apps/${slug}` });
    if (status !== 200) throw new Error(body);
    return JSON.parse(body).description;
  }

  async edit(id: string, description: string): Promise<void> {
    const reason = 'For a reason.';
    await this.actors.must('editApp', { id, description, reason }, await this.actors.admin());
  }

  /** Number of edits of an app in the audit log. */
  async edits(appId: string): Promise<number> {
    const { data, errors } = await this.ask(
      `{ auditLog(filter: { appId: "${appId}", kind: "app.edited" }, first: 1) { totalCount } }`,
      await this.actors.admin(),
    );
    if (errors) throw new Error(JSON.stringify(errors));
    return data.auditLog.totalCount;
  }

  /** Installs of an app in the analytics of its developer: their sum, and today's point of the series. */
  async installs(appId: string, key: string): Promise<{ total: number; today: number }> {
    const today = new Date().toISOString().slice(0, 10);
    const range = `metric: INSTALLS, from: "${today}", to: "${today}"`;
    const { data, errors } = await this.ask(
      `{ appAnalytics(id: "${appId}") { installCount series(${range}) { value } } }`,
      key,
    );
    if (errors) throw new Error(JSON.stringify(errors));
    return { total: data.appAnalytics.installCount, today: data.appAnalytics.series[0].value };
  }

  /** Reads a public field under a name of its own, so that the response is in no cache. */
  private async readUncached<T>(field: string): Promise<T> {
    const alias = `a${crypto.randomUUID().replaceAll('-', '')}`;
    const { body } = await sendRequest(this.url, graphqlRequest(`{ ${alias}: ${field} }`));
    const { data, errors } = JSON.parse(body);
    if (errors) throw new Error(body);
    return data[alias];
  }

  private async ask(document: string, bearer: string) {
    const request = graphqlRequest(document, {}, { authorization: `Bearer ${bearer}` });
    return JSON.parse((await sendRequest(this.url, request)).body);
  }
}
