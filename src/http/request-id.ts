import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestHandler } from 'express';

const current = new AsyncLocalStorage<string>();
const acceptable = /^[A-Za-z0-9._-]{1,128}$/;

/** The id of the request that is being served; empty outside of one. */
export const requestId = () => current.getStore() ?? '';

/** Gives every request an id, or keeps the one it came with, and says it in the answer. */
export const withRequestId: RequestHandler = (req, res, next) => {
  const inbound = req.get('x-request-id');
  const id = inbound && acceptable.test(inbound) ? inbound : crypto.randomUUID();
  res.set('x-request-id', id);
  current.run(id, next);
};
