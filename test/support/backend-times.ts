import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

type Query = (text: string) => Promise<Record<string, unknown>[]>;

/** A statement goes on for a while after its client has gone. */
const patienceMs = 10_000;

/**
 * Reads the processor time that PostgreSQL has used for a gateway from the operating system. Zero where PostgreSQL runs on
 * another machine or the system has no /proc.
 */
export class BackendTimes {
  /** Milliseconds by process. Those of ended processes stay. */
  private readonly known = new Map<number, number>();

  /** `query` must use a connection of its own, to the gateway's database. */
  constructor(private readonly query: Query) {}

  /** Returns the time that the gateway's sessions have used so far, as soon as none of them works. */
  async totalMs(): Promise<number> {
    const until = performance.now() + patienceMs;
    let pids = await this.pids();
    while (pids.some(({ isActive }) => isActive) && performance.now() < until) {
      await delay(2);
      pids = await this.pids();
    }
    await Promise.all(pids.map(({ pid }) => this.read(pid)));
    return [...this.known.values()].reduce((sum, ms) => sum + ms, 0);
  }

  private async pids(): Promise<{ pid: number; isActive: boolean }[]> {
    const rows = await this.query(`select pid, state = 'active' as "isActive" from pg_stat_activity
      where datname = current_database() and application_name like 'marketplace-gateway %'`);
    return rows as { pid: number; isActive: boolean }[];
  }

  private async read(pid: number): Promise<void> {
    // Nanoseconds. `/proc/<pid>/stat` counts in steps of 10 ms.
    const text = await readFile(`/proc/${pid}/schedstat`, 'utf8').catch(() => '');
    const nanoseconds = Number(text.split(' ')[0]);
    if (text !== '' && Number.isFinite(nanoseconds)) this.known.set(pid, nanoseconds / 1_000_000);
  }
}
