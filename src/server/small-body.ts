import type { IncomingMessage } from 'node:http';
import { theExchange, within } from './request-context.js';

const MAX_BYTES = 8 * 1024;
const jsonTypes = new Set([
  'application/json',
  'application/json; charset=utf-8',
  'application/json;charset=utf-8',
]);

/** Whether a request carries a little JSON in the plainest way, so that it can be read without Express. */
export const isSmallJson = ({ method, headers }: IncomingMessage) =>
  method === 'POST' &&
  jsonTypes.has(headers['content-type'] ?? '') &&
  // An empty body has ended when it is looked at, and could not be put back.
  Number(headers['content-length']) > 0 &&
  Number(headers['content-length']) <= MAX_BYTES &&
  headers['content-encoding'] === undefined &&
  headers.expect === undefined;

/** Reads the whole body of such a request, so that it can still be put back: the stream has not ended by then. */
export function peek(req: IncomingMessage, done: (body: Buffer) => void): void {
  const chunks: Buffer[] = [];
  let missing = Number(req.headers['content-length']);
  // The body comes by events of the connection, which know nothing of the exchange.
  const exchange = theExchange();
  const look = () => {
    for (let chunk: Buffer | null = req.read(); chunk !== null; chunk = req.read()) {
      chunks.push(chunk);
      missing -= chunk.length;
    }
    if (missing > 0) return;
    req.off('readable', look);
    within(exchange, () => done(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)));
  };
  req.on('readable', look);
}
