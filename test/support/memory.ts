import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Returns the size of the heap without its garbage. */
export async function heapBytes(): Promise<number> {
  // V8 frees long names of fields only at the second collection.
  for (let count = 0; count < 3; count += 1) {
    collectGarbage();
    await nextTurn();
  }
  return process.memoryUsage().heapUsed;
}
