/** The purposes of connections. Each has its share of DATABASE_POOL, its time-outs and its application_name. */
export type Purpose = 'writes' | 'reads' | 'installs' | 'jobs' | 'limits' | 'listen' | 'replica' | 'tools';

/** Time-outs of connections. Null: none. */
export interface Timeouts {
  /** Runtime of a statement, including its waits for locks. PostgreSQL ends it, so the connection stays usable. */
  readonly statementMs: number | null;
  /** Wait of a statement for a lock. */
  readonly lockMs: number | null;
  /** Pause of a transaction between two statements: after it, a frozen process holds its locks no longer. */
  readonly idleInTransactionMs: number | null;
  /** Wait of the client for an answer. Longer than `statementMs`, so it ends only connections that are dead. */
  readonly silenceMs: number | null;
  /** Wait for a connection: one that is opened, or one of the pool that others use. */
  readonly connectMs: number;
}

/** A server that runs answers within milliseconds, one that restarts within seconds. */
const connectMs = 5_000;

/** For what takes as long as it needs. */
export const noTimeouts: Timeouts = {
  statementMs: null,
  lockMs: null,
  idleInTransactionMs: null,
  silenceMs: null,
  connectMs,
};
/** A statement takes milliseconds; one that takes longer than ten seconds waits for a lock or has a bad plan. */
const usual: Timeouts = {
  statementMs: 10_000,
  lockMs: null,
  idleInTransactionMs: 20_000,
  silenceMs: 12_000,
  connectMs,
};

/** The time-outs of each purpose (D234). */
export const purposeTimeouts: Record<Purpose, Timeouts> = {
  // A request that waits for a held row holds a connection meanwhile, so waiters give up early. A transaction of ours pauses for
  // the statements of another pool at most.
  writes: { ...usual, lockMs: 5_000 },
  // Reads wait for no locks, and `/readyz` is one of them: it should notice dead connections early.
  reads: { ...usual, statementMs: 5_000, silenceMs: 6_000 },
  replica: { ...usual, statementMs: 5_000, silenceMs: 6_000 },
  // A batch waits for its turn among the batches of other gateways, and for nothing else.
  installs: usual,
  jobs: usual,
  // Every request waits for its count; without one in time, the process counts by itself.
  limits: { ...usual, statementMs: 2_000, silenceMs: 3_000 },
  // Its statements and heartbeats are answered at once, and what is cached depends on them.
  listen: { ...noTimeouts, silenceMs: 2_000 },
  // Migrations, backups and checks take as long as they need.
  tools: noTimeouts,
};
