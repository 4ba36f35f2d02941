import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { unlessEnded } from '../child.js';
import type { LoadOrder, LoadResult } from './load.types.js';

/** The generator's process, as the bench sees it. */
export class Load {
  private constructor(private readonly child: ChildProcess) {}

  static async start(): Promise<Load> {
    const path = fileURLToPath(new URL('generator.js', import.meta.url));
    const child = fork(path, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    await unlessEnded(child, 'The load generator', once(child, 'message'));
    return new Load(child);
  }

  /** Runs one window and waits for its figures. */
  async run(order: LoadOrder): Promise<LoadResult> {
    this.child.send(order);
    const [answer] = (await unlessEnded(this.child, 'The load generator', once(this.child, 'message'))) as [
      { result?: LoadResult; failure?: string },
    ];
    if (answer.result) return answer.result;
    throw new Error(`The load generator could not reach port ${order.port}: ${answer.failure}`);
  }

  stop(): void {
    this.child.kill();
  }
}
