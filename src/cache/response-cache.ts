import type { IncomingMessage, ServerResponse } from 'node:http';
import { LRUCache } from 'lru-cache';
import { currentExchange, type Exchange } from '../server/request-context.js';
import type { CatalogVersion } from './catalog-version.js';

const MAX_BYTES = 16 * 1024 * 1024;
const MAX_ANSWER_BYTES = 2 * 1024 * 1024;
/** What an answer takes beside its body and its key: headers, objects, its place in the map. */
const OVERHEAD_BYTES = 2_000;
/** In characters: a few thousand questions. */
const MAX_KNOWN_LENGTH = 1_000_000;
const KNOWN_OVERHEAD = 100;
/** What belongs to a request and not to the answer. The first is always sent, from its own place. */
const REQUEST_ID = 'x-request-id';
const perRequest = new Set([REQUEST_ID, 'ratelimit', 'ratelimit-policy', 'retry-after', 'date']);

const unnamed = { door: 'rest', operation: 'unknown', fields: null, cost: 1 } as const;

/** A finished answer, as it was sent to whoever asked first. */
export interface Answer {
  readonly body: Buffer;
  readonly etag: string | null;
  /** Names and values in turn, as `writeHead` takes them; the second is the request's id, to be filled in. */
  readonly headers: string[];
  /** Those of a 304. */
  readonly headersOf304: string[];
  /** What was asked, for the log, the metrics and the limits. */
  readonly about: Pick<Exchange, 'door' | 'operation' | 'fields' | 'cost'>;
}

/** Finished answers to public questions, all of the current version of the catalog, within bounds. */
export class Answers {
  private readonly kept = new LRUCache<string, Answer>({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_ANSWER_BYTES,
    sizeCalculation: ({ body }, key) => body.length + 2 * key.length + OVERHEAD_BYTES,
  });
  private readonly asked = new WeakMap<IncomingMessage, { key: string; version: number }>();
  /** What was asked lately. Most questions are asked once, and to keep their answers would only fill the memory. */
  private readonly known = new LRUCache<string, true>({
    maxSize: MAX_KNOWN_LENGTH,
    sizeCalculation: (_, key) => key.length + KNOWN_OVERHEAD,
  });
  private hits = 0;

  constructor(private readonly catalog: CatalogVersion) {
    catalog.onRaise(() => this.kept.clear());
  }

  /** For whoever watches the service. */
  get figures() {
    return { hits: this.hits, answers: this.kept.size, bytes: this.kept.calculatedSize };
  }

  /** The answer, if it is known and certain to be current. */
  find(key: string): Answer | undefined {
    if (!this.catalog.isKnown()) return undefined;
    const answer = this.kept.get(key);
    if (answer) this.hits += 1;
    return answer;
  }

  /** The answer to this request will be computed from now on: it belongs to the version of this moment. */
  expect(req: IncomingMessage, key: string): void {
    if (this.known.get(key)) this.asked.set(req, { key, version: this.catalog.current });
    else this.known.set(key, true);
  }

  /** Keeps the answer to a question that was asked before, if nothing has changed since it came. The headers are those set by now. */
  keep(req: IncomingMessage, res: ServerResponse, sent: string | Buffer): void {
    const asked = this.asked.get(req);
    if (!asked || asked.version !== this.catalog.current || !this.catalog.isKnown()) return;
    const headers = headersOf(res);
    // A copy of its own: a slice would keep the whole block alive that it was cut from.
    const body = Buffer.from(new Uint8Array(typeof sent === 'string' ? Buffer.from(sent) : sent).buffer);
    if (!res.hasHeader('content-length')) headers.push(['content-length', String(body.length)]);
    const etag = res.getHeader('etag');
    const { door, operation, fields, cost } = currentExchange() ?? unnamed;
    this.kept.set(asked.key, {
      body,
      etag: typeof etag === 'string' ? etag : null,
      about: { door, operation, fields, cost },
      headers: flat(headers),
      headersOf304: flat(headers.filter(([name]) => !/^content-(type|length)$/i.test(name))),
    });
  }
}

/** The answer's own headers, spelt as they were set. */
const headersOf = (res: ServerResponse): [string, string][] =>
  rawNames(res)
    .filter((name) => !perRequest.has(name.toLowerCase()))
    .map((name) => [name, String(res.getHeader(name))]);

/** Node has this on every outgoing message; its types know it of requests only. */
const rawNames = (res: ServerResponse & { getRawHeaderNames?(): string[] }): string[] =>
  res.getRawHeaderNames?.() ?? res.getHeaderNames();

const flat = (headers: readonly [string, string][]): string[] => [REQUEST_ID, '', ...headers.flat()];
