/** More than a minute of probes. The oldest ones count, so later ones are dropped. */
const MAX_UNREACHED = 300;

/** Lag of a replica. Null: not known, or the server is no standby. */
export interface LagFigures {
  /** Bytes of the write-ahead log of the primary after the last position that the replica is known to have replayed. */
  readonly lagBytes: number | null;
  /** Age of the oldest position of the primary that the replica has not replayed. */
  readonly lagSeconds: number | null;
}

/** Measures how far a replica is behind its primary, by positions of the primary that it has not replayed. */
export class ReplicaLag {
  /** Positions that the replica has not replayed, oldest first, with the time at which the primary had them. */
  private unreached: { position: bigint; askedAt: number }[] = [];
  private primary = 0n;
  /** The last position that the replica has reported. */
  private replayed: bigint | null = null;
  /** Age of the oldest position that was missing at the last probe. */
  probedMs = 0;

  get figures(): LagFigures {
    if (this.replayed === null) return { lagBytes: null, lagSeconds: null };
    const [oldest] = this.unreached;
    return {
      lagBytes: this.primary > this.replayed ? Number(this.primary - this.replayed) : 0,
      lagSeconds: oldest ? (performance.now() - oldest.askedAt) / 1000 : 0,
    };
  }

  /**
   * Notes what a standby has replayed. Without the mark, none of the primary's positions counts as replayed. A position
   * that the primary has not reached itself was lost in a failover, and no standby will ever have it.
   */
  note(primary: bigint, askedAt: number, replayed: bigint, isMarked: boolean): void {
    this.primary = primary;
    this.replayed = replayed;
    if (this.unreached.length < MAX_UNREACHED) this.unreached.push({ position: primary, askedAt });
    this.unreached = this.unreached.filter(
      ({ position }) => position <= primary && (!isMarked || position > replayed),
    );
    const [oldest] = this.unreached;
    this.probedMs = oldest ? performance.now() - oldest.askedAt : 0;
  }

  /** Lets the lag of a replica that does not respond grow with the primary. */
  noteSilence(primary: bigint, askedAt: number): void {
    if (this.replayed !== null) this.note(primary, askedAt, this.replayed, true);
  }

  /** To be called if the server is no standby. */
  clear(): void {
    this.unreached = [];
    this.replayed = null;
    this.probedMs = 0;
  }
}
