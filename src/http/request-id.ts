import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestHandler } from 'express';

const current = new AsyncLocalStorage<string>();
const acceptable = /^[A-Za-z0-9._-]{1,128}$/;

/** The id of the request that is being served; empty outside of one. */
export const requestId = () => current.getStore() ?? '';

/** The id that a request came with, or a new one. */
export const requestIdOf = (inbound: unknown): string =>
  typeof inbound === 'string' && acceptable.test(inbound) ? inbound : crypto.randomUUID();

/** Gives every request an id, or keeps the one it came with, and says it in the answer. */
export const withRequestId: RequestHandler = (req, res, next) => {
  const id = requestIdOf(req.headers['x-request-id']);
  res.set('x-request-id', id);
  current.run(id, next);
};
