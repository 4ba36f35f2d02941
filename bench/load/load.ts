import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { unlessExited } from '../child.js';
import type { LoadOrder, LoadResult } from './load.types.js';

/** Starts the generator's process and sends orders to it. */
export class Load {
  private constructor(private readonly child: ChildProcess) {}

  static async start(): Promise<Load> {
    const path = fileURLToPath(new URL('generator.js', import.meta.url));
    const child = fork(path, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    await unlessExited(child, 'The load generator', once(child, 'message'));
    return new Load(child);
  }

  /** Runs one window and returns its measurements. */
  async run(order: LoadOrder): Promise<LoadResult> {
    this.child.send(order);
    const [message] = (await unlessExited(this.child, 'The load generator', once(this.child, 'message'))) as [
      { result?: LoadResult; failure?: string },
    ];
    if (message.result) return message.result;
    throw new Error(`The load generator could not reach port ${order.port}: ${message.failure}`);
  }

  stop(): void {
    this.child.kill();
  }
}
