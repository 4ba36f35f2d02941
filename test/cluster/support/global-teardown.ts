/** Prints the table of faults, ends every process of the run and removes its folder. */
// biome-ignore lint/style/noDefaultExport: Jest calls a global hook's default export.
export default async function globalTeardown(): Promise<void> {
  await globalThis.stopTestCluster?.();
}
