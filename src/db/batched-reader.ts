import DataLoader from 'dataloader';
import type { DatabaseError } from 'pg';
import { isConnectionLost, isDatabaseUnavailable, isStatementCancelled } from '../errors/database-errors.js';
import { currentScope, inOwnTime, type RequestScope, runForAll } from './payer.js';
import type { Statement, StatementReader } from './reader.js';

/** A row of a batch, with the place of its statement in the batch. */
interface BatchRow {
  readonly batchPlace: number;
}

/** A statement, and the scope of the request that sends it. */
interface ScopedStatement {
  readonly statement: Statement;
  readonly scope: RequestScope;
}

/** The rows of a statement, or its error. */
type Result = PromiseSettledResult<object[]>;

/**
 * Sends statements that are requested at the same time, by whichever request, and differ only in their values as one
 * statement. Sending a statement, and starting and ending its execution, then happens once for all of them. For
 * short statements whose parameters are all written as `$1::type`, without arrays.
 */
export class BatchedReader implements StatementReader {
  /** By the name of the statement: all statements of a name have the same text. */
  private readonly loaders = new Map<string, DataLoader<ScopedStatement, Result>>();

  /** `maxBatch` should be small, because none of a batch has its rows before all have been read. */
  constructor(
    private readonly reader: StatementReader,
    private readonly maxBatch: number,
  ) {}

  async rows<Row extends object>(statement: Statement): Promise<Row[]> {
    const loader = this.loaders.get(statement.name) ?? this.loaderFor(statement);
    const result = await inOwnTime(loader.load({ statement, scope: currentScope() }));
    if (result.status === 'rejected') throw result.reason;
    return result.value as Row[];
  }

  private loaderFor({ name, text }: Statement) {
    const batch = new StatementBatch(name, text);
    const loader = new DataLoader<ScopedStatement, Result>((scoped) => this.read(batch, scoped), {
      cache: false,
      maxBatchSize: this.maxBatch,
      // All requests that have arrived are read before the statement is sent.
      batchScheduleFn: setImmediate,
    });
    this.loaders.set(name, loader);
    return loader;
  }

  private async read(batch: StatementBatch, scoped: readonly ScopedStatement[]): Promise<Result[]> {
    const each = () =>
      Promise.allSettled(
        scoped.map(({ statement, scope }) => runForAll([scope], () => this.reader.rows(statement))),
      );
    if (scoped.length === 1) return each();
    const statement = batch.of(scoped.map((one) => one.statement));
    const scopes = scoped.map(({ scope }) => scope);
    try {
      const rowsOf: object[][] = scoped.map(() => []);
      for (const row of await runForAll(scopes, () => this.reader.rows<BatchRow>(statement)))
        rowsOf[row.batchPlace]!.push(row);
      return rowsOf.map((value) => ({ status: 'fulfilled', value }));
    } catch (error) {
      if (!concernsOne(error as DatabaseError)) throw error;
      // So that none fails for the error of another one, nor all for one lost connection.
      return each();
    }
  }
}

/** Returns false if the database cannot be used: each statement alone would fail too. All of a batch share its time limit. */
const concernsOne = (error: DatabaseError) =>
  !isDatabaseUnavailable(error) || isConnectionLost(error) || isStatementCancelled(error);

/** Makes one statement of several that have the same text: it runs the text for each row of a table of their values. */
class StatementBatch {
  private readonly types: string[] = [];
  private readonly text: string;

  constructor(
    private readonly name: string,
    text: string,
  ) {
    const body = text.replace(/\$(\d+)::(double precision|\w+)/g, (_, number: string, type: string) => {
      this.types[Number(number) - 1] = type;
      return `b.p${number}`;
    });
    const lists = this.types.map((type, index) => `$${index + 1}::${type}[]`).join(', ');
    const columns = this.types.map((_, index) => `p${index + 1}, `).join('');
    this.text = `select b.place::integer - 1 as "batchPlace", r.*
      from unnest(${lists}) with ordinality b (${columns}place) cross join lateral (${body}) r`;
  }

  of(statements: readonly Statement[]): Statement {
    const values = this.types.map((_, index) => statements.map((statement) => statement.values[index]));
    return { name: `batch of ${this.name}`, text: this.text, values };
  }
}
