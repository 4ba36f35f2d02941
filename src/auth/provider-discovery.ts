import { setTimeout as delay } from 'node:timers/promises';
import { traced } from '../tracing/tracing.js';

const timeoutMs = 5_000;
const usableForMs = 10 * 60 * 1000;
/** Many times what a provider's documents have. */
const maxBytes = 1024 * 1024;

export const discoveryUrl = (issuer: string): URL =>
  new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);

/** Loads the discovery document. A document that names another issuer is not the provider's. */
export async function fetchDiscovery(issuer: string, signal: AbortSignal): Promise<Record<string, unknown>> {
  const document = await fetchJson(discoveryUrl(issuer).href, signal);
  if (document.issuer !== issuer)
    throw new Error(`The discovery document of ${issuer} names another issuer: ${String(document.issuer)}`);
  return document;
}

/** Returns a URL of the discovery document. An insecure one is rejected unless the issuer itself has none better. */
export function endpointOf(document: Record<string, unknown>, name: string): string {
  const url = String(document[name]);
  if (!URL.canParse(url) || !isAsSecureAs(String(document.issuer), url))
    throw new Error(`The discovery document of ${String(document.issuer)} names no secure ${name}: ${url}`);
  return url;
}

const isAsSecureAs = (issuer: string, url: string) =>
  new URL(url).protocol === 'https:' ||
  (new URL(url).protocol === 'http:' && new URL(issuer).protocol === 'http:');

/** Reads a JSON object of the provider. */
export const fetchJson = (url: string, signal: AbortSignal): Promise<Record<string, unknown>> =>
  traced('GET', () => readJson(url, signal), {
    kind: 'client',
    attributes: { 'http.request.method': 'GET', 'server.address': new URL(url).hostname },
  });

async function readJson(url: string, signal: AbortSignal): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    signal,
    redirect: 'error',
    headers: { accept: 'application/json, application/jwk-set+json' },
  });
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new Error(`${url} returned more than ${maxBytes} bytes`);
    pieces.push(piece);
  }
  const body: unknown = JSON.parse(Buffer.concat(pieces).toString());
  if (!response.ok || typeof body !== 'object' || body === null)
    throw new Error(`${url} returned status ${response.status} or no JSON object`);
  return { ...body };
}

/** The URLs with which a browser signs in: the first is opened, the second is called by the page. */
export interface SignInEndpoints {
  readonly authorization: string;
  readonly token: string;
}

/** Pages wait for a request to the provider for this long; a healthy provider has responded by then. */
const waitMs = 2_000;

/** Finds the endpoints for signing in. Known ones are renewed in the background, so that no page waits for the provider. */
export class SignInDiscovery {
  private known: { endpoints: SignInEndpoints; until: number } | null = null;
  private lookup: { endpoints: Promise<SignInEndpoints>; waitUntil: number } | null = null;

  constructor(private readonly issuer: string) {}

  async endpoints(): Promise<SignInEndpoints> {
    const { known } = this;
    if (known && performance.now() < known.until) return known.endpoints;
    this.lookup ??= this.start();
    const { endpoints, waitUntil } = this.lookup;
    return known?.endpoints ?? Promise.race([endpoints, this.noResponse(waitUntil)]);
  }

  private start() {
    const endpoints = this.load();
    // With known endpoints nobody waits for it.
    endpoints.catch(() => undefined);
    return { endpoints, waitUntil: performance.now() + waitMs };
  }

  private async load(): Promise<SignInEndpoints> {
    try {
      const document = await fetchDiscovery(this.issuer, AbortSignal.timeout(timeoutMs));
      const endpoints = {
        authorization: endpointOf(document, 'authorization_endpoint'),
        token: endpointOf(document, 'token_endpoint'),
      };
      this.known = { endpoints, until: performance.now() + usableForMs };
      return endpoints;
    } finally {
      this.lookup = null;
    }
  }

  private async noResponse(at: number): Promise<never> {
    await delay(at - performance.now(), undefined, { ref: false });
    throw new Error(`${this.issuer} has not responded yet`);
  }
}
