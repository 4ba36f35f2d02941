import { listen } from '../server/listener.js';
import { type OpenDatabase, openDatabase, prepareDatabase } from './database.js';
import { announceReady, type ProcessContext, runService, stopPart } from './run-service.js';
import { loadApplication, localUrl, type ServingParts, stopServing } from './serving.js';

/** Runs the whole service in this process. */
export async function runSingle(context: ProcessContext): Promise<never> {
  const { config, log, stopping } = context;
  const { signal } = stopping;
  const parts: ServingParts & { database?: OpenDatabase } = {};
  return runService(context, {
    async start() {
      parts.listener = await listen(config.host, config.port);
      const url = localUrl(config.host, parts.listener.port);
      const publicUrl = config.publicUrl ?? url;
      const loading = loadApplication();
      parts.database = await openDatabase(config, log, stopping);
      await prepareDatabase(config, parts.database, publicUrl, signal);
      const { createApp } = await loading;
      parts.gateway = await createApp(config, { databaseUrl: parts.database.url, log, publicUrl });
      signal.throwIfAborted();
      parts.listener.serve(parts.gateway.handler);
      announceReady(context, { port: parts.listener.port, localUrl: url, database: parts.database });
    },
    // The database outlives the last request.
    async stop(options) {
      await stopServing(parts, log, options);
      await stopPart(log, 'the database', parts.database?.embedded?.stop());
    },
  });
}
