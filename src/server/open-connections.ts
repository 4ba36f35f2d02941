import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../errors.js';
import { respondOnSocket } from './respond.js';

/** Longer than a packet travels: a connection that is unused for this long has no request on its way. */
const SETTLED_AFTER_MS = 250;
/** Time for the client to close a connection after its last response. */
const LINGER_MS = 1_000;

/** A request in progress. The response is removed when it is finished. */
interface Exchange {
  response: ServerResponse | null;
}

/** The open connections of a server and their requests, so that a shutdown can end them without losing one (D252). */
export class OpenConnections {
  private readonly openedAt = new Map<Socket, number>();
  private readonly inFlight = new Set<Exchange>();
  /** The last response of each connection; null until the server drains. */
  private lastResponses: Map<Socket, ServerResponse> | null = null;
  private drainingSince = 0;

  get isDraining(): boolean {
    return this.lastResponses !== null;
  }

  open(socket: Socket): void {
    this.openedAt.set(socket, performance.now());
    socket.once('close', () => {
      this.openedAt.delete(socket);
      this.lastResponses?.delete(socket);
    });
    if (this.isDraining) lingerWhenClosed(socket);
  }

  /** Registers a request. Returns false if its connection has announced its end, after which nothing is processed (RFC 9112, 9.6). */
  begin(response: ServerResponse): boolean {
    if (this.lastResponses && !this.announceEnd(response, this.lastResponses)) return false;
    const exchange = { response };
    this.inFlight.add(exchange);
    response.on('close', () => this.finish(exchange, response));
    return true;
  }

  /** From now on the last response on each connection has `Connection: close`, and the connection is closed after it. */
  drain(): void {
    if (this.lastResponses) return;
    this.lastResponses = new Map();
    this.drainingSince = performance.now();
    for (const socket of this.openedAt.keys()) lingerWhenClosed(socket);
    for (const { response } of this.inFlight) if (response) this.announceEnd(response, this.lastResponses);
  }

  /** Closes the connections that never had a request and on which none can be on its way. */
  closeUnused(): void {
    const now = performance.now();
    for (const [socket, openedAt] of this.openedAt)
      if (socket.bytesRead === 0 && now - openedAt >= SETTLED_AFTER_MS) socket.destroy();
  }

  /** True when connections that were idle when the drain began have been so for long enough to be closed. */
  get isSettled(): boolean {
    return performance.now() - this.drainingSince >= SETTLED_AFTER_MS;
  }

  /** Rejects the requests that have not arrived whole. Those that have are still handled. */
  rejectIncomplete(): void {
    const handled = new Set<Socket>();
    for (const { response } of this.inFlight)
      if (response?.req.complete || response?.headersSent) handled.add(response.req.socket);
    const error = new ServiceError(
      'REQUEST_TIMEOUT',
      'The request did not arrive whole before this server was stopped. Send it again.',
    );
    for (const socket of this.openedAt.keys()) if (!handled.has(socket)) respondOnSocket(error, socket);
  }

  destroyAll(): void {
    for (const socket of this.openedAt.keys()) socket.destroy();
  }

  private announceEnd(response: ServerResponse, lastResponses: Map<Socket, ServerResponse>): boolean {
    const { socket } = response.req;
    const previous = lastResponses.get(socket);
    if (previous && !previous.shouldKeepAlive && previous.headersSent) return false;
    // This request was pipelined behind another one, whose response is not the last one then.
    if (previous) previous.shouldKeepAlive = true;
    lastResponses.set(socket, response);
    if (!response.headersSent) response.shouldKeepAlive = false;
    return true;
  }

  private finish(exchange: Exchange, response: ServerResponse): void {
    this.inFlight.delete(exchange);
    exchange.response = null;
    const { socket } = response.req;
    // A response that began before the drain, such as an event stream, could not announce the end.
    if (this.lastResponses?.get(socket) === response) socket.destroySoon();
  }
}

/**
 * Makes the server close its side first and read on until the client closes too: a request that arrives after the end
 * would be answered by a reset, which may destroy a response that the client has not read yet.
 */
function lingerWhenClosed(socket: Socket): void {
  socket.destroySoon = () => {
    if (socket.writableEnded) return;
    socket.end();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}
