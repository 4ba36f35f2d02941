import { setTimeout as delay } from 'node:timers/promises';
import type { AppJson, Developer } from '../../support/actors.js';
import type { ReplicatedGateway } from './replicated-gateway.js';
import type { PostgresServer } from './streaming-replication.js';

/** The promise for changes of other gateways. */
const PROMISE_MS = 1_000;

const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)]!;

interface Acknowledged {
  value: number;
  at: number;
  gateway: ReplicatedGateway;
}

/** Writes and reads at random at several gateways, and knows every acknowledged write. */
export class ReplicaHistory {
  readonly violations: string[] = [];
  readonly counts = { edits: 0, installs: 0, reads: 0, reports: 0 };
  private readonly edits: Acknowledged[] = [];
  private readonly installs: Acknowledged[] = [];

  constructor(
    private readonly gateways: readonly ReplicatedGateway[],
    private readonly developer: Developer,
    private readonly app: AppJson,
  ) {}

  /** Runs until the work ends. */
  async runDuring(work: Promise<unknown>): Promise<void> {
    let isOver = false;
    const over = work.finally(() => {
      isOver = true;
    });
    const repeat = async (step: () => Promise<void>) => {
      while (!isOver) await step();
    };
    await Promise.all([
      over,
      repeat(() => this.edit()),
      repeat(() => this.install()),
      ...Array.from({ length: 5 }, () => repeat(() => this.read())),
      repeat(() => this.report()),
    ]);
  }

  private async edit(): Promise<void> {
    const gateway = pick(this.gateways);
    const value = this.edits.length + 1;
    await gateway.edit(this.app.id, String(value));
    this.edits.push({ value, at: performance.now(), gateway });
    this.counts.edits += 1;
    await delay(Math.random() * 200);
  }

  private async install(): Promise<void> {
    const gateway = pick(this.gateways);
    const value = this.installs.length + 1;
    await gateway.actors.must('recordInstall', { slug: this.app.slug });
    this.installs.push({ value, at: performance.now(), gateway });
    this.counts.installs += 1;
    await delay(Math.random() * 100);
  }

  /** A change is visible at once at its own gateway, and within a second at all others. */
  private async read(): Promise<void> {
    const gateway = pick(this.gateways);
    const sentAt = performance.now();
    const due = dueOf(this.edits, (edit) => edit.at <= sentAt - (edit.gateway === gateway ? 0 : PROMISE_MS));
    const read = pick(['description', 'cachedDescription'] as const);
    const seen = Number(await gateway[read](this.app.slug)) || 0;
    this.counts.reads += 1;
    this.expect(seen, due, `${read} after ${Math.round(performance.now() - sentAt)} ms`);
  }

  /** Reports have everything that was acknowledged before the request. */
  private async report(): Promise<void> {
    const gateway = pick(this.gateways);
    const sentAt = performance.now();
    const isBefore = ({ at }: Acknowledged) => at <= sentAt;
    const [edits, installs] = [dueOf(this.edits, isBefore), dueOf(this.installs, isBefore)];
    this.expect(await gateway.edits(this.app.id), edits, 'audit log');
    const { total, today } = await gateway.installs(this.app.id, this.developer.key);
    this.expect(total, installs, 'install count');
    this.expect(today, installs, 'installs of today');
    this.counts.reports += 1;
    await delay(Math.random() * 20);
  }

  private expect(seen: number, due: number, read: string): void {
    if (seen < due) this.violations.push(`${read}: ${seen} instead of ${due}`);
  }
}

const dueOf = (writes: readonly Acknowledged[], isDue: (write: Acknowledged) => boolean): number =>
  writes.findLast(isDue)?.value ?? 0;

/** Disturbs replicas at random for a time, and ends all disturbances. */
export async function disturb(standbys: readonly PostgresServer[], seconds: number): Promise<void> {
  const endAt = performance.now() + seconds * 1_000;
  while (performance.now() < endAt) {
    const standby = pick(standbys);
    await pick([slowDown, pause, freeze, crash, nothing])(standby);
  }
}

async function slowDown(standby: PostgresServer): Promise<void> {
  const delayBy = async (ms: number) => {
    await standby.sql(`alter system set recovery_min_apply_delay = ${ms}`);
    await standby.sql('select pg_reload_conf()');
  };
  await delayBy(pick([20, 100, 400, 2_000]));
  await delay(1_500);
  await delayBy(0);
}

async function pause(standby: PostgresServer): Promise<void> {
  await standby.sql('select pg_wal_replay_pause()');
  await delay(1_500);
  await standby.sql('select pg_wal_replay_resume()');
}

async function freeze(standby: PostgresServer): Promise<void> {
  standby.freeze();
  await delay(pick([100, 1_000]));
  standby.thaw();
}

async function crash(standby: PostgresServer): Promise<void> {
  await standby.kill();
  await standby.start();
}

const nothing = (): Promise<void> => delay(700);
