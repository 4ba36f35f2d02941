import { createHash } from 'node:crypto';
import { type HttpResponse, textResponse } from '../server/http-response.js';
import { helmetHeaders } from '../server/security-headers.js';
import { StaticResponse } from '../server/static-response.js';

/** Directives of a content security policy. */
type Policy = Readonly<Record<string, string[]>>;

/** Returns the headers of a page. Its policy allows this service only, and of that only what the page uses. */
export const pageHeaders = (directives: Policy): HttpResponse['headers'] =>
  Object.fromEntries(
    helmetHeaders({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          baseUri: ["'none'"],
          formAction: ["'none'"],
          frameAncestors: ["'none'"],
          objectSrc: ["'none'"],
          ...directives,
        },
      },
      xFrameOptions: { action: directives.frameAncestors ? 'sameorigin' : 'deny' },
      // Set for the whole service, if it is served over TLS.
      strictTransportSecurity: false,
    }),
  );

/** A URL as a source of a content security policy, in which a semicolon or a comma would end the source. */
export function cspSource(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname.replaceAll(';', '%3B').replaceAll(',', '%2C');
}

/** A page without external files: its style sheet is inline, and it runs no script. */
interface OwnPage {
  title: string;
  css: string;
  /** HTML. The caller must have escaped all values in it. */
  body: string;
  /** More elements for the head. */
  head?: string;
  /** The header of the product. */
  header?: string;
  /** What the page may load or do besides. */
  policy?: Policy;
}

/** Returns a page with the layout that our own pages share. */
export const ownPage = (page: OwnPage, cacheControl = 'no-store', status = 200): HttpResponse =>
  textResponse('html', html(page), { ...headersOf(page), 'cache-control': cacheControl }, status);

/** The same for a page that is the same for every client. */
export const staticPage = (page: OwnPage): StaticResponse =>
  new StaticResponse(html(page), 'html', { headers: headersOf(page) });

/** Its policy allows the inline style sheet by its hash, and the icon. */
const headersOf = ({ css, policy }: OwnPage) =>
  pageHeaders({
    scriptSrc: ["'none'"],
    styleSrc: [`'sha256-${createHash('sha256').update(css).digest('base64')}'`],
    imgSrc: ['data:'],
    ...policy,
  });

const html = ({ title, css, body, head = '', header = '' }: OwnPage): string => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>${title}</title>
  <link rel="icon" href="${ICON}">${head && `\n  ${head}`}
  <style>${css}</style>
</head>
<body>
${header}
<main>
  ${body}
</main>
</body>
</html>
`;

export const ICON =
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><rect width='16' height='16' rx='4' fill='%234338ca'/><path d='M4 11V5l4 4 4-4v6' fill='none' stroke='white' stroke-width='1.75'/></svg>";
