import { DatabaseLine } from '../../support/database-line.js';
import { MailServer } from '../../support/mail-server.js';
import { startTestProvider } from '../../support/oidc-provider.js';
import { type ClusterGateway, startGateway, startWorker } from './gateways.js';
import type { Sql } from './ledger.js';
import { queryOnce } from './patroni-node.js';
import { type PostgresServer, startPostgresServer } from './postgres-server.js';
import { freePorts, type RunningProgram } from './processes.js';

type Provider = Awaited<ReturnType<typeof startTestProvider>>;

/** Two gateways and a worker, a database behind a line that can be cut, a mail server and an identity provider. */
export interface Installation {
  readonly server: PostgresServer;
  readonly line: DatabaseLine;
  readonly gateways: readonly ClusterGateway[];
  readonly mails: MailServer;
  readonly provider: Provider;
  /** Runs SQL on the database, not through the line. */
  readonly sql: Sql;
  worker(): RunningProgram;
  /** Kills the worker and starts it again. */
  restartWorker(): Promise<void>;
  close(): Promise<void>;
}

export async function startInstallation(): Promise<Installation> {
  const server = await startPostgresServer('postgres');
  const line = await DatabaseLine.to(server.url, { records: false });
  const mails = await MailServer.start();
  const provider = await startTestProvider();
  const [port = 0] = await freePorts(1);
  const settings = {
    DATABASE_URL: line.url,
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    OIDC_ISSUER: provider.issuer,
    SMTP_URL: mails.url,
  };
  const atGateways = { ...settings, WORKER: 'off' };
  const gateways = [await startGateway('gateway1', atGateways), await startGateway('gateway2', atGateways)];
  let worker = startWorker('worker', settings);
  // A fault during its start would end it, as a worker without a database does.
  await worker.says(/the worker is ready/);
  return {
    server,
    line,
    gateways,
    mails,
    provider,
    sql: (text) => queryOnce(server.url, text),
    worker: () => worker,
    restartWorker: async () => {
      await worker.end('SIGKILL');
      worker = startWorker('worker', settings);
    },
    close: async () => {
      for (const gateway of gateways) await gateway.program().end('SIGKILL');
      await worker.end('SIGKILL');
      await line.cut();
      await mails.stop();
      await provider.close();
      await server.close();
    },
  };
}
