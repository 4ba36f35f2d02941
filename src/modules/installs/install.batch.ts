import { setImmediate as nextTurn } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import { ServiceError } from '../../errors.js';
import {
  columnsOf,
  type NewInstall,
  type RecordedInstall,
  recordPatiently,
  recordSwiftly,
} from './install.queries.js';

const maxBatch = 500;
const maxWaiting = 10_000;
/** While the database writes the batch of one, another gathers. */
const swiftLanes = 2;
const connectWithinMs = 5_000;
const answerWithinMs = 15_000;

/** Whatever the database does by itself, an acknowledged install survives a crash; one plan serves for all batches. */
const sessionSettings =
  "set synchronous_commit = on; set statement_timeout = '10s'; set plan_cache_mode = force_generic_plan; set jit = off";

const QUERY_CANCELED = '57014';

type Statement = typeof recordSwiftly;
type Answer = (waiting: Waiting, recorded: RecordedInstall) => void;

/** One caller who waits for an answer. */
interface Waiting {
  install: NewInstall;
  resolve(recorded: RecordedInstall): void;
  reject(error: unknown): void;
}

/**
 * Records the installs of all callers of this process, many in a transaction. A caller is answered after the commit.
 * The swift lanes never wait for an app that somebody else holds, an edit or another node's batch: such installs
 * change over to the patient lane, which does, so that a held app delays nobody but those who want held apps.
 */
export class InstallBatch {
  private readonly pool: pg.Pool;
  private readonly swift: readonly Lane[];
  private readonly patient: Lane;
  /** Slugs of apps for which the patient lane waits, or did a moment ago: trying them swiftly would be in vain. */
  private readonly held = new Set<string>();
  private isClosed = false;

  constructor(databaseUrl: string, log: Logger) {
    this.pool = new pg.Pool({
      connectionString: databaseUrl,
      max: swiftLanes + 1,
      connectionTimeoutMillis: connectWithinMs,
      query_timeout: answerWithinMs,
      onConnect: async (client) => void (await client.query(sessionSettings)),
    });
    // A connection that breaks says so twice, to its query and by an event, which nobody else would hear.
    this.pool.on('connect', (client) => client.on('error', () => undefined));
    this.pool.on('error', (error) => log.warn({ err: error }, 'an idle connection for installs was lost'));
    this.patient = new Lane(
      (batch) => this.send(recordPatiently, batch, settle),
      () => this.held.clear(),
    );
    this.swift = Array.from({ length: swiftLanes }, () => new Lane((batch) => this.sendSwiftly(batch)));
  }

  /** Answers once the install is durable, or was before. */
  async record(install: NewInstall): Promise<RecordedInstall> {
    if (this.isClosed || this.lanes.reduce((sum, { size }) => sum + size, 0) >= maxWaiting) {
      throw new ServiceError(
        'UNAVAILABLE',
        'More installs wait than can be recorded soon; this one was not. Try again in a few seconds.',
      );
    }
    const lane = this.held.has(install.slug) ? this.patient : this.swiftLaneOf(install.slug);
    return new Promise((resolve, reject) => lane.add({ install, resolve, reject }));
  }

  /** Records what has been taken, and takes no more. */
  async close(): Promise<void> {
    this.isClosed = true;
    // The patient one last: the others hand on to it.
    for (const lane of this.lanes) await lane.emptied();
    await this.pool.end();
  }

  private get lanes(): readonly Lane[] {
    return [...this.swift, this.patient];
  }

  /** An app has one lane, so that no two of them ever want the same. */
  private swiftLaneOf(slug: string): Lane {
    return this.swift[(slug.charCodeAt(slug.length >> 1) || 0) % swiftLanes]!;
  }

  private sendSwiftly(batch: readonly Waiting[]): Promise<void> {
    return this.send(recordSwiftly, batch, (waiting, recorded) => {
      if (!recorded.isListed || recorded.installCount !== null) return settle(waiting, recorded);
      this.held.add(waiting.install.slug);
      this.patient.add(waiting);
    });
  }

  /** Sends a batch as one statement, which commits by itself; what spoils it for others is looked for by halves. */
  private async send(statement: Statement, batch: readonly Waiting[], answer: Answer): Promise<void> {
    try {
      const rows = await this.execute(statement, columnsOf(batch.map(({ install }) => install)));
      for (const [place, waiting] of batch.entries()) answer(waiting, rows[place]!);
    } catch (error) {
      if (batch.length > 1 && isOfOne(error)) {
        const middle = batch.length >> 1;
        await this.send(statement, batch.slice(0, middle), answer);
        await this.send(statement, batch.slice(middle), answer);
      } else for (const waiting of batch) waiting.reject(error);
    }
  }

  private async execute(statement: Statement, values: unknown[]): Promise<RecordedInstall[]> {
    const client = await this.pool.connect().catch((error: unknown) => {
      // Nobody who waits would fare better, and each would wait for another attempt.
      for (const waiting of this.lanes.flatMap((lane) => lane.takeAll())) waiting.reject(error);
      throw error;
    });
    try {
      const { rows } = await client.query<RecordedInstall>({ ...statement, values });
      client.release();
      return rows;
    } catch (error) {
      const isRefusal = error instanceof pg.DatabaseError && !/^(08|57P)/.test(error.code ?? '');
      client.release(!isRefusal);
      if (!isRefusal) throw uncertain(error);
      throw error.code === QUERY_CANCELED ? tooSlow(error) : error;
    }
  }
}

const settle = ({ resolve }: Waiting, recorded: RecordedInstall) => resolve(recorded);

/** What a single install can cause, by its values or by bad luck: the others must not suffer for it. */
const isOfOne = (error: unknown) => error instanceof pg.DatabaseError && /^(22|23|40)/.test(error.code ?? '');

/** The statement was sent and no answer came: the commit may have happened or not. */
const uncertain = (cause: unknown) =>
  new ServiceError(
    'UNAVAILABLE',
    'The database did not answer, and the install may have been recorded or not. Try again in a few seconds: with an installationId it counts once, however often it is sent.',
    [],
    { cause },
  );

/** An app was held for too long, or the database has too much to do: it was not recorded. */
const tooSlow = (cause: unknown) =>
  new ServiceError(
    'UNAVAILABLE',
    'The install could not be recorded in time, and was not. Try again in a few seconds.',
    [],
    { cause },
  );

/** A queue of installs, worked off batch by batch: while one is under way, the next gathers. */
class Lane {
  private readonly waiting: Waiting[] = [];
  private working: Promise<void> | null = null;
  private isBurst = false;

  constructor(
    private readonly send: (batch: readonly Waiting[]) => Promise<void>,
    private readonly whenEmpty: () => void = () => undefined,
  ) {}

  get size(): number {
    return this.waiting.length;
  }

  add(waiting: Waiting): void {
    this.waiting.push(waiting);
    this.working ??= this.work();
  }

  /** Whoever has not been sent yet. */
  takeAll(): Waiting[] {
    return this.waiting.splice(0);
  }

  async emptied(): Promise<void> {
    await this.working;
  }

  /** A caller who is alone is not kept waiting; in a burst those who have arrived by now come along. */
  private async work(): Promise<void> {
    while (this.waiting.length > 0) {
      if (this.isBurst && this.waiting.length < maxBatch) await nextTurn();
      const batch = this.waiting.splice(0, maxBatch);
      this.isBurst = batch.length > 1;
      await this.send(batch);
    }
    // In the same breath as the last look: whoever comes later begins anew.
    this.working = null;
    this.whenEmpty();
  }
}
