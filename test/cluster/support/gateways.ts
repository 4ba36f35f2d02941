import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePorts, type RunningProgram, startProgram } from './processes.js';
import { runFolder } from './run-folder.js';

const dist = resolve(import.meta.dirname, '../../../dist/src');
const SECRETS_KEY = Buffer.alloc(32, 7).toString('base64');

/** A gateway that can be killed and started again at the same address. */
export interface ClusterGateway {
  readonly url: string;
  program(): RunningProgram;
  /** Starts it, and waits until it is ready. */
  start(): Promise<void>;
  /** Starts it again after a kill. */
  restart(signal?: NodeJS.Signals): Promise<void>;
}

/** Settings of all processes of a run, so that they accept the same tokens and decrypt the same secrets. */
const commonSettings = (settings: Record<string, string>): Record<string, string> => ({
  RATE_LIMITS: 'off',
  QUOTA_APPS: '0',
  QUOTA_APPS_UNVERIFIED: '0',
  QUOTA_KEYS: '0',
  QUOTA_MESSAGES: '0',
  QUOTA_VERSIONS: '0',
  QUOTA_REPORTS: '0',
  QUOTA_PREFLIGHTS: '0',
  QUOTA_WEBHOOK_TESTS: '0',
  QUOTA_IDEMPOTENCY_KEYS: '0',
  ASSET_CHECKS: 'off',
  SEED: 'none',
  WEB: 'off',
  SECRETS_KEY,
  // Holds the key of the development issuer, which all gateways share.
  DATA_DIR: join(runFolder(), 'gateway-data'),
  ...settings,
});

/** Starts a gateway as `npm start` does, with only these settings. */
export async function startGateway(name: string, settings: Record<string, string>): Promise<ClusterGateway> {
  const [port = 0] = await freePorts(1);
  const url = `http://127.0.0.1:${port}`;
  let program: RunningProgram;
  const start = async () => {
    program = startProgram(name, process.execPath, [join(dist, 'main.js')], {
      env: commonSettings({ PORT: String(port), ...settings }),
    });
    await isReady(url, program);
  };
  await start();
  return {
    url,
    program: () => program,
    start,
    async restart(signal = 'SIGKILL') {
      await program.end(signal);
      await start();
    },
  };
}

/** Starts a worker as `npm run worker` does. */
export function startWorker(name: string, settings: Record<string, string>): RunningProgram {
  return startProgram(name, process.execPath, [join(dist, 'process/worker-main.js')], {
    env: commonSettings(settings),
  });
}

/** Waits until a gateway says that it is ready; throws if its process ends. */
async function isReady(url: string, program: RunningProgram): Promise<void> {
  while (program.isRunning()) {
    const response = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
    if (response?.ok) return;
    await delay(50);
  }
  throw new Error(`The gateway has ended before it was ready:\n${program.output()}`);
}
