/** More than a minute of probes. The oldest ones count, so later ones are dropped. */
const MAX_UNREACHED = 300;

/** Measures how far a replica is behind its primary, by positions of the primary that it has not replayed. */
export class ReplicaLag {
  /** Positions that the replica has not replayed, oldest first, with the time at which the primary had them. */
  private unreached: { position: bigint; askedAt: number }[] = [];
  private bytes = 0;
  /** Age of the oldest position that was missing at the last probe. */
  probedMs = 0;

  get figures(): { lagBytes: number; lagSeconds: number } {
    const [oldest] = this.unreached;
    return { lagBytes: this.bytes, lagSeconds: oldest ? (performance.now() - oldest.askedAt) / 1000 : 0 };
  }

  note(primary: bigint, askedAt: number, replayed: bigint): void {
    if (this.unreached.length < MAX_UNREACHED) this.unreached.push({ position: primary, askedAt });
    this.unreached = this.unreached.filter(({ position }) => position > replayed);
    const [oldest] = this.unreached;
    this.probedMs = oldest ? performance.now() - oldest.askedAt : 0;
    this.bytes = primary > replayed ? Number(primary - replayed) : 0;
  }
}
