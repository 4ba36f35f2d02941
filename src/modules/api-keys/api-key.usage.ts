import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Logger } from 'pino';

const minuteMs = 60_000;

/** Notes when keys are used: at most once a minute each, and never on a request's own time. */
export class KeyUsage {
  private readonly noted = new Map<string, number>();
  private readonly writing = new Set<Promise<unknown>>();

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
    const write = sql`update api_keys set last_used_at = now() where id = ${id}`
      .execute(this.fork().getKysely())
      .catch((error: unknown) => this.log.warn({ err: error }, 'the use of a key was not noted'))
      .finally(() => this.writing.delete(write));
    this.writing.add(write);
  }

  /** Resolves when everything noted so far is written. */
  async settled(): Promise<void> {
    await Promise.all(this.writing);
  }
}
