import type { Client } from 'pg';
import { summaryOf, withoutValues } from '../tracing/statement-text.js';
import { currentTracer } from '../tracing/tracing.js';
import { observeStatements } from './observed-statements.js';

/** Makes each statement of a connection a span, if it is executed within one (D272). */
export const traceStatements = (client: Client): void =>
  observeStatements(client, (statement) => startSpan(client, statement));

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
