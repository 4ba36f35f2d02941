/**
 * The bound of processor time in these tests, in milliseconds. A request may cost 100 (D100), which `test/fuzz/cost`
 * measures on a gateway in a process of its own; here the test itself and its garbage count too, and on a busy machine
 * the same work takes several times as long. What D100 forbids cost seconds.
 */
export const maxMs = 400;
/** What looks dear may be garbage of an earlier request: it is measured again. */
const tries = 5;

/** The processor time of this process, which runs the service, in milliseconds: the least of several tries. */
export async function leastCpuMs(work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < tries && least > maxMs; attempt += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}
