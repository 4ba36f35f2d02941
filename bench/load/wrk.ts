import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { LoadOrder, LoadRequest, LoadResult } from './load.types.js';

/** Responses may be shorter than their mean by this share, because the last turn through the requests is not complete. */
const TOLERANCE = 0.02;

/** A window of repeated requests for wrk, which no server outruns. */
export interface WrkOrder extends Pick<LoadOrder, 'port' | 'connections' | 'requests' | 'lengths'> {
  readonly seconds: number;
}

/** The report of a window's script at its end; times in microseconds. */
interface Summary {
  readonly requests: number;
  readonly duration: number;
  readonly bytes: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly errors: number;
}

/** Runs wrk (https://github.com/wg/wrk, a package of most Linux distributions). */
export class Wrk {
  private constructor(
    /** First line of its own description. */
    readonly version: string,
    private readonly folder: string,
  ) {}

  /** Returns null if wrk is not installed. */
  static async find(folder: string): Promise<Wrk | null> {
    // It prints its version and then fails, because there is no address.
    const { stdout = '', code } = (await promisify(execFile)('wrk', ['-v']).catch(
      (error: { stdout?: string; code?: unknown }) => ({ stdout: '', ...error }),
    )) as { stdout?: string; code?: unknown }; // prettier-ignore
    if (code === 'ENOENT') return null;
    return new Wrk(/^wrk (?:debian\/)?\S+/.exec(stdout)?.[0] ?? 'wrk', folder);
  }

  async run({ port, connections, requests, lengths, seconds }: WrkOrder): Promise<LoadResult> {
    const script = join(this.folder, 'wrk.lua');
    await writeFile(script, scriptOf(requests));
    const args = ['-t1', `-c${connections}`, `-d${Math.max(1, Math.round(seconds))}s`, '-s', script];
    const { stdout } = await promisify(execFile)('wrk', [...args, `http://127.0.0.1:${port}`]);
    const summary = JSON.parse(stdout.slice(stdout.lastIndexOf('\n{'))) as Summary;
    const mean = lengths ? lengths.reduce((sum, length) => sum + length, 0) / lengths.length : 0;
    const isShort = summary.bytes < summary.requests * mean * (1 - TOLERANCE);
    return {
      responses: summary.requests,
      perSecond: summary.requests / (summary.duration / 1_000_000),
      p50Ms: summary.p50 / 1000,
      p99Ms: summary.p99 / 1000,
      maxMs: summary.max / 1000,
      errors: summary.errors + (isShort ? summary.requests : 0),
      wrong: [
        ...(summary.errors > 0 ? [`wrk counted ${summary.errors} errors`] : []),
        ...(isShort ? [`the responses are shorter than ${mean.toFixed(0)} bytes on average`] : []),
      ],
      installed: 0,
      sent: summary.requests,
      intervals: [],
    };
  }
}

/** Returns the Lua script that sends the requests in turn, formatted once, and prints the summary as JSON. */
const scriptOf = (requests: readonly LoadRequest[]) => `
local requests = {}
local at = 0
function init()
${requests.map((request, index) => `  requests[${index + 1}] = ${formatted(request)}`).join('\n')}
end
function request()
  at = at % #requests + 1
  return requests[at]
end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format('\\n{"requests":%d,"duration":%d,"bytes":%d,"p50":%d,"p99":%d,"max":%d,"errors":%d}\\n',
    summary.requests, summary.duration, summary.bytes, latency:percentile(50), latency:percentile(99), latency.max,
    e.connect + e.read + e.write + e.status + e.timeout))
end
`;

function formatted({ method, path, bearer, headers, body }: LoadRequest): string {
  const all = {
    Accept: 'application/json',
    ...(bearer !== undefined && { Authorization: `Bearer ${bearer}` }),
    ...headers,
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  };
  const table = Object.entries(all).map(([name, value]) => `[${lua(name)}] = ${lua(value)}`);
  return `wrk.format(${lua(method)}, ${lua(path)}, {${table.join(', ')}}, ${body === undefined ? 'nil' : lua(body)})`;
}

/** Returns a Lua string literal with every byte as its number. */
const lua = (text: string) =>
  `"${[...Buffer.from(text)].map((byte) => `\\${String(byte).padStart(3, '0')}`).join('')}"`;
