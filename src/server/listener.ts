import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError, StartupError } from '../errors.js';
import { refuseConnection } from './connection-refusal.js';

/** A bound port. Requests that come before `serve` wait for it. */
export interface Listener {
  readonly port: number;
  serve(handler: RequestListener): void;
  /** Accepts nothing more, lets requests in flight finish, and cuts them off when the grace is over. */
  close(grace: { withinMs: number; signal: AbortSignal }): Promise<void>;
}

/** How patient the listener is. Only the tests are less so: no setting leads here. */
export interface Patience {
  headersMs: number;
  requestMs: number;
  /** Longer than the minute for which proxies keep their connections: it is theirs to close one. */
  keepAliveMs: number;
  /** For a connection on which nothing moves, such as that of a caller who does not read. */
  silenceMs: number;
  /** How often it looks at its watch. */
  lookMs: number;
  maxConnections: number;
}

const patience: Patience = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  silenceMs: 90_000,
  lookMs: 1_000,
  maxConnections: 10_000,
};
const maxHeaderBytes = 16 * 1024;

/** Binds first and answers later, so that a taken port is known before any slow work is done. */
export async function listen(host: string, port: number, options: Partial<Patience> = {}): Promise<Listener> {
  const ready = Promise.withResolvers<RequestListener>();
  const sockets = new Set<Socket>();
  const server = guarded({ ...patience, ...options });
  const early: RequestListener = async (request, response) => (await ready.promise)(request, response);
  let handler = early;
  server.on('request', (request, response) => {
    const problem = hostProblem(request);
    if (problem) refuseConnection(new ServiceError('VALIDATION_FAILED', problem), request.socket);
    else handler(request, response);
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    throw bindingError(error, host, port);
  }
  const address = server.address();
  return {
    port: address !== null && typeof address === 'object' ? address.port : port,
    serve(given) {
      handler = given;
      ready.resolve(given);
    },
    async close({ withinMs, signal }) {
      const closed = once(server, 'close');
      server.close();
      // A connection kept alive turns idle when its last answer is out, and would then be held open for seconds.
      const sweep = setInterval(() => server.closeIdleConnections(), 25);
      await Promise.race([closed, delay(withinMs, undefined, { signal }).catch(() => undefined)]);
      clearInterval(sweep);
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** A server that waits for nobody for ever, and refuses in the one shape what is not a request. */
function guarded(limits: Patience): Server {
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.lookMs,
    maxHeaderSize: maxHeaderBytes,
    // Node would refuse a request without one with an empty body.
    requireHostHeader: false,
  });
  server.maxConnections = limits.maxConnections;
  server.setTimeout(limits.silenceMs);
  server.on('clientError', refuseConnection);
  // We are nobody's way to somewhere else.
  server.on('connect', (_request, socket) =>
    refuseConnection(new ServiceError('METHOD_NOT_ALLOWED', 'CONNECT is not possible here.'), socket),
  );
  // An expectation that we do not know is not ours to meet, and no reason to refuse (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server;
}

const wellFormedHost = /^(?:[\w.~%-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

/** Describes what is wrong with the header Host: two readers could take two of them, or an odd one, for different services. */
function hostProblem({ headers: { host }, httpVersion, rawHeaders }: IncomingMessage): string | null {
  if (host === undefined) return httpVersion === '1.1' ? 'The header Host is missing.' : null;
  if (!wellFormedHost.test(host))
    return 'The header Host must be a host name or an address, such as localhost:4000.';
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count > 1 ? 'The header Host is there twice. Send it once.' : null;
}

function bindingError(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  switch (code) {
    case 'EADDRINUSE':
      return new StartupError(
        `Port ${port} on ${host} is already taken: stop the program that has it, or set PORT to another.`,
      );
    case 'EACCES':
      return new StartupError(
        `This user may not listen on port ${port} of ${host}: set PORT to one above 1023.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new StartupError(`HOST ${host} is not an address of this machine: set HOST to one that is.`);
    default:
      return error;
  }
}
