// The load generator: a separate process that receives orders from its parent and returns measurements.
import { exitWithParent } from '../child.js';
import { ClosedWindow } from './closed-window.js';
import type { LoadOrder } from './load.types.js';
import { OpenWindow } from './open-window.js';

exitWithParent();

process.on('message', (order: LoadOrder) => {
  const { perSecond } = order;
  const window = perSecond === undefined ? new ClosedWindow(order) : new OpenWindow(order, perSecond);
  window.run().then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ failure: String(error) }),
  );
});
process.send?.({ ready: true });
