/** An install that waits for a locked app. */
interface WaitingInstall {
  install: { slug: string };
  /** Time at which its app was first found locked; null before. */
  waitsSince: number | null;
  /** Time at which the response to its request is due (D329). */
  waitsUntil: number;
  reject(error: unknown): void;
}

interface LockedApp<Install> {
  /** Without the install that is being tried. */
  readonly waiting: Install[];
  attempts: number;
  timer: NodeJS.Timeout | null;
}

interface LockedAppOptions<Install> {
  /** Tries an install again. The outcome is reported by `add` or `release`. */
  retry(queued: Install): void;
  /** Returns the error for an install that has waited for too long. */
  timedOut(): Error;
}

/** Pause before the first attempt: most locks are those of an edit, which is short. */
const firstPauseMs = 10;
const maxPauseMs = 250;
/** Longest time that an install waits for a locked app (D73). */
const maxWaitMs = 10_000;

/**
 * Installs of apps that another transaction has locked. They hold no connection: one install of each app is tried again
 * after a pause, and when it is recorded, the others follow.
 */
export class LockedApps<Install extends WaitingInstall> {
  private readonly apps = new Map<string, LockedApp<Install>>();

  constructor(private readonly options: LockedAppOptions<Install>) {}

  /** Number of installs that wait. */
  get size(): number {
    let size = 0;
    for (const { waiting } of this.apps.values()) size += waiting.length;
    return size;
  }

  has(slug: string): boolean {
    return this.apps.has(slug);
  }

  /** Lets an install wait for its app. */
  add(queued: Install): void {
    const { slug } = queued.install;
    const app = this.apps.get(slug) ?? { waiting: [], attempts: 0, timer: null };
    this.apps.set(slug, app);
    // One that was tried before is older than the others.
    if (queued.waitsSince === null) app.waiting.push(queued);
    else app.waiting.unshift(queued);
    queued.waitsSince ??= performance.now();
    this.schedule(slug);
  }

  /** Sends all installs of an app that is no longer locked. */
  release(slug: string): void {
    const app = this.apps.get(slug);
    if (!app) return;
    this.apps.delete(slug);
    if (app.timer) clearTimeout(app.timer);
    for (const queued of app.waiting) this.options.retry(queued);
  }

  /** Schedules the next attempt if there is none, such as after an attempt that has failed. */
  schedule(slug: string): void {
    const app = this.apps.get(slug);
    if (!app || app.timer) return;
    const pauseMs = Math.min(firstPauseMs * 2 ** app.attempts, maxPauseMs);
    app.timer = setTimeout(() => this.attempt(slug, app), pauseMs);
  }

  private attempt(slug: string, app: LockedApp<Install>): void {
    app.timer = null;
    app.attempts += 1;
    const now = performance.now();
    const oldest = now - maxWaitMs;
    // Not in the order of their age: those that were released and found the app locked again are in another one.
    for (const queued of app.waiting.splice(0)) {
      // The next attempt could be too late.
      const isOverdue = now + 2 * maxPauseMs >= queued.waitsUntil;
      if (isOverdue || (queued.waitsSince ?? 0) <= oldest) queued.reject(this.options.timedOut());
      else app.waiting.push(queued);
    }
    const next = app.waiting.shift();
    if (next) this.options.retry(next);
    else this.apps.delete(slug);
  }
}
