import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServiceError } from '../errors.js';

/** One request and its answer, as the log, the metrics and the limits see them. Whoever learns more of it writes it here. */
export interface Exchange {
  readonly id: string;
  readonly startedAt: number;
  /** Where the request comes from, as far as proxies are believed. */
  readonly address: string;
  readonly response: ServerResponse;
  /** `site` is all that is not the API: pages, health, metrics. */
  door: 'rest' | 'graphql' | 'site';
  /** What was asked for: a name from a fixed set, so that it can be counted by. */
  operation: string;
  /** The root fields of a GraphQL document, where there are several. */
  fields: string | null;
  /** What a GraphQL document costs. */
  cost: number;
  /** Whether all that a GraphQL document asks for is everybody's: then nobody looks who is asking. */
  isPublic: boolean;
  /** Who asked: an id, never a credential or an e-mail address. */
  caller: string | null;
  /** The code of the refusal; null: all went well. */
  code: string | null;
}

const current = new AsyncLocalStorage<Exchange>();
const acceptable = /^[A-Za-z0-9._-]{1,128}$/;

/** The exchange that is going on; undefined outside of a request. */
export const currentExchange = (): Exchange | undefined => current.getStore();

/** The exchange of a request that is being answered; there is none only where the observer was left out. */
export function theExchange(): Exchange {
  const exchange = current.getStore();
  if (!exchange) throw new Error('this runs outside of a request');
  return exchange;
}

/** Tells the log and the metrics why a request, or the first of what it asked for, was refused. */
export function noteRefusal(code: string): void {
  const exchange = current.getStore();
  if (exchange) exchange.code ??= code;
}

/** Says in the response when to come back, where a refusal knows it. */
export function announceRetry({ retryAfterSeconds }: ServiceError): void {
  const response = current.getStore()?.response;
  if (retryAfterSeconds !== null && response && !response.headersSent)
    response.setHeader('retry-after', String(retryAfterSeconds));
}

/** Does what a request causes as part of its exchange. */
export const within = <T>(exchange: Exchange, work: () => T): T => current.run(exchange, work);

/** Begins an exchange, with the id that the request came with, or a new one. Whoever answers says it in `X-Request-Id`. */
export function beginExchange(request: IncomingMessage, response: ServerResponse, address: string): Exchange {
  const inbound = request.headers['x-request-id'];
  const id = typeof inbound === 'string' && acceptable.test(inbound) ? inbound : crypto.randomUUID();
  return {
    id,
    startedAt: performance.now(),
    address,
    response,
    door: 'site',
    operation: 'unknown',
    fields: null,
    cost: 1,
    isPublic: false,
    caller: null,
    code: null,
  };
}
