import { registerHooks } from 'node:module';

declare global {
  var stopTestCluster: (() => Promise<void>) | undefined;
}

// Jest loads this file outside of its module system, where `./x.js` is not mapped to `./x.ts`.
registerHooks({
  resolve(specifier, context, nextResolve) {
    try {
      return nextResolve(specifier, context);
    } catch (error) {
      if (!/^\.{1,2}\/.*\.js$/.test(specifier)) throw error;
      return nextResolve(specifier.replace(/\.js$/, '.ts'), context);
    }
  },
});

/** Starts the PostgreSQL of the run. */
// biome-ignore lint/style/noDefaultExport: Jest calls a global hook's default export.
export default async function globalSetup(): Promise<void> {
  const { startTestCluster } = await import('./test-cluster.js');
  const stop = await startTestCluster();
  globalThis.stopTestCluster = stop;
  // Jest skips its teardown on these.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => stop().finally(() => process.exit(130)));
  }
}
