import type { RequestHandler } from 'express';
import helmet from 'helmet';

/** The headers of a page. Its policy names nothing but this service, and forbids what the page does not ask for. */
export function pageHeaders(directives: Record<string, string[]>): RequestHandler {
  return helmet({
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
    // Whether everything here is served over TLS is for the whole service to say.
    strictTransportSecurity: false,
  });
}
