import { FetchProblem } from './fetch-problem.js';

/** Waits until a request to the host of a URL may be sent. The returned function is called after the request. */
export type EnterHost = (url: URL) => Promise<() => void>;

/** Returns an EnterHost for a fetch whose first request has its turn already; those after redirects enter themselves. */
export function enterAfterFirst(leaveFirst: () => void, enter: EnterHost): EnterHost {
  let first: (() => void) | null = leaveFirst;
  return async (url) => {
    const leave = first ?? (await enter(url));
    first = null;
    return leave;
  };
}

/** Bounds how many fetches run at once for each key, such as a host. Later ones wait for their turn, first come, first served. */
export class FetchSlots {
  private readonly running = new Map<string, number>();
  private readonly waiting = new Map<string, (() => void)[]>();

  constructor(private readonly perKey: number) {}

  /** Waits for a slot and returns the function that frees it. Throws a `busy` problem if there is none before the signal. */
  async enter(key: string, signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) throw busy();
    const running = this.running.get(key) ?? 0;
    if (running < this.perKey) this.running.set(key, running + 1);
    else await this.turn(key, signal);
    let isFree = false;
    return () => {
      if (!isFree) this.leave(key);
      isFree = true;
    };
  }

  private turn(key: string, signal: AbortSignal): Promise<void> {
    const queue = this.waiting.get(key) ?? [];
    this.waiting.set(key, queue);
    return new Promise((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        queue.splice(queue.indexOf(start), 1);
        if (queue.length === 0) this.waiting.delete(key);
        reject(busy());
      };
      queue.push(start);
      signal.addEventListener('abort', giveUp, { once: true });
    });
  }

  /** Gives the slot to the next in the queue, or frees it. */
  private leave(key: string): void {
    const queue = this.waiting.get(key);
    const next = queue?.shift();
    if (queue?.length === 0) this.waiting.delete(key);
    if (next) {
      next();
      return;
    }
    const running = (this.running.get(key) ?? 1) - 1;
    if (running > 0) this.running.set(key, running);
    else this.running.delete(key);
  }
}

export const busy = () =>
  new FetchProblem('busy', 'It was not fetched, because too many other addresses were being fetched.');
