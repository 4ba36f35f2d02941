import type { Client } from 'pg';
import { summaryOf, withoutValues } from '../tracing/statement-text.js';
import { currentTracer } from '../tracing/tracing.js';
import type { ClientRules, DatabaseClient } from './client.js';
import { currentPayer, remainingMs } from './payer.js';

type Query = (...parameters: unknown[]) => unknown;
type Callback = (error: unknown, result: unknown) => void;
/** To be called when a statement has ended. */
type End = (error?: unknown) => void;

/**
 * Adapts each statement of a connection to a pooler, makes it a span, and charges it to its request. Prepared statements
 * and those of the ORM pass here, so a statement that is added later does too.
 */
export function followStatements(client: DatabaseClient, rules: ClientRules): void {
  const { adapt, statementMs } = rules;
  const isTraced = currentTracer() !== null;
  const charge = rules.isForRequests ? chargeRequests(client, statementMs) : null;
  if (!adapt && !isTraced && !charge) return;
  const query = client.query.bind(client) as Query;
  Object.assign(client, {
    query: (statement: unknown, ...others: unknown[]) => {
      const endSpan = isTraced ? startSpan(client, statement) : null;
      const endCharge = charge?.() ?? null;
      const adapted = adapt ? adapt(statement) : statement;
      if (!endSpan && !endCharge) return query(adapted, ...others);
      return observe(query, adapted, others, (error) => {
        endCharge?.();
        endSpan?.(error);
      });
    },
  });
}

/** Calls `end` when the statement has ended, whichever way it is requested. */
function observe(query: Query, statement: unknown, others: unknown[], end: End): unknown {
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
}

/**
 * Charges the request that sends a statement: the time from sending to the last row, or to the error (D321). Ends the
 * connection when the request has no time left (D329); a statement that PostgreSQL ends before needs no timer.
 */
function chargeRequests(client: DatabaseClient, statementMs: number | null): () => End | null {
  let lastEndedAt = 0;
  return () => {
    const payer = currentPayer();
    const leftMs = remainingMs();
    const isBounded = leftMs < (statementMs ?? Infinity);
    if (!payer && !isBounded) return null;
    const timer = isBounded ? setTimeout(() => client.abandon('the request has no time left'), leftMs) : null;
    const requestedAt = performance.now();
    return () => {
      if (timer) clearTimeout(timer);
      const endedAt = performance.now();
      // A connection executes one statement at a time: those that were requested together are sent one by one.
      payer?.chargeDatabaseTime(endedAt - Math.max(requestedAt, lastEndedAt));
      lastEndedAt = endedAt;
    };
  };
}

/** Starts a span within the current one (D272); returns null for a heartbeat, and for what pg does not execute itself, such as COPY. */
function startSpan({ host, port, database }: Client, statement: unknown): End | null {
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
