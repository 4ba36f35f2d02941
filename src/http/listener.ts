import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { StartupError } from '../startup-error.js';

/** A bound port. Requests that come before `serve` wait for it. */
export interface Listener {
  readonly port: number;
  serve(handler: RequestListener): void;
  /** Accepts nothing more, lets requests in flight finish, and cuts them off when the grace is over. */
  close(grace: { withinMs: number; signal: AbortSignal }): Promise<void>;
}

/** Binds first and answers later, so that a taken port is known before any slow work is done. */
export async function listen(host: string, port: number): Promise<Listener> {
  const ready = Promise.withResolvers<RequestListener>();
  const sockets = new Set<Socket>();
  const server = createServer();
  const wait: RequestListener = async (request, response) => (await ready.promise)(request, response);
  server.on('request', wait);
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
    serve(handler) {
      ready.resolve(handler);
      server.off('request', wait).on('request', handler);
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
