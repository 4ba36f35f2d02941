import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Logger } from 'pino';
import { inTime } from '../db/in-time.js';
import { StartupError } from '../errors.js';
import { Channel } from './channel.js';
import type { WorkerStart } from './cluster-worker.js';

/** Argument of main.js for such a process. */
const CLUSTER_WORKER = '--cluster-worker';

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 30_000;
/** A process that was ready for this long did not fail to start. */
const STABLE_AFTER_MS = 60_000;
const MAX_FAILED_STARTS = 5;
/** A process that does not respond in this time has no metrics. */
const METRICS_MS = 2_000;

/** One of the processes, and those that replace it. */
interface Slot {
  readonly index: number;
  worker: Worker;
  channel: Channel;
  /** The port that it listens on. */
  listening: Promise<number>;
  ended: Promise<unknown>;
  /** Null: not ready. */
  readyAt: number | null;
  failures: number;
  restart: NodeJS.Timeout | null;
}

/** Starts the processes that serve requests, replaces those that end, and stops all. */
export class ClusterWorkers {
  private readonly slots: Slot[] = [];
  /** Rejected if one of the first processes cannot start. */
  private readonly failed = Promise.withResolvers<never>();
  private readonly giveUp = Promise.withResolvers<void>();
  private databaseUrl: string | null = null;
  private isStarted = false;
  private isStopping = false;

  constructor(
    private readonly count: number,
    private readonly log: Logger,
    private readonly handlers: ConstructorParameters<typeof Channel>[1],
  ) {
    // Awaited only during the start.
    this.failed.promise.catch(() => undefined);
  }

  /** Resolves when no process is left and none can be started. */
  get gaveUp(): Promise<void> {
    return this.giveUp.promise;
  }

  /** Starts the processes, and returns the port that they listen on. */
  listen(): Promise<number> {
    cluster.setupPrimary({ args: [CLUSTER_WORKER] });
    for (let index = 0; index < this.count; index += 1) this.slots.push(this.fork(index, 0));
    return Promise.race([...this.slots.map(({ listening }) => listening), this.failed.promise]);
  }

  /** Lets the processes open the database and serve requests, and waits until all do. */
  async start(databaseUrl: string): Promise<void> {
    this.databaseUrl = databaseUrl;
    await Promise.race([Promise.all(this.slots.map((slot) => this.serve(slot))), this.failed.promise]);
    this.isStarted = true;
  }

  /** Calls a function of every process, without waiting. */
  tell(name: string, input: unknown = null): void {
    for (const { channel } of this.slots) channel.call(name, input).catch(() => undefined);
  }

  /** Returns the metrics of every process that serves requests. */
  async metrics(): Promise<unknown[]> {
    const ready = this.slots.filter(({ readyAt }) => readyAt !== null);
    const all = await Promise.all(
      ready.map(({ channel }) =>
        inTime<unknown>(channel.call('metrics'), METRICS_MS, () => null).catch(() => null),
      ),
    );
    return all.filter((metrics) => metrics !== null);
  }

  async stop(exitCode: number): Promise<void> {
    this.isStopping = true;
    for (const { restart } of this.slots) if (restart) clearTimeout(restart);
    this.tell('stop', exitCode);
    await Promise.all(this.slots.map(({ ended }) => ended));
  }

  private fork(index: number, failures: number): Slot {
    const worker = cluster.fork();
    // A message to a process that is ending.
    worker.on('error', () => undefined);
    closeLostConnection(worker);
    const listening = new Promise<number>((resolve) => worker.once('listening', ({ port }) => resolve(port)));
    const channel = new Channel(worker, {
      ...this.handlers,
      failed: (message: string) => this.failed.reject(new StartupError(message)),
    });
    const ended = once(worker, 'exit');
    const slot: Slot = { index, worker, channel, listening, ended, readyAt: null, failures, restart: null };
    worker.once('exit', (code, signal) => this.replace(slot, signal ?? `code ${code}`));
    return slot;
  }

  private async serve(slot: Slot): Promise<void> {
    await slot.listening;
    const input: WorkerStart = { databaseUrl: this.databaseUrl!, runsJobs: slot.index === 0 };
    await slot.channel.call('start', input);
    slot.readyAt = performance.now();
  }

  private replace(slot: Slot, reason: string): void {
    slot.channel.close();
    if (this.isStopping) return;
    if (!this.isStarted)
      return void this.failed.reject(new StartupError(`A process ended before it was ready (${reason}).`));
    const wasStable = slot.readyAt !== null && performance.now() - slot.readyAt > STABLE_AFTER_MS;
    slot.readyAt = null;
    slot.failures = wasStable ? 0 : slot.failures + 1;
    // `pid` of a line is the process that writes it.
    const { pid: endedPid } = slot.worker.process;
    if (slot.failures > MAX_FAILED_STARTS && this.slots.every(({ readyAt }) => readyAt === null)) {
      this.log.fatal(
        { endedPid, reason },
        'a process that serves requests has ended, and none can be started',
      );
      return void this.giveUp.resolve();
    }
    const delayMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** slot.failures);
    this.log.error({ endedPid, reason, delayMs }, 'a process that serves requests has ended and is replaced');
    slot.restart = setTimeout(() => {
      const next = this.fork(slot.index, slot.failures);
      this.slots[slot.index] = next;
      // Its end is handled by `replace`.
      this.serve(next).catch(() => undefined);
    }, delayMs);
  }
}

/**
 * Closes the connection that was on its way to a process when that was killed. Node would keep it open for ever, so that
 * its client waits for a response that nobody writes.
 */
function closeLostConnection(worker: Worker): void {
  const child = worker.process;
  const send = child.send.bind(child) as (...parameters: unknown[]) => boolean;
  let last: unknown = null;
  child.send = (...parameters: unknown[]) => {
    if (parameters[1]) last = parameters[1];
    return send(...parameters);
  };
  worker.once('exit', () => {
    if (typeof last === 'object' && last !== null && 'close' in last && typeof last.close === 'function')
      last.close();
  });
}
