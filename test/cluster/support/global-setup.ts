import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';

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

/** Checks that every program is there, and prepares the folder and the PostgreSQL that the test files share. */
// biome-ignore lint/style/noDefaultExport: Jest calls a global hook's default export.
export default async function globalSetup(): Promise<void> {
  const { requirePrograms } = await import('./programs.js');
  const { endRun, makeRunFolder } = await import('./run-folder.js');
  const { printFaults } = await import('./fault-table.js');
  const { startTestCluster } = await import('../../support/test-cluster.js');
  requirePrograms();
  const folder = makeRunFolder();
  writeFileSync(join(folder, 'owner.pid'), String(process.pid));
  const stopTestCluster = await startTestCluster();
  const stop = async () => {
    printFaults(folder);
    await stopTestCluster();
    endRun(folder);
  };
  globalThis.stopTestCluster = stop;
  // Jest skips its teardown on these.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => stop().finally(() => process.exit(130)));
  }
}
