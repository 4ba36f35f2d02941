import { request } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CatalogCache } from '../../src/cache/catalog-cache.js';

/** A request, byte for byte as a client might send it. */
export interface Ask {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  /** In as many pieces as are given. */
  body?: string[];
}

/** A response, with its headers as they were spelt and in their order. */
export interface Reply {
  status: number;
  headers: [string, string][];
  body: string;
  bytes: Buffer;
}

/** Sends a request and adds nothing to it. */
export function exchange(
  url: string,
  { method = 'GET', path, headers = {}, body = [] }: Ask,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const sent = request({ hostname, port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject).on('end', () => {
        const { rawHeaders, statusCode: status = 0 } = response;
        const pairs = rawHeaders.flatMap((name, at): [string, string][] =>
          at % 2 === 0 ? [[name, rawHeaders[at + 1] ?? '']] : [],
        );
        const bytes = Buffer.concat(chunks);
        resolve({ status, headers: pairs, body: bytes.toString(), bytes });
      });
    });
    sent.on('error', reject);
    void (async () => {
      for (const piece of body) {
        sent.write(piece);
        await nextTurn();
      }
      sent.end();
    })();
  });
}

/** A GraphQL request. */
export const document = (
  query: string,
  variables: object = {},
  headers: Record<string, string> = {},
): Ask => {
  const body = JSON.stringify({ query, variables });
  return {
    method: 'POST',
    path: '/graphql',
    headers: {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      ...headers,
    },
    body: [body],
  };
};

/** The reply without what belongs to the one request, whose values are blanked. */
export const lasting = ({ headers, ...reply }: Reply): Reply => ({
  ...reply,
  headers: headers.map(([name, value]) => [name, /^(x-request-id|date)$/i.test(name) ? '' : value]),
});

/** A request a second after an acknowledged change must see it, however long its response takes. */
export async function seenWithinASecond(isSeen: () => Promise<boolean>): Promise<void> {
  const acknowledgedAt = performance.now();
  for (;;) {
    const askedAt = performance.now();
    if (await isSeen()) return;
    if (askedAt - acknowledgedAt > 1_000) throw new Error('it is not seen after a second');
  }
}

/** Returns whether the response cache was hit, and the result. */
export async function fromCache<T>(
  { responses }: CatalogCache,
  work: () => Promise<T>,
): Promise<[boolean, T]> {
  const before = responses.figures.hits;
  const result = await work();
  return [responses.figures.hits > before, result];
}
