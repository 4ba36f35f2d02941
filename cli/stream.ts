import type { Api } from './api.js';
import { appChanged } from './documents.js';

/** Without an event for this long the state is read anyway: a proxy may have swallowed one. */
const quietMs = 60_000;
/** The time between two reads where there is no stream. */
const pollMs = 10_000;

/** Waits for the next change of an app, by the event stream. Returns also if there is none for a while. */
export class ChangeListener {
  private events: AsyncGenerator<void> | null = null;
  private reader: ReadableStreamDefaultReader<Uint8Array> | null = null;
  /** The event that is waited for, also after a wait without one has ended. */
  private pending: Promise<void> | null = null;

  /** Not before this time, because the last stream broke. A proxy that passes no streams would be asked again and again. */
  private reopensAt = 0;

  constructor(
    private readonly api: Api,
    private readonly appId: string,
  ) {}

  /** Opens the stream. Call it before the state is read, so that no change is missed in between. */
  async open(): Promise<void> {
    if (this.events || Date.now() < this.reopensAt) return;
    try {
      this.reader = (await this.api.stream(appChanged, { id: this.appId })).getReader();
      this.events = eventsOf(this.reader);
    } catch {
      // The state is polled instead.
      this.events = null;
    }
  }

  async next(maxMs: number): Promise<void> {
    const waitMs = Math.min(this.events ? quietMs : pollMs, maxMs);
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, waitMs);
    });
    try {
      this.pending ??= this.events && this.event();
      await Promise.race([timeout, ...(this.pending ? [this.pending] : [])]);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Ends the stream by its reader: after a garbage collection an AbortSignal reaches the connection no more. */
  close(): void {
    this.reader?.cancel().catch(() => undefined);
    this.reader = null;
    this.events = null;
    this.pending = null;
  }

  private break(): void {
    this.reopensAt = Date.now() + pollMs;
    this.close();
  }

  private async event(): Promise<void> {
    try {
      const { done } = await this.events!.next();
      this.pending = null;
      if (done) this.break();
    } catch {
      this.break();
    }
  }
}

/** Reads server-sent events; only those named `next` report a change. */
async function* eventsOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<void> {
  const decoder = new TextDecoder();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const messages = text.split(/\r?\n\r?\n/);
    text = messages.pop() ?? '';
    for (const message of messages) {
      if (/^event: *complete/m.test(message)) return;
      if (/^event: *next/m.test(message)) yield;
    }
  }
}
