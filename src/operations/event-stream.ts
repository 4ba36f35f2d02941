import { v7 as uuidv7 } from 'uuid';
import type { Caller } from '../auth/caller.js';
import type { Change } from '../db/change-feed.js';

/** The next step of a subscription: to report a change, or to check the credential of its reader again. */
export type StreamItem = Change | { readonly about: 'credential' };

export type ChangeFilter = (change: Change) => boolean;

/** Events that a reader can get at once, and per second after them: an event takes a tenth of a millisecond for each of a thousand readers. */
const burst = 20;
const perSecond = 1;

interface EventStreamOptions {
  /** The most changes that wait for a reader. */
  maxPending: number;
  /** True if the reader was connected before, and may have missed something. */
  isResumed: boolean;
  /** Checks the bounds for the caller, and starts to pass changes on. Returns a function that stops it. */
  follow(stream: EventStream, caller: Caller | null, matches: ChangeFilter): () => void;
  /** Closes the connection without a message. */
  disconnect(): void;
  onClose(stream: EventStream): void;
}

/** The changes that wait to be sent to one reader of a subscription. Changes of the same thing are sent as one. */
export class EventStream {
  /** The id of the event that is being sent. */
  eventId = '';
  private readonly pending = new Map<string, StreamItem>();
  private stopFollowing = () => {};
  private wake = () => {};
  private stopWaiting = () => {};
  private isClosed = false;
  private isPaused = false;
  /** The events that may be sent at this moment, as of `countedAt`. */
  private allowed = burst;
  private countedAt = performance.now();

  constructor(private readonly options: EventStreamOptions) {}

  /** Starts to collect the changes that match. A reader that reconnects gets an event at once. */
  start(caller: Caller | null, matches: ChangeFilter): void {
    this.stopFollowing = this.options.follow(this, caller, matches);
    if (this.options.isResumed) this.push({ about: 'anything' });
  }

  push(item: StreamItem): void {
    if (this.isClosed) return;
    const key = keyOf(item);
    const isFull = this.pending.size >= this.options.maxPending && !this.pending.has(key);
    if (this.isPaused && (isFull || item.about === 'credential')) {
      // A reader that does not read cannot be told why.
      this.options.disconnect();
      this.close();
    } else if (isFull || item.about === 'anything') {
      // One event stands for all that wait. An ended credential is reported again by the next check.
      this.pending.clear();
      this.pending.set(keyOf(anything), anything);
    } else this.pending.set(key, item);
    this.wake();
  }

  /** Holds events back while the reader does not read. */
  setPaused(isPaused: boolean): void {
    this.isPaused = isPaused;
    this.wake();
  }

  /** Returns the next item as soon as there is one, the reader reads and the rate allows it; null once the stream is closed. */
  async next(): Promise<StreamItem | null> {
    while (!this.isClosed) {
      const item = this.isPaused ? undefined : this.firstPending();
      const waitMs = item && item.about !== 'credential' ? this.untilAllowedMs() : 0;
      if (item && waitMs === 0) {
        this.pending.delete(keyOf(item));
        this.allowed -= 1;
        this.eventId = uuidv7();
        return item;
      }
      const timer = item && setTimeout(() => this.wake(), waitMs).unref();
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      clearTimeout(timer);
    }
    return null;
  }

  private firstPending(): StreamItem | undefined {
    return this.pending.get('credential') ?? this.pending.values().next().value;
  }

  private untilAllowedMs(): number {
    const time = performance.now();
    this.allowed = Math.min(burst, this.allowed + ((time - this.countedAt) / 1000) * perSecond);
    this.countedAt = time;
    return this.allowed >= 1 ? 0 : ((1 - this.allowed) / perSecond) * 1000;
  }

  /**
   * Waits for a result, but not longer than the stream is open: returns null once it is closed by its reader, by a shutdown,
   * or because the reader is too slow. A race with one promise for the whole stream would hold every result until the end.
   */
  untilClosed<T>(result: Promise<T>): Promise<T | null> {
    return new Promise((resolve, reject) => {
      this.stopWaiting = () => resolve(null);
      if (this.isClosed) this.stopWaiting();
      result.then(resolve, reject);
    });
  }

  /** Ends the stream without a message, so that clients reconnect. */
  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    this.stopFollowing();
    this.pending.clear();
    this.wake();
    this.stopWaiting();
    this.options.onClose(this);
  }
}

const anything: StreamItem = { about: 'anything' };

function keyOf(item: StreamItem): string {
  if (item.about === 'event') return `event ${item.appId}`;
  return item.about === 'listing' ? `listing ${item.slug}` : item.about;
}
