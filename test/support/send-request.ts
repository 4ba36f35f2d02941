import { request } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CatalogCache } from '../../src/cache/catalog-cache.js';

/** A request that is sent byte for byte as it is given. */
export interface RawRequest {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  /** The chunks of the body. */
  body?: string[];
}

/** A response, with its headers as they were spelled and in their order. */
export interface RawResponse {
  status: number;
  headers: [string, string][];
  body: string;
  bytes: Buffer;
}

/** Sends a request without adding anything to it, on a connection of its own. */
export function sendRequest(
  url: string,
  { method = 'GET', path, headers = {}, body = [] }: RawRequest,
): Promise<RawResponse> {
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
      for (const chunk of body) {
        sent.write(chunk);
        await nextTurn();
      }
      sent.end();
    })();
  });
}

/** Returns the value of a header; its name is given in lower case. */
export const headerOf = ({ headers }: Pick<RawResponse, 'headers'>, wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1];

/** A request with a JSON body of known length. */
export const jsonRequest = (
  path: string,
  body: string,
  headers: Record<string, string> = {},
): RawRequest => ({
  method: 'POST',
  path,
  headers: {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    ...headers,
  },
  body: [body],
});

export const graphqlRequest = (
  query: string,
  variables: object = {},
  headers: Record<string, string> = {},
): RawRequest => jsonRequest('/graphql', JSON.stringify({ query, variables }), headers);

/** Blanks the header values that differ between any two responses. */
export const withoutVaryingHeaders = ({ headers, ...response }: RawResponse): RawResponse => ({
  ...response,
  headers: headers.map(([name, value]) => [name, /^(x-request-id|date)$/i.test(name) ? '' : value]),
});

/** A request that is sent a second after a change was confirmed must see it, however long the response takes. */
export async function expectVisibleWithinASecond(isVisible: () => Promise<boolean>): Promise<void> {
  const confirmedAt = performance.now();
  for (;;) {
    const sentAt = performance.now();
    if (await isVisible()) return;
    if (sentAt - confirmedAt > 1_000) throw new Error('a change is not visible after a second');
  }
}

/** Returns whether the response cache was hit, and the result. */
export async function trackCacheHit<T>(
  { responses }: CatalogCache,
  work: () => Promise<T>,
): Promise<[boolean, T]> {
  const before = responses.figures.hits;
  const result = await work();
  return [responses.figures.hits > before, result];
}
