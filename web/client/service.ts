import { pathOf } from './settings.ts';
import { Signal } from './signal.ts';

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 15_000;

/** Returns whether the service can be reached; the shell shows an outage, and the data is read again afterwards. */
export const isServiceUp = new Signal(true);

/** The next wait. It grows until a request succeeds, also if the service says in between that it is ready. */
let wait = FIRST_WAIT_MS;

/** Notes that a request has succeeded. */
export function noteSuccess(): void {
  wait = FIRST_WAIT_MS;
}

/** Notes an outage, and asks for the service until it is back. */
export async function noteOutage(): Promise<void> {
  if (!isServiceUp.value) return;
  isServiceUp.value = false;
  while (!isServiceUp.value) {
    const waitMs = wait * randomPart();
    wait = Math.min(2 * wait, LONGEST_WAIT_MS);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    isServiceUp.value = (await isReached('/readyz')) && (await isReached('/graphql?query={__typename}'));
  }
}

/** Returns whether a path responds. A refusal is a response, and a server in between that has none answers 502 to 504. */
const isReached = (path: string) =>
  fetch(pathOf(path), { cache: 'no-store' }).then(
    ({ status }) => status < 500 && status !== 429,
    () => false,
  );

/** Spreads the requests of many pages, which all notice an outage at the same moment. */
const randomPart = () => 0.5 + Math.random();

/** Waits longer after each failed attempt, up to a bound, and not longer than until an outage has ended. */
export function waitToReconnect(attempts: number): Promise<void> {
  const waitMs = Math.min(FIRST_WAIT_MS * 2 ** attempts, LONGEST_WAIT_MS) * randomPart();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(end, waitMs);
    const stop = isServiceUp.follow((isUp) => isUp && end());
  });
}
