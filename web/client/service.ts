import { pathOf } from './settings.ts';
import { Signal } from './signal.ts';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;

/** Returns whether the service can be reached; the shell shows an outage, and the data is read again afterwards. */
export const isServiceUp = new Signal(true);

/** Notes an outage, and asks for the service until it is back. */
export async function noteOutage(): Promise<void> {
  if (!isServiceUp.value) return;
  isServiceUp.value = false;
  for (let wait = FIRST_WAIT_MS; !isServiceUp.value; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    isServiceUp.value = await fetch(pathOf('/readyz'), { cache: 'no-store' }).then(
      ({ ok }) => ok,
      () => false,
    );
  }
}

/** Waits longer after each failed attempt, up to a bound, and not longer than until an outage has ended. */
export function waitToReconnect(attempts: number): Promise<void> {
  const wait = Math.min(FIRST_WAIT_MS * 2 ** attempts, LONGEST_WAIT_MS);
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    // A random part, so that the pages of many people do not come back at the same moment.
    const timer = setTimeout(end, wait * (0.5 + Math.random()));
    const stop = isServiceUp.follow((isUp) => isUp && end());
  });
}
