/**
 * SQLSTATEs of a PostgreSQL that cannot serve right now, by class or in full. All others are faults of our statements, or
 * are handled where they occur.
 */
const unavailableStates = new RegExp(
  `^(?:${[
    '08...', // Connection exceptions.
    '25006', // A primary that has become read-only, or a standby.
    '25P0[34]', // The server has ended a transaction that took too long.
    '28...', // The server no longer accepts our credentials.
    '3D000', // The database is gone, such as during a restore.
    '40(?:001|003|P01)', // Rolled back because of concurrent transactions, again and again.
    '53...', // Disk full, out of memory, too many connections.
    '55P03', // A lock was not released in time.
    '57...', // Shutdown, crash, start-up, cancelled statement, idle session ended.
    '58...', // Errors of the server's disk or system.
  ].join('|')})$`,
);

/** Errors of a statement that is possible on a primary only, without a SQLSTATE of their own. */
const recovery = /recovery is in progress/;

/** Errors of the operating system on a connection, whatever call reported them. */
const connectionErrors = new Set([
  ...['ECONNABORTED', 'ECONNREFUSED', 'ECONNRESET', 'ENOTCONN', 'EPIPE', 'ESHUTDOWN', 'ETIMEDOUT'],
  ...['EHOSTDOWN', 'EHOSTUNREACH', 'ENETDOWN', 'ENETRESET', 'ENETUNREACH', 'EADDRNOTAVAIL', 'ENONET'],
  ...['ENOTFOUND', 'ENOBUFS', 'EMFILE', 'ENFILE'],
]);
/** System calls whose every error means that there is no connection, such as ENOENT for the path of a socket. */
const connectionCalls = new Set(['connect', 'getaddrinfo', 'socket']);
const nameServerErrors = /^EAI_/;
/** TLS errors of Node and of OpenSSL. */
const tlsErrors = /^(?:ERR_TLS_|ERR_SSL_)/;

/** Errors of pg, pg-pool and Kysely that have no code. */
const driverErrors = new RegExp(
  [
    'Connection terminated',
    'Query read timeout',
    'timeout expired',
    'timeout exceeded when trying to connect',
    'is not queryable',
    'Cannot use a pool after calling end on the pool',
    'driver has already been destroyed',
    'SSL connection',
    '^SASL:',
    'Received unexpected \\w+ message from backend',
  ].join('|'),
);

/** Returns true for errors by which the database cannot be reached or cannot be used right now (D108). */
export function isDatabaseUnavailable(error: object): boolean {
  const { code, syscall, message } = partsOf(error);
  return (
    unavailableStates.test(code) ||
    isConnectionError(code, syscall) ||
    (code === '55000' && recovery.test(message)) ||
    driverErrors.test(message)
  );
}

/** Returns true if a lock was not released in time: the database works, but another transaction holds the row. */
export const isLockTimeout = (error: object): boolean => partsOf(error).code === '55P03';

/** Returns true if a statement was cancelled, usually because it took too long: the database works. */
export const isStatementCancelled = (error: object): boolean => partsOf(error).code === '57014';

/**
 * Returns true if the error says nothing about what the server did last: the connection was lost, or the response did not
 * come in time. PostgreSQL reports any other failure of a COMMIT after it has rolled back.
 */
export function isOutcomeUnknown(error: object): boolean {
  const { code, syscall, message } = partsOf(error);
  return (
    /^(?:08...|40003|57P..)$/.test(code) || isConnectionError(code, syscall) || driverErrors.test(message)
  );
}

const isConnectionError = (code: string, syscall: string) =>
  connectionErrors.has(code) ||
  connectionCalls.has(syscall) ||
  nameServerErrors.test(code) ||
  tlsErrors.test(code);

const partsOf = (error: object) => ({
  code: 'code' in error ? String(error.code) : '',
  syscall: 'syscall' in error ? String(error.syscall) : '',
  message: 'message' in error ? String(error.message) : '',
});

/** SQLSTATEs with which the server ends a session. */
const endedStates = new Set(['57P01', '57P02', '57P05']);

/** Returns true if the connection broke, and not merely because nothing came in time: another connection may work. */
export function isConnectionLost(error: object): boolean {
  const { code, message } = partsOf(error);
  return (
    endedStates.has(code) ||
    code === 'ECONNRESET' ||
    code === 'EPIPE' ||
    /terminated unexpectedly/.test(message)
  );
}
