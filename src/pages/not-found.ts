import type { IncomingMessage } from 'node:http';
import escapeHtml from 'escape-html';
import type { ErrorRequestHandler } from 'express';
import { type Handler, pathOf, type RoutedRequest, responding } from '../server/routing.js';
import { ownPage } from './document.js';
import { FRAME_CSS, frame, type Site } from './frame.js';

const CSS = `${FRAME_CSS}
:root { color-scheme: light dark; }
body { margin: 0; background: light-dark(#f6f7f9, #14161a); color: light-dark(#16181d, #e9ebef); font: 16px/1.55 system-ui, sans-serif; }
main { max-width: 40rem; margin: 12vh auto; padding: 0 1.25rem; text-align: center; }
main > svg { width: 96px; height: 72px; fill: none; stroke: light-dark(#d7dbe2, #363b45); stroke-width: 1.5; }
main > svg > rect { fill: light-dark(#eef0f4, #272b33); }
main > svg > path { stroke: light-dark(#3a36c4, #a7a5ff); stroke-width: 2.25; stroke-linecap: round; }
h1 { margin: 0 0 .5rem; font-size: 1.75rem; line-height: 1.25; }
main a { color: light-dark(#3a36c4, #a7a5ff); }
code { overflow-wrap: anywhere; }
`;

/** The words of every page for an address that does not exist, as `web/components/not-found.tsx` has them. */
export const NOT_FOUND_TITLE = 'Page not found';
export const NOT_FOUND_REASON = 'It may have been removed, or the address may be mistyped.';

/** As the browser application shows it. */
const picture =
  '<svg viewBox="0 0 96 72" aria-hidden="true"><rect x="22" y="6" width="52" height="40" rx="7"/><rect x="12" y="18" width="72" height="46" rx="8"/><path d="M28 36h28M28 46h18M72 48a6 6 0 1 1-12 0 6 6 0 0 1 12 0zM70.5 52.5l5 5"/></svg>';

/** The longest part of an address that the page repeats. */
const maxPathLength = 200;

/** The page for browsers at addresses that do not exist. The API responds with JSON, and so do pages to other programs. */
export function notFoundPage(site: Site): {
  handler: Handler;
  /** For an address that the router cannot decode. */
  errorHandler: ErrorRequestHandler;
} {
  const { base, web } = site;
  const respond = responding((request) => {
    const path = decoded(pathOf(request).slice(0, maxPathLength));
    const page = {
      title: `${NOT_FOUND_TITLE} · Marketplace`,
      css: CSS,
      header: frame(site, ''),
      body: `${picture}<h1>${NOT_FOUND_TITLE}</h1>
  <p>There is no page at this address: <code>${escapeHtml(path)}</code>. ${NOT_FOUND_REASON}</p>
  <p>${web ? `<a href="${base}/market">Go to the marketplace</a> or to the <a href="${base}/">start page</a>.` : `<a href="${base}/">Go to the start page</a>.`}</p>`,
    };
    return ownPage(page, 'no-cache', 404);
  });
  return {
    handler: (request, response, next) => (isForBrowser(request) ? respond(request, response, next) : next()),
    errorHandler: (error, request, response, next) =>
      error instanceof URIError && isForBrowser(request)
        ? respond(request as unknown as RoutedRequest, response, next)
        : next(error),
  };
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** True for a page that a browser opens outside of the API. */
const isForBrowser = ({ method, headers, url = '' }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  /\btext\/html\b/.test(headers.accept ?? '') &&
  !/^\/(?:api|graphql)(?:[/?]|$)/.test(url);
