import type { ServerResponse } from 'node:http';

/** Node's field for the whole head of a response, which `writeHead()` sets. The type of a response does not show it. */
interface WrittenHead {
  _header?: string | null;
}

/**
 * The head of a response that is written many times. Node makes it once; after that only the request id, the headers of
 * the request and the date are replaced. Node would check and join some twenty headers each time.
 */
export class HeadTemplate {
  private constructor(
    private readonly beforeId: string,
    private readonly afterId: string,
    private readonly afterDate: string,
  ) {}

  /**
   * Takes the template from a response whose head Node has just made, and which ends with the headers in `added`; null if
   * it does not have the expected form.
   */
  static of(response: ServerResponse, requestId: string, added: readonly string[]): HeadTemplate | null {
    const parts = form.exec((response as WrittenHead)._header ?? '')?.groups;
    const lines = linesOf(added);
    if (!isReusable(response) || parts?.id !== requestId || lines === null) return null;
    const { beforeId = '', afterId = '', afterDate = '' } = parts;
    return afterId.endsWith(lines)
      ? new HeadTemplate(beforeId, afterId.slice(0, afterId.length - lines.length), afterDate)
      : null;
  }

  /** Gives this head to a response; returns false if it needs another one. */
  give(response: ServerResponse, requestId: string, added: readonly string[]): boolean {
    const lines = linesOf(added);
    if (lines === null || !isReusable(response)) return false;
    (response as WrittenHead)._header =
      `${this.beforeId}${requestId}${this.afterId}${lines}Date: ${currentDate()}${this.afterDate}`;
    return true;
  }
}

const form =
  /^(?<beforeId>HTTP\/1\.1 200 OK\r\nx-request-id: )(?<id>[\w.-]+)(?<afterId>\r\n.*\r\n)Date: [^\r]+(?<afterDate>\r\nConnection: keep-alive\r\n.*)$/s;

/** Returns whether the head depends only on the headers that are given to it. */
const isReusable = (response: ServerResponse) =>
  response.shouldKeepAlive && response.getHeaderNames().length === 0;

const plainValue = /^[\x20-\x7e]*$/;

/** Returns names and values as lines; null if Node has to check a value. */
function linesOf(headers: readonly string[]): string | null {
  let lines = '';
  for (let index = 0; index < headers.length; index += 2) {
    const value = headers[index + 1]!;
    if (!plainValue.test(value)) return null;
    lines += `${headers[index]}: ${value}\r\n`;
  }
  return lines;
}

let date = '';
let dateUntil = 0;

/** Returns the value of the header `Date`, which changes once a second. */
function currentDate(): string {
  const now = Date.now();
  const isThisSecond = now < dateUntil && now >= dateUntil - 1_000;
  if (!isThisSecond) {
    date = new Date(now).toUTCString();
    dateUntil = now - (now % 1_000) + 1_000;
  }
  return date;
}
