import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { nowMs } from '../../db/clock.js';
import { runForNoRequest } from '../../db/payer.js';

const minuteMs = 60_000;

/** Records when API keys are used, in the background: at most once a minute per key, and one statement at a time. */
export class ApiKeyUsageRecorder {
  private readonly recordedAt = new Map<string, number>();
  private readonly waiting = new Set<string>();
  private writing: Promise<void> | null = null;

  constructor(
    private readonly fork: () => EntityManager,
    private readonly log: Logger,
  ) {}

  record({ id, lastUsedAt }: { id: string; lastUsedAt: Date | null }): void {
    const now = nowMs();
    const last = Math.max(lastUsedAt?.getTime() ?? 0, this.recordedAt.get(id) ?? 0);
    if (now - last < minuteMs) return;
    if (this.recordedAt.size > 10_000) this.recordedAt.clear();
    this.recordedAt.set(id, now);
    this.waiting.add(id);
    this.writing ??= runForNoRequest(() => this.write());
  }

  /** Keys that are used while one statement runs go into the next one. */
  private async write(): Promise<void> {
    while (this.waiting.size > 0) {
      const ids = [...this.waiting];
      this.waiting.clear();
      try {
        await recordUse(ids).execute(this.fork().getKysely());
      } catch (error) {
        // The next use of the key tries again.
        for (const id of ids) this.recordedAt.delete(id);
        this.log.warn({ err: error }, 'The use of API keys could not be recorded');
      }
    }
    // Runs in the same tick as the size check, so no key can be added in between.
    this.writing = null;
  }

  /** Resolves when all uses so far are written. */
  async settled(): Promise<void> {
    await this.writing;
  }
}

/** Skips keys that another gateway has just recorded, and locked rows, so that no statement waits. */
const recordUse = (ids: readonly string[]) => sql`
  update api_keys set last_used_at = now() where id in (
    select id from api_keys where id = any(${ids}::uuid[])
      and (last_used_at is null or last_used_at <= now() - interval '1 minute')
    order by id for no key update skip locked)`;
