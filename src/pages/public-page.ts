import type { ResponseCache } from '../cache/response-cache.js';
import { encoded, type HttpResponse, publicReadHeaders, textResponse } from '../server/http-response.js';
import type { RequestContext } from '../server/request-context.js';
import { type Handler, type RoutedRequest, responding } from '../server/routing.js';

export interface PageCache extends Pick<ResponseCache, 'begin'> {
  /** Charges the client's address for a page that is not cached. */
  charge(context: RequestContext): Promise<void> | null;
}

/** Points of the limit `pages` for a page that is not cached, beyond the one of every page: it costs about ten times as much. */
export const computedPagePoints = 9;

interface PublicPage {
  /** A file extension: `html`. */
  type: string;
  body: string;
  headers?: HttpResponse['headers'];
  status?: number;
  /** False if the page would be another one a moment later, so that it is not cached. */
  isComplete?: boolean;
}

/**
 * Serves a page that is the same for everybody and depends on nothing but its address and the catalog. It is cached like
 * a public read of the API (D382).
 */
export const publicPage = (
  cache: PageCache,
  render: (request: RoutedRequest) => Promise<PublicPage>,
): Handler =>
  responding(async (request) => {
    const { operation, cacheKey, responseHeaders } = request.context;
    await cache.charge(request.context);
    const store = cacheKey === null ? null : cache.begin(cacheKey);
    const { type, body, headers = {}, status = 200, isComplete = true } = await render(request);
    if (status !== 200 || !isComplete)
      return textResponse(type, body, { ...headers, 'cache-control': 'no-cache' }, status);
    const content = encoded(body);
    const response = textResponse(type, body, { ...headers, ...publicReadHeaders(content) });
    store?.({
      response: { ...response, headers: { ...responseHeaders, ...response.headers } },
      door: 'site',
      operation,
      fields: null,
      cost: 1,
      limit: 'pages',
    });
    return response;
  });
