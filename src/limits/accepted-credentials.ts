import { createHmac, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';

const anHourMs = 60 * 60 * 1000;
/** Each caller has room of their own, so that nobody can push out others by using many tokens or addresses. */
const maxPerCaller = 50;
/** With their marks, about 30 MB at worst. */
const maxCallers = 5_000;

/**
 * Remembers for an hour which credentials were accepted from which address, so that somebody's guesses do not lock out
 * those who share the address (D131). It keeps keyed hashes only, and the credential is verified all the same.
 */
export class AcceptedCredentials {
  private readonly secret = randomBytes(32);
  /** When the mark of an address and a credential expires. */
  private readonly expiry = new Map<string, number>();
  private readonly marksOf = new LRUCache<string, Set<string>>({
    max: maxCallers,
    dispose: (marks) => {
      for (const mark of marks) this.expiry.delete(mark);
    },
  });

  constructor(private readonly lifetimeMs = anHourMs) {}

  get size(): number {
    return this.expiry.size;
  }

  add(address: string, credential: string, caller: string): void {
    const mark = this.mark(address, credential);
    const marks = this.marksOf.get(caller) ?? new Set<string>();
    // Added anew, so that the first of the set is the one that was not used for longest.
    marks.delete(mark);
    marks.add(mark);
    this.expiry.set(mark, Date.now() + this.lifetimeMs);
    const [oldest] = marks;
    if (marks.size > maxPerCaller && oldest !== undefined) {
      marks.delete(oldest);
      this.expiry.delete(oldest);
    }
    if (!this.marksOf.has(caller)) this.marksOf.set(caller, marks);
  }

  has(address: string, credential: string): boolean {
    return (this.expiry.get(this.mark(address, credential)) ?? 0) > Date.now();
  }

  private mark(address: string, credential: string): string {
    return createHmac('sha256', this.secret).update(`${address}\n${credential}`).digest('base64');
  }
}
