import { once } from 'node:events';
import { Socket } from 'node:net';
import { constants, setPriority } from 'node:os';
import type { LoadOrder, LoadResult } from './load.types.js';
import { percentile, Recorder } from './recorder.js';
import { ResponseReader } from './response-reader.js';
import { type Wire, wireOf, withUnique } from './wire.js';

/** Requests wait in the generator if so many are unanswered; their latency includes the wait. */
const MAX_CONNECTIONS = 512;
const DRAIN_MS = 10_000;
const TICK_MS = 1;

interface Arrival {
  readonly index: number;
  readonly number: number;
  /** Time at which the request should have been sent, whatever the server and the generator were doing. */
  readonly dueAt: number;
}

/** Lets the generator keep its schedule on a busy machine, where that is allowed; it uses little processor time. */
function raisePriority(): void {
  try {
    setPriority(constants.priority.PRIORITY_ABOVE_NORMAL);
  } catch {
    // The result says how late the generator was.
  }
}

/** An open loop: requests are due by the clock, and a latency counts from that time, so that a stall delays many. */
export class OpenWindow {
  private readonly wires: Wire[];
  private readonly recorder: Recorder;
  private readonly sockets = new Set<Socket>();
  private readonly idle: ((arrival: Arrival) => void)[] = [];
  private readonly unanswered = new Set<Arrival>();
  private readonly waiting: Arrival[] = [];
  private readonly lateness: number[] = [];
  private arrived = 0;
  private startedAt = 0;

  constructor(
    private readonly order: LoadOrder,
    private readonly perSecond: number,
  ) {
    this.wires = order.requests.map(wireOf);
    this.recorder = new Recorder(order);
  }

  async run(): Promise<LoadResult> {
    const { connections, warmUpMs, measuredMs } = this.order;
    await Promise.all(Array.from({ length: connections }, () => this.connect()));
    raisePriority();
    this.startedAt = performance.now();
    const all = Math.floor(((warmUpMs + measuredMs) / 1000) * this.perSecond);
    const lastAt = this.startedAt + warmUpMs + measuredMs;
    await new Promise<void>((resolve) => {
      const timer = setInterval(() => {
        this.arrive(all);
        const isDone = this.arrived === all && this.unanswered.size === 0;
        if (!isDone && performance.now() < lastAt + DRAIN_MS) return;
        clearInterval(timer);
        resolve();
      }, TICK_MS);
    });
    const now = performance.now();
    const answered = this.recorder.measured;
    for (const arrival of this.unanswered) this.measure(arrival, now);
    for (const socket of this.sockets) socket.destroy();
    const result = this.recorder.result(measuredMs / 1000, this.arrived);
    const seconds = (Math.max(now, lastAt) - this.startedAt - warmUpMs) / 1000;
    return { ...result, perSecond: answered / seconds, open: this.openLoop() };
  }

  /** Sends every request that is due. */
  private arrive(all: number): void {
    const now = performance.now();
    const due = Math.min(all, Math.floor(((now - this.startedAt) / 1000) * this.perSecond) + 1);
    while (this.arrived < due) {
      const dueAt = this.startedAt + (this.arrived / this.perSecond) * 1000;
      const index = (this.order.from + this.arrived) % this.wires.length;
      this.arrived += 1;
      this.lateness.push(now - dueAt);
      const arrival = { index, number: this.arrived, dueAt };
      this.unanswered.add(arrival);
      const send = this.idle.pop();
      if (send) send(arrival);
      else {
        this.waiting.push(arrival);
        if (this.sockets.size < MAX_CONNECTIONS) this.connect().catch(() => undefined);
      }
    }
  }

  private async connect(): Promise<void> {
    const socket = new Socket();
    let current: Arrival | undefined;
    const send = (arrival: Arrival) => {
      current = arrival;
      socket.write(withUnique(this.wires[arrival.index]!, `${this.order.run}-${arrival.number}`));
    };
    const next = () => {
      const arrival = this.waiting.shift();
      if (arrival) send(arrival);
      else this.idle.push(send);
    };
    const reader = new ResponseReader((response) => {
      if (!current) return;
      this.recorder.check(current.index, response);
      this.measure(current, performance.now());
      this.unanswered.delete(current);
      current = undefined;
      next();
    });
    socket.setNoDelay(true);
    socket.on('data', (bytes) => reader.push(bytes));
    socket.on('error', (error) => this.recorder.fail(`the connection failed: ${error.message}`));
    socket.on('close', () => {
      this.sockets.delete(socket);
      const at = this.idle.indexOf(send);
      if (at >= 0) this.idle.splice(at, 1);
    });
    this.sockets.add(socket);
    socket.connect(this.order.port, '127.0.0.1');
    await once(socket, 'connect');
    next();
  }

  private measure({ dueAt }: Arrival, now: number): void {
    const atMs = dueAt - this.startedAt - this.order.warmUpMs;
    if (atMs >= 0) this.recorder.measure(atMs, now - dueAt);
  }

  private openLoop() {
    const late = Float64Array.from(this.lateness).sort();
    return {
      unanswered: this.unanswered.size,
      unansweredInstalls: [...this.unanswered].filter(({ index }) => this.order.requests[index]?.installs)
        .length,
      lateP99Ms: percentile(late, 0.99),
      lateMaxMs: late.at(-1) ?? 0,
    };
  }
}
