import type { IncomingMessage, ServerResponse } from 'node:http';
import helmet from 'helmet';

/** Headers of an answer, by name. */
export type Headers = readonly (readonly [name: string, value: string])[];

/** What helmet puts into every answer. An answer of the API is data: whatever takes it for a page may do nothing with it. */
export function securityHeaders({ https }: { https: boolean }): Headers {
  const secure = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    xFrameOptions: { action: 'deny' },
    // Only where callers come by TLS, and only for this name: others are not ours to bind.
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: false } : false,
  });
  const headers: [string, string][] = [];
  const listener = {
    setHeader: (name: string, value: string) => headers.push([name, value]),
    removeHeader: () => undefined,
  };
  // They are the same for every request, so helmet is asked once.
  secure({} as IncomingMessage, listener as unknown as ServerResponse, () => undefined);
  return headers;
}
