import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError, StartupError } from '../errors.js';
import { OpenConnections } from './open-connections.js';
import { respondOnSocket } from './respond.js';

/** A bound port. Requests that arrive before `serve` is called wait for it. */
export interface Listener {
  readonly port: number;
  serve(handler: RequestListener): void;
  /** Accepts requests for a while, and announces on each connection that it ends. An aborted signal ends the wait. */
  drain(grace: { forMs: number; signal: AbortSignal }): Promise<void>;
  /** Stops accepting connections, waits for requests in flight, and closes what is left after the grace period. */
  close(grace: { withinMs: number; signal: AbortSignal }): Promise<void>;
}

/** Timeouts and bounds of the listener. Only tests change them: there is no setting. */
export interface ListenerTimeouts {
  headersMs: number;
  requestMs: number;
  /** Longer than the 60 s of most proxies, so that the proxy closes the connection first. */
  keepAliveMs: number;
  /** For a connection without traffic, such as that of a client that does not read. */
  inactivityMs: number;
  /** Interval of the timeout check. */
  checkIntervalMs: number;
  maxConnections: number;
}

const defaults: ListenerTimeouts = {
  headersMs: 10_000,
  requestMs: 30_000,
  keepAliveMs: 65_000,
  inactivityMs: 90_000,
  checkIntervalMs: 1_000,
  maxConnections: 10_000,
};
const maxHeaderBytes = 16 * 1024;
/** Time that a shutdown leaves for a request to arrive whole. */
const RECEIVE_MS = 4_000;
const SWEEP_INTERVAL_MS = 25;

/** Binds the port before the service is ready, so that a port in use is reported before any slow work. */
export async function listen(
  host: string,
  port: number,
  options: Partial<ListenerTimeouts> = {},
): Promise<Listener> {
  const ready = Promise.withResolvers<RequestListener>();
  const connections = new OpenConnections();
  const server = createHttpServer({ ...defaults, ...options });
  const early: RequestListener = async (request, response) => (await ready.promise)(request, response);
  let handler = early;
  server.on('request', (request, response) => {
    if (!connections.begin(response)) return void request.resume();
    const problem = hostProblem(request);
    if (problem) respondOnSocket(new ServiceError('VALIDATION_FAILED', problem), request.socket);
    // Requests of the same packet are parsed first: only the response to the last one may announce the end.
    else if (connections.isDraining) setImmediate(() => handler(request, response));
    else handler(request, response);
  });
  server.on('connection', (socket) => connections.open(socket));
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
    async drain({ forMs, signal }) {
      connections.drain();
      await pause(forMs, signal);
    },
    close: (grace) => closeServer(server, connections, grace),
  };
}

const pause = (ms: number, signal: AbortSignal) => delay(ms, undefined, { signal }).catch(() => undefined);

async function closeServer(
  server: Server,
  connections: OpenConnections,
  { withinMs, signal }: { withinMs: number; signal: AbortSignal },
): Promise<void> {
  connections.drain();
  const closed = once(server, 'close');
  // The close() of an HTTP server would also close connections on which a request may be on its way.
  NetServer.prototype.close.call(server);
  const receiving = setTimeout(() => connections.rejectIncomplete(), RECEIVE_MS);
  const sweeping = setInterval(() => {
    if (connections.isSettled) server.closeIdleConnections();
    connections.closeUnused();
  }, SWEEP_INTERVAL_MS);
  await Promise.race([closed, pause(withinMs, signal)]);
  clearTimeout(receiving);
  clearInterval(sweeping);
  connections.destroyAll();
  await closed;
  // Ends the timeout check.
  server.close();
}

/** Creates a server with timeouts for every phase of a request, which rejects malformed requests with our error body. */
function createHttpServer(limits: ListenerTimeouts): Server {
  const server = createServer({
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
    maxHeaderSize: maxHeaderBytes,
    // Node would reject a request without Host with an empty body; `hostProblem` does it with ours.
    requireHostHeader: false,
  });
  server.maxConnections = limits.maxConnections;
  server.setTimeout(limits.inactivityMs);
  server.on('clientError', respondOnSocket);
  // This is not a proxy.
  server.on('connect', (_request, socket) =>
    respondOnSocket(new ServiceError('METHOD_NOT_ALLOWED', 'CONNECT is not possible here.'), socket),
  );
  // An unknown expectation may be ignored (RFC 9110, 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  return server;
}

const wellFormedHost = /^(?:[\w.~%-]+|\[[\da-f:.]+\])(?::\d{0,5})?$/i;

/** The last one that was well-formed: most requests have the same. */
let lastHost = '';

/** Describes what is wrong with the Host header. A proxy may interpret two of them, or a malformed one, differently. */
function hostProblem({ headers: { host }, httpVersion, rawHeaders }: IncomingMessage): string | null {
  if (host === undefined) return httpVersion === '1.1' ? 'The header Host is missing.' : null;
  if (host !== lastHost && !wellFormedHost.test(host))
    return 'The header Host must be a host name or an address, such as localhost:4000.';
  lastHost = host;
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === 'host') count += 1;
  }
  return count > 1 ? 'The header Host is sent twice. Send it once.' : null;
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
