import { AggregatorRegistry } from 'prom-client';
import type { ClusterLink } from '../app/options.js';
import { StartupError } from '../errors.js';
import { listen } from '../server/listener.js';
import { Channel } from './channel.js';
import { type ProcessContext, runService } from './run-service.js';
import { loadApplication, localUrl, type ServingParts, stopServing } from './serving.js';

/** Everything that a worker process needs to start serving. */
export interface WorkerStart {
  readonly databaseUrl: string;
  /** True for the one that runs the jobs, unless worker processes do. */
  readonly runsJobs: boolean;
}

/** Runs one of several processes that serve requests on the same port (D254). The primary process starts and stops it. */
export async function runClusterWorker(context: ProcessContext): Promise<never> {
  const { config, log, stopping } = context;
  const parts: ServingParts = {};
  const start = Promise.withResolvers<WorkerStart>();
  const ready = Promise.withResolvers<void>();
  // Awaited only when the primary process has asked for the start.
  for (const { promise } of [start, ready]) promise.catch(() => undefined);
  stopping.signal.addEventListener('abort', () => start.reject(stopping.signal.reason));
  const primary = new Channel(process, {
    start: (given: WorkerStart) => {
      start.resolve(given);
      return ready.promise;
    },
    stop: (exitCode: number) => stopping.request({ reason: 'the primary process asks for it', exitCode }),
    hurry: () => stopping.hurryUp(),
    metrics: () => parts.gateway?.metrics() ?? null,
  });
  const serve = async () => {
    parts.listener = await listen(config.host, config.port);
    const loading = loadApplication();
    const { databaseUrl, runsJobs } = await start.promise;
    const { createApp } = await loading;
    const publicUrl = config.publicUrl ?? localUrl(config.host, parts.listener.port);
    const own = { ...config, worksInline: config.worksInline && runsJobs };
    parts.gateway = await createApp(own, { databaseUrl, log, publicUrl, cluster: linkTo(primary) });
    stopping.signal.throwIfAborted();
    parts.listener.serve(parts.gateway.handler);
    ready.resolve();
  };
  return runService(context, {
    start: () =>
      serve().catch(async (error: unknown) => {
        stopping.signal.throwIfAborted();
        ready.reject(error);
        await primary.call('failed', error instanceof Error ? error.message : String(error));
        // The primary process says so once for all of them.
        if (!(error instanceof StartupError)) throw error;
        stopping.request({ reason: 'a failed start', exitCode: 1 });
      }),
    stop: (options) => stopServing(parts, log, options),
  });
}

const linkTo = (primary: Channel): ClusterLink => ({
  takePoints: (...input) => primary.call('takePoints', input),
  async readMetrics() {
    const all = await primary.call<Parameters<typeof AggregatorRegistry.aggregate>[0]>('metrics');
    return AggregatorRegistry.aggregate(all).metrics();
  },
});
