import { hash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';

const anHourMs = 60 * 60 * 1000;
/** Per caller, so that nobody evicts others by using many tokens or addresses. */
const maxPerCaller = 50;
/** Bounds the memory. */
const maxCallers = 5_000;

/**
 * Records for an hour which credentials were accepted from which address, so that one client's guesses do not lock out
 * others behind the same address (D131). It stores hashes with a secret, and the credential is still verified each time.
 */
export class AcceptedCredentials {
  private readonly secret = randomBytes(32).toString('base64');
  /** Expiry times by the hash of an address and a credential. */
  private readonly expiry = new Map<string, number>();
  private readonly hashesOf = new LRUCache<string, Set<string>>({
    max: maxCallers,
    dispose: (hashes) => {
      for (const each of hashes) this.expiry.delete(each);
    },
  });

  constructor(private readonly lifetimeMs = anHourMs) {}

  get size(): number {
    return this.expiry.size;
  }

  add(address: string, credential: string, caller: string): void {
    const accepted = this.hash(address, credential);
    const hashes = this.hashesOf.get(caller) ?? new Set<string>();
    // Added again at the end, so that the first of the set is the least recently used.
    hashes.delete(accepted);
    hashes.add(accepted);
    this.expiry.set(accepted, performance.now() + this.lifetimeMs);
    const [oldest] = hashes;
    if (hashes.size > maxPerCaller && oldest !== undefined) {
      hashes.delete(oldest);
      this.expiry.delete(oldest);
    }
    if (!this.hashesOf.has(caller)) this.hashesOf.set(caller, hashes);
  }

  has(address: string, credential: string): boolean {
    return (this.expiry.get(this.hash(address, credential)) ?? 0) > performance.now();
  }

  private hash(address: string, credential: string): string {
    return hash('sha256', `${this.secret}\n${address}\n${credential}`, 'base64');
  }
}
