import { LRUCache } from 'lru-cache';

/** Levels by the part of the limit that is used: at least a half, a quarter, … and less than a 128th. */
const levels = 8;

/**
 * Stores a value for each subject of a limit, at most `max`, and evicts so that nobody gains by it (D352). Subjects that have
 * used a similar part of the limit share a level, and only others on the same level evict one. To start again at zero, a
 * subject would have to be evicted by many others that have spent as much.
 */
export class SubjectsByUse<Value extends object | true> {
  private readonly values: readonly LRUCache<string, Value>[];
  private readonly levelOf = new Map<string, number>();

  constructor(max: number) {
    const dispose = (_: Value, subject: string, reason: LRUCache.DisposeReason) => {
      if (reason === 'evict') this.levelOf.delete(subject);
    };
    // Most callers send few requests.
    const lowest = Math.ceil(max / 2);
    const others = Math.max(1, Math.floor((max - lowest) / (levels - 1)));
    this.values = Array.from(
      { length: levels },
      (_, level) => new LRUCache({ max: level === 0 ? lowest : others, dispose }),
    );
  }

  get(subject: string): Value | undefined {
    return this.values[this.levelOf.get(subject) ?? 0]?.get(subject);
  }

  /** Stores a value. `use` is the part of the limit that is used, 1 for all of it. */
  set(subject: string, value: Value, use: number): void {
    const level = Math.min(Math.max(levels + Math.floor(Math.log2(use)), 0), levels - 1);
    const former = this.levelOf.get(subject);
    if (former !== undefined && former !== level) this.values[former]!.delete(subject);
    this.levelOf.set(subject, level);
    this.values[level]!.set(subject, value);
  }
}
