import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { LoadOrder, LoadResult } from './load.types.js';

/** The generator's process, as the bench sees it. */
export class Load {
  private constructor(private readonly child: ChildProcess) {}

  static async start(): Promise<Load> {
    const path = new URL('generator.js', import.meta.url).pathname;
    const child = fork(path, { serialization: 'advanced', stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    await once(child, 'message');
    return new Load(child);
  }

  /** Runs one window and waits for its figures. */
  async run(order: LoadOrder): Promise<LoadResult> {
    const ended = new AbortController();
    const died = once(this.child, 'exit', { signal: ended.signal }).then(() => {
      throw new Error('The load generator died');
    });
    died.catch(() => undefined);
    this.child.send(order);
    const [answer] = (await Promise.race([once(this.child, 'message', { signal: ended.signal }), died])) as [
      { result?: LoadResult; failure?: string },
    ];
    ended.abort();
    if (answer.result) return answer.result;
    throw new Error(`The load generator could not reach port ${order.port}: ${answer.failure}`);
  }

  stop(): void {
    this.child.kill();
  }
}
