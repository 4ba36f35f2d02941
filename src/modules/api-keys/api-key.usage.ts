import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Logger } from 'pino';

const minuteMs = 60_000;

/** Notes when keys are used: at most once a minute each, by one statement at a time, and never on a request's own time. */
export class KeyUsage {
  private readonly noted = new Map<string, number>();
  private readonly waiting = new Set<string>();
  private writing: Promise<void> | null = null;

  constructor(
    private readonly fork: () => EntityManager,
    private readonly log: Logger,
  ) {}

  record({ id, lastUsedAt }: { id: string; lastUsedAt: Date | null }): void {
    const now = Date.now();
    const last = Math.max(lastUsedAt?.getTime() ?? 0, this.noted.get(id) ?? 0);
    if (now - last < minuteMs) return;
    if (this.noted.size > 10_000) this.noted.clear();
    this.noted.set(id, now);
    this.waiting.add(id);
    this.writing ??= this.write();
  }

  /** Those that come while one statement runs go into the next. */
  private async write(): Promise<void> {
    while (this.waiting.size > 0) {
      const ids = [...this.waiting];
      this.waiting.clear();
      try {
        await noteUse(ids).execute(this.fork().getKysely());
      } catch (error) {
        this.log.warn({ err: error }, 'the use of keys was not noted');
      }
    }
    // In the same breath as the last look: whoever comes later begins anew.
    this.writing = null;
  }

  /** Resolves when everything noted so far is written. */
  async settled(): Promise<void> {
    await this.writing;
  }
}

/** Of several nodes the first writes; a row that somebody is changing is left for the next minute, so nobody waits. */
const noteUse = (ids: readonly string[]) => sql`
  update api_keys set last_used_at = now() where id in (
    select id from api_keys where id = any(${ids}::uuid[])
      and (last_used_at is null or last_used_at <= now() - interval '1 minute')
    order by id for no key update skip locked)`;
