import { describe, expect, it } from '@jest/globals';
import { atOnce } from '../support/actors.js';
import { duringTests } from '../support/before-tests.js';
import { until } from '../support/mail-server.js';
import { heapBytes } from '../support/memory.js';
import { startServiceOnLine } from '../support/service-on-line.js';

const service = duringTests(() => startServiceOnLine({}, undefined, { records: false }));

const restarts = 10;
/** Ten restarts fill caches and pools; after that, garbage may stay for a while. */
const maxBatches = 5;
const maxBytesPerRestart = 200_000;

let search = 0;
/** Reads what no cache has, from several connections. */
const read = () =>
  atOnce(8, async () => {
    search += 1;
    return (await fetch(`${service.url}/api/apps?search=text${search}`)).status;
  });

async function restart(): Promise<void> {
  const interrupted = read();
  await service.line.cut();
  await service.line.mend();
  await interrupted;
  await until(async () => (await read()).every((status) => status === 200), 'The service does not answer.');
}

describe('the memory', () => {
  it('does not grow with the number of restarts of the database', async () => {
    const growth = async () => {
      const before = await heapBytes();
      for (let count = 0; count < restarts; count += 1) await restart();
      return ((await heapBytes()) - before) / restarts;
    };
    let least = await growth();
    for (let count = 1; count < maxBatches && least > maxBytesPerRestart; count += 1)
      least = Math.min(least, await growth());
    expect(least).toBeLessThan(maxBytesPerRestart);
  });
});
