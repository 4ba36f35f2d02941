import { PointCounts } from '../limits/point-counts.js';
import { ClusterWorkers } from './cluster-workers.js';
import { type OpenDatabase, openDatabase, prepareDatabase } from './database.js';
import { announceReady, type ProcessContext, runService, stopPart } from './run-service.js';
import { localUrl } from './serving.js';

/**
 * Runs the service in several processes that share one port (D254). This one serves no requests: it has the embedded
 * database, migrates, starts the others, replaces those that end, and counts for all of them.
 */
export async function runPrimary(context: ProcessContext): Promise<never> {
  const { config, log, stopping } = context;
  const counts = config.rateLimits && new PointCounts(config.rateLimits);
  const workers = new ClusterWorkers(config.webConcurrency, log, {
    takePoints: (input: Parameters<PointCounts['take']>) => counts?.take(...input),
    metrics: () => workers.metrics(),
  });
  let database: OpenDatabase | undefined;
  return runService(context, {
    async start() {
      stopping.hurry.addEventListener('abort', () => workers.tell('hurry'));
      const port = await workers.listen();
      const url = localUrl(config.host, port);
      database = await openDatabase(config, log, stopping);
      await prepareDatabase(config, database, config.publicUrl ?? url, stopping.signal);
      await workers.start(database.url);
      workers.gaveUp.then(() => stopping.request({ reason: 'no worker process can start', exitCode: 1 }));
      announceReady(context, { port, localUrl: url, database });
    },
    async stop({ exitCode }) {
      await workers.stop(exitCode);
      await stopPart(log, 'the database', database?.embedded?.stop());
    },
  });
}
