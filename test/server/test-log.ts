import { type Logger, type LoggerOptions, pino } from 'pino';
import { logOptions, type RequestFields } from '../../src/log.js';
import { until } from '../support/mail-server.js';

interface LogLine {
  level: number;
  msg: string;
  requestId?: string;
  err?: { message: string; stack: string; code?: string };
}

/** Creates a log whose lines the test can read and remove. */
export function createLineLog() {
  const lines: LogLine[] = [];
  const log = pino({ level: 'info' }, { write: (text: string) => void lines.push(JSON.parse(text)) });
  return { log, lines };
}

export interface RequestLine extends RequestFields {
  msg: string;
  level: number;
}

export interface TestLog {
  log: Logger;
  text: () => string;
  requests: () => RequestLine[];
}

/** Creates a log with the options of the service that the test can read. */
export function createTestLog(level = 'info', further: LoggerOptions = {}): TestLog {
  const lines: string[] = [];
  const log = pino({ ...logOptions(level), ...further }, { write: (line: string) => void lines.push(line) });
  return {
    log,
    text: () => lines.join(''),
    requests: () =>
      lines.map((line) => JSON.parse(line) as RequestLine).filter(({ msg }) => msg === 'request'),
  };
}

/** Sends a request and waits for its log line, which is written after the last byte of the response. */
export async function logLineOf(log: TestLog, send: () => Promise<Response>): Promise<RequestLine> {
  const response = await send();
  await response.arrayBuffer();
  const id = response.headers.get('x-request-id');
  const find = () => log.requests().find(({ requestId }) => requestId === id);
  await until(() => find() !== undefined, 'the request is not in the log');
  return find()!;
}
