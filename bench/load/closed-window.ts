import { Socket } from 'node:net';
import type { LoadOrder, LoadResult } from './load.types.js';
import { Recorder } from './recorder.js';
import { ResponseReader } from './response-reader.js';
import { type Wire, wireOf, withUnique } from './wire.js';

const DRAIN_MS = 30_000;
/** Maximum length of a window, as a multiple of the requested length, for servers whose first responses are slow. */
const LONGEST = 10;

/** A closed loop: sends one request at a time on each connection, and times every response. */
export class ClosedWindow {
  private readonly wires: Wire[];
  private readonly recorder: Recorder;
  private readonly sockets = new Set<Socket>();
  private sent = 0;
  private busy = 0;
  private ending = false;
  private measuredFrom = Number.POSITIVE_INFINITY;
  private measuredUntil = Number.POSITIVE_INFINITY;
  private done: () => void = () => undefined;
  private giveUp: (reason: Error) => void = () => undefined;

  constructor(private readonly order: LoadOrder) {
    this.wires = order.requests.map(wireOf);
    this.recorder = new Recorder(order);
  }

  async run(): Promise<LoadResult> {
    const { connections, warmUpMs, measuredMs, once } = this.order;
    const longestMs = warmUpMs + LONGEST * measuredMs + DRAIN_MS;
    const drained = new Promise<void>((resolve, reject) => {
      this.done = resolve;
      this.giveUp = reject;
    });
    const startedAt = performance.now();
    this.measuredFrom = startedAt + warmUpMs;
    for (let index = 0; index < connections; index += 1) this.connect();
    const timer = once ? undefined : setTimeout(this.done, longestMs);
    await drained;
    clearTimeout(timer);
    const endedAt = Math.min(performance.now(), this.measuredUntil);
    for (const socket of this.sockets) socket.destroy();
    return this.recorder.result((endedAt - this.measuredFrom) / 1000, this.sent);
  }

  private connect(): void {
    const socket = new Socket();
    let index = 0;
    let sentAt = 0;
    let waiting = false;
    const next = () => {
      waiting = this.hasMore();
      if (!waiting) return this.close(socket);
      index = (this.order.from + this.sent) % this.wires.length;
      this.sent += 1;
      this.busy += 1;
      sentAt = performance.now();
      socket.write(withUnique(this.wires[index]!, `${this.order.run}-${this.sent}`));
    };
    const reader = new ResponseReader((response) => {
      this.busy -= 1;
      this.recorder.check(index, response);
      this.measure(sentAt);
      next();
    });
    socket.setNoDelay(true);
    socket.on('data', (bytes) => reader.push(bytes));
    socket.on('error', (error) => {
      if (socket.connecting) this.giveUp(error);
      else this.recorder.fail(`the connection failed: ${error.message}`);
    });
    socket.on('close', () => {
      this.sockets.delete(socket);
      if (!waiting) return;
      this.busy -= 1;
      this.recorder.fail('the connection was closed before the response');
      if (this.recorder.errors < 1000 && this.hasMore()) this.connect();
      else this.close(socket);
    });
    this.sockets.add(socket);
    socket.connect(this.order.port, '127.0.0.1', next);
  }

  private hasMore(): boolean {
    if (this.order.once) return this.sent < this.wires.length;
    return performance.now() < this.measuredUntil;
  }

  /** Closes a connection that has nothing left to send; the last one ends the window. */
  private close(socket: Socket): void {
    socket.destroy();
    if (this.busy === 0 && !this.hasMore() && !this.ending) {
      this.ending = true;
      this.done();
    }
  }

  private measure(sentAt: number): void {
    const now = performance.now();
    if (now >= this.measuredFrom && now <= this.measuredUntil)
      this.recorder.measure(now - this.measuredFrom, now - sentAt);
    if (this.isTimeUp(now - this.measuredFrom)) this.measuredUntil = Math.min(this.measuredUntil, now);
  }

  /** A window ends when its time is up and there are as many responses as connections, or after `LONGEST` times its length. */
  private isTimeUp(measuredMs: number): boolean {
    const { once, connections, measuredMs: wantedMs } = this.order;
    const isEnough = this.recorder.measured >= connections || measuredMs >= LONGEST * wantedMs;
    return !once && measuredMs >= wantedMs && isEnough;
  }
}
