import { AsyncResource } from 'node:async_hooks';
import type { Client, Pool } from 'pg';
import { summaryOf, withoutValues } from '../tracing/statement-text.js';
import { currentTracer } from '../tracing/tracing.js';

type Query = (...parameters: unknown[]) => unknown;
type Callback = (error: unknown, result: unknown) => void;

/** Makes each statement of a connection a span, if it is executed within one (D272). */
export function traceStatements(client: Client): void {
  const query = client.query.bind(client) as Query;
  Object.assign(client, {
    query: (statement: unknown, ...others: unknown[]) => {
      const end = startSpan(client, statement);
      if (!end) return query(statement, ...others);
      const callback = others.at(-1);
      if (typeof callback === 'function') {
        const ending: Callback = (error, result) => {
          end(error);
          (callback as Callback)(error, result);
        };
        return query(statement, ...others.with(-1, ending));
      }
      const result = query(statement, ...others);
      Promise.resolve(result).then(() => end(), end);
      return result;
    },
  });
}

/** A pool calls those who wait for a connection in the context of the one who returns it. */
export function keepContext(pool: Pool): void {
  const connect = pool.connect.bind(pool) as Query;
  Object.assign(pool, {
    connect: (callback?: () => void) => connect(callback && AsyncResource.bind(callback)),
  });
}

/** Returns the function that ends the span; null for a heartbeat, and for what pg does not execute itself, such as COPY. */
function startSpan({ host, port, database }: Client, statement: unknown) {
  const text = typeof statement === 'string' ? statement : textOf(statement);
  const tracer = currentTracer();
  if (!text || !tracer?.currentSpan()?.isRecording()) return null;
  const sql = withoutValues(text);
  const name = summaryOf(sql);
  return tracer.start(name, {
    kind: 'client',
    attributes: {
      'db.system.name': 'postgresql',
      'db.namespace': database ?? '',
      'db.operation.name': name.split(' ', 1)[0]!,
      'db.query.summary': name,
      'db.query.text': sql,
      'server.address': host,
      'server.port': port,
    },
  });
}

const textOf = (statement: unknown): string | null =>
  typeof statement === 'object' &&
  statement !== null &&
  'text' in statement &&
  typeof statement.text === 'string' &&
  !('submit' in statement)
    ? statement.text
    : null;
