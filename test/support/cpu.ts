/** Processor time of `referenceWork()` where the bound was chosen, in milliseconds. */
const referenceMs = 40;
const slowness = slownessNow();

/**
 * The bound of processor time in these tests, in milliseconds: higher on a machine that is slower or busy. A request may
 * cost 100 (D100), which `test/fuzz/cost` measures on a gateway in a process of its own; here the test itself and its
 * garbage count too. What D100 forbids costs seconds.
 */
export const maxMs = 400 * slowness;
const maxTries = 5;

/**
 * Returns the processor time of this process, which runs the service, in milliseconds. A result above the bound may be
 * garbage collection of an earlier request, so it is measured again.
 */
export async function leastCpuMs(work: () => Promise<unknown>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < maxTries && least > maxMs; tries += 1) {
    const startedAt = process.cpuUsage();
    await work();
    least = Math.min(least, cpuMsSince(startedAt));
  }
  return least;
}

/** Returns how many times as long as where the bounds were chosen this machine takes for the same work at this moment; 1 at least. */
export function slownessNow(): number {
  const before = process.cpuUsage();
  referenceWork();
  return Math.max(1, cpuMsSince(before) / referenceMs);
}

function cpuMsSince(startedAt: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(startedAt);
  return (user + system) / 1000;
}

/** Normalises and parses text, as the service does. */
function referenceWork(): void {
  const text = JSON.stringify(Array.from({ length: 20_000 }, (_, index) => ({ name: `n\u0301 ${index}` })));
  for (let round = 0; round < 3; round += 1) JSON.parse(text.normalize('NFC'));
}
