import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { connectionError, type ErrorBody, errorStatus, ServiceError } from '../errors.js';

/** Answers what never became a request, in the one shape, and ends the connection: nobody knows where the next begins. */
export function refuseConnection(error: Error, socket: Duplex): void {
  if (!socket.writable || ('code' in error && error.code === 'ECONNRESET')) return void socket.destroy();
  const known =
    error instanceof ServiceError ? error : connectionError('code' in error ? String(error.code) : '');
  socket.end(refusal(known), () => socket.destroy());
}

function refusal({ code, message, details }: ServiceError): string {
  const requestId = crypto.randomUUID();
  const body: ErrorBody = { error: { code, message, details, requestId } };
  const text = JSON.stringify(body);
  const status = errorStatus[code];
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    `x-request-id: ${requestId}`,
    'cache-control: no-store',
    'x-content-type-options: nosniff',
    'connection: close',
    ...(code === 'METHOD_NOT_ALLOWED' ? ['allow: GET, HEAD, POST, PUT, DELETE, OPTIONS'] : []),
    '',
    text,
  ].join('\r\n');
}
