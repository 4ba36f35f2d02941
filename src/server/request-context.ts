import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { requestInScope, runFor } from '../db/payer.js';
import type { Charge, ChargedRequest } from '../limits/charge.js';

/** The CORS headers of a response, by name in lower case. One object for each origin, so that heads are prepared for it. */
export type CorsHeaders = Readonly<Record<string, string>>;

const noCorsHeaders: CorsHeaders = {};

/** One request: what the log, the metrics, the limits and the response need to know of it. */
export interface RequestContext {
  readonly id: string;
  readonly startedAt: number;
  /** REQUEST_SECONDS. */
  readonly requestMs: number;
  /** Time at which the response is due (D329); Infinity for event streams, and after the response. */
  deadlineAt: number;
  /** The client's address, read through trusted proxies. */
  readonly address: string;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly log: Logger;
  /** Counts the time that the database works for requests. */
  readonly limits: DatabaseTimeLimits;
  /** The headers that every response has, by name in lower case. */
  readonly commonHeaders: ReadonlyMap<string, string>;
  /** The API that was called; `site` is everything else: pages, health, metrics. */
  door: 'rest' | 'graphql' | 'site';
  /** The operation, from a fixed set of names, so that it can be a label in the metrics. */
  operation: string;
  /** The root fields of a GraphQL document that has several. */
  fields: string | null;
  /** The cost of a GraphQL document. */
  cost: number;
  /** The id of the authenticated caller, never a credential or an e-mail address. */
  caller: string | null;
  /** The id of the caller's developer. */
  developer: string | null;
  /** The expiry of the caller's API key. */
  keyExpiresAt: Date | null;
  /** The error code; null for a success. */
  code: string | null;
  /** The charges against rate limits so far. */
  readonly charges: Charge[];
  retryAfterSeconds: number | null;
  cors: CorsHeaders;
  /** The key under which the response to a read may be cached. */
  cacheKey: string | null;
  /** Headers of this request's response, whether it succeeds or fails. */
  readonly responseHeaders: Record<string, string>;
}

interface DatabaseTimeLimits {
  chargeDatabaseTime(request: ChargedRequest, ms: number): void;
}

/** Only `runInRequest` sets it. */
const inScope = () => requestInScope() as RequestContext | null;
const acceptableId = /^[A-Za-z0-9._-]{1,128}$/;

/** Creates the context of a request, with the id that the client sent, or a new one. */
export function createRequestContext(
  request: IncomingMessage,
  response: ServerResponse,
  {
    address,
    log,
    limits,
    commonHeaders,
    requestMs,
  }: Pick<RequestContext, 'address' | 'log' | 'limits' | 'commonHeaders' | 'requestMs'>,
): RequestContext {
  const sent = request.headers['x-request-id'];
  const startedAt = performance.now();
  return {
    id: typeof sent === 'string' && acceptableId.test(sent) ? sent : crypto.randomUUID(),
    startedAt,
    requestMs,
    deadlineAt: startedAt + requestMs,
    address,
    request,
    response,
    log,
    limits,
    commonHeaders,
    door: 'site',
    operation: 'unknown',
    fields: null,
    cost: 1,
    caller: null,
    developer: null,
    keyExpiresAt: null,
    code: null,
    charges: [],
    retryAfterSeconds: null,
    cors: noCorsHeaders,
    cacheKey: null,
    responseHeaders: {},
  };
}

/** Runs a function, and everything that it starts, within the context of a request, which pays for its statements (D321). */
export function runInRequest<T>(context: RequestContext, run: () => T): T {
  const payer = { chargeDatabaseTime: (ms: number) => context.limits.chargeDatabaseTime(context, ms) };
  return runFor(context, payer, run);
}

/** To be called when the whole request has arrived, from which its time is counted (D329). */
export function startDeadline(context: RequestContext): void {
  context.deadlineAt = performance.now() + context.requestMs;
}

/** Returns the context of the request that is being handled. */
export function currentRequest(): RequestContext {
  const context = inScope();
  if (!context) throw new Error('currentRequest() was called outside of a request');
  return context;
}

/** Returns the id of the request that is being handled; empty outside of one, such as in a job. */
export const requestId = (): string => inScope()?.id ?? '';
