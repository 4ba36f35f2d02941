/** Stops the PostgreSQL that global-setup.ts has started. */
// biome-ignore lint/style/noDefaultExport: Jest calls a global hook's default export.
export default async function globalTeardown(): Promise<void> {
  await globalThis.stopTestCluster?.();
}
