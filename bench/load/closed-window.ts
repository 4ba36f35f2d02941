// The load generator: a separate process that receives orders from its parent and returns measurements.
import { Socket } from 'node:net';
import { exitWithParent } from '../child.js';
import type { LoadOrder, LoadRequest, LoadResult } from './load.types.js';
import { UNIQUE } from './load.types.js';
import { type MeasuredResponse, ResponseReader } from './response-reader.js';

exitWithParent();

const DRAIN_MS = 30_000;
/** Maximum length of a window, as a multiple of the requested length, for servers whose first responses are slow. */
const LONGEST = 10;
const MAX_DESCRIBED = 5;

/** A request as bytes, or as the parts between which a unique value is inserted. */
type Wire = Buffer | readonly string[];

function wireOf({ method, path, bearer, headers = {}, body }: LoadRequest): Wire {
  const lines = [`${method} ${path} HTTP/1.1`, 'host: bench', 'accept: application/json'];
  if (bearer !== undefined) lines.push(`authorization: Bearer ${bearer}`);
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`);
  if (body !== undefined)
    lines.push('content-type: application/json', `content-length: ${Buffer.byteLength(body)}`);
  const text = `${lines.join('\r\n')}\r\n\r\n${body ?? ''}`;
  return text.includes(UNIQUE) ? text.split(UNIQUE) : Buffer.from(text);
}

/** One measurement window: sends one request at a time on each connection, and times every response. */
class LoadWindow {
  private readonly wires: Wire[];
  private readonly latencies: number[] = [];
  private readonly wrong: string[] = [];
  private readonly sockets = new Set<Socket>();
  private errors = 0;
  private installed = 0;
  private sent = 0;
  private busy = 0;
  private ending = false;
  private measuredFrom = Number.POSITIVE_INFINITY;
  private measuredUntil = Number.POSITIVE_INFINITY;
  private done: () => void = () => undefined;
  private giveUp: (reason: Error) => void = () => undefined;

  constructor(private readonly order: LoadOrder) {
    this.wires = order.requests.map(wireOf);
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
    return this.result((endedAt - this.measuredFrom) / 1000);
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
      this.send(socket, this.wires[index]!);
    };
    const reader = new ResponseReader((response) => {
      this.busy -= 1;
      this.record(index, response, sentAt);
      next();
    });
    socket.setNoDelay(true);
    socket.on('data', (bytes) => reader.push(bytes));
    socket.on('error', (error) => {
      if (socket.connecting) this.giveUp(error);
      else this.fail(`the connection failed: ${error.message}`);
    });
    socket.on('close', () => {
      this.sockets.delete(socket);
      if (!waiting) return;
      this.busy -= 1;
      this.fail('the connection was closed before the response');
      if (this.errors < 1000 && this.hasMore()) this.connect();
      else this.close(socket);
    });
    this.sockets.add(socket);
    socket.connect(this.order.port, '127.0.0.1', next);
  }

  private send(socket: Socket, wire: Wire): void {
    if (Buffer.isBuffer(wire)) socket.write(wire);
    else {
      // As long as the placeholder, so that Content-Length stays correct.
      const unique = `${this.order.run}-${this.sent}`.padEnd(UNIQUE.length, '.');
      socket.write(wire.join(unique));
    }
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

  private record(index: number, { status, length, start }: MeasuredResponse, sentAt: number): void {
    const now = performance.now();
    const request = this.order.requests[index]!;
    const expected = this.order.lengths?.[index];
    if (status !== request.status) this.fail(`${request.path} responded ${status}`);
    else if (expected !== undefined && length !== expected)
      this.fail(`${request.path} responded with ${length} bytes instead of ${expected}`);
    else if (request.start !== undefined && !start.startsWith(request.start))
      this.fail(`${request.path} responded with ${start}…`);
    else if (request.installs) this.installed += 1;
    if (now >= this.measuredFrom && now <= this.measuredUntil) this.latencies.push(now - sentAt);
    if (this.isTimeUp(now - this.measuredFrom)) this.measuredUntil = Math.min(this.measuredUntil, now);
  }

  /** A window ends when its time is up and there are as many responses as connections, or after `LONGEST` times its length. */
  private isTimeUp(measuredMs: number): boolean {
    const { once, connections, measuredMs: wantedMs } = this.order;
    const isEnough = this.latencies.length >= connections || measuredMs >= LONGEST * wantedMs;
    return !once && measuredMs >= wantedMs && isEnough;
  }

  private fail(what: string): void {
    this.errors += 1;
    if (this.wrong.length < MAX_DESCRIBED) this.wrong.push(what);
  }

  private result(seconds: number): LoadResult {
    const sorted = Float64Array.from(this.latencies).sort();
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    const { errors, wrong, installed, sent } = this;
    const responses = sorted.length;
    return {
      responses,
      perSecond: responses / seconds,
      p50Ms: at(0.5),
      p99Ms: at(0.99),
      errors,
      wrong,
      installed,
      sent,
    };
  }
}

process.on('message', (order: LoadOrder) => {
  new LoadWindow(order).run().then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ failure: String(error) }),
  );
});
process.send?.({ ready: true });
