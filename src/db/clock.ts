/** Interval of the measurements: a clock that is set, or another primary with another clock, is noticed after this time. */
const INTERVAL_MS = 10_000;
/** Queries of a measurement. */
const SAMPLES = 5;
/** Smaller differences are not corrected: times are stored in milliseconds. */
const PRECISION_MS = 2;

/** Time of the database minus time of this machine. All databases of a process have one clock. */
let offsetMs = 0;

/** Time of this machine, which goes on evenly when somebody sets its clock. */
const localMs = (): number => performance.timeOrigin + performance.now();

/** Current time by the clock of the database, in milliseconds since 1970. */
export const nowMs = (): number => Math.floor(localMs() + offsetMs);

/**
 * Current time by the clock of the database, which all gateways and workers share: a time that one of them stores is
 * compared by another, whose own clock may differ by minutes (D265).
 */
export const now = (): Date => new Date(nowMs());

type Execute = (sql: string) => Promise<{ ms: number }[]>;

/** A difference of two clocks, which is wrong by `error` at most: by half of the time that the query took. */
interface ClockOffset {
  readonly offset: number;
  readonly error: number;
}

/** Follows the clock of a database: measures the difference now and at an interval. Returns the function that ends it. */
export async function followDatabaseClock(execute: Execute): Promise<() => void> {
  const following = new AbortController();
  const correct = async () => {
    const { offset, error } = await measureClock(execute, following.signal);
    if (Math.abs(offset - offsetMs) > error + PRECISION_MS) offsetMs = Math.round(offset);
  };
  await correct();
  // While the database is unreachable, the last difference is used.
  const timer = setInterval(() => void correct().catch(() => undefined), INTERVAL_MS).unref();
  return () => {
    clearInterval(timer);
    following.abort();
  };
}

/** Measures several times, and uses the fastest response: it says most precisely when the database read its clock. */
export async function measureClock(execute: Execute, signal?: AbortSignal): Promise<ClockOffset> {
  const samples: ClockOffset[] = [];
  while (samples.length < SAMPLES) {
    samples.push(await sample(execute));
    // Another query would open a connection to a database that has been closed.
    signal?.throwIfAborted();
  }
  return samples.reduce((best, other) => (other.error < best.error ? other : best));
}

async function sample(execute: Execute): Promise<ClockOffset> {
  const sentAt = localMs();
  const [row] = await execute('select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms');
  const error = (localMs() - sentAt) / 2;
  // The database has read its clock at some time between the request and the response.
  return { offset: (row?.ms ?? Number.NaN) - (sentAt + error), error };
}
