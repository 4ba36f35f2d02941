import type { HttpResponse } from '../server/http-response.js';
import { helmetHeaders } from '../server/security-headers.js';

/** Returns the headers of a page. Its policy allows this service only, and of that only what the page uses. */
export const pageHeaders = (directives: Record<string, string[]>): HttpResponse['headers'] =>
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
