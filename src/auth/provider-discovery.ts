const timeoutMs = 5_000;
const usableForMs = 10 * 60 * 1000;

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

export async function fetchJson(url: string, signal: AbortSignal): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    signal,
    redirect: 'error',
    headers: { accept: 'application/json, application/jwk-set+json' },
  });
  const body: unknown = await response.json();
  if (!response.ok || typeof body !== 'object' || body === null)
    throw new Error(`${url} returned status ${response.status} or no JSON object`);
  return { ...body };
}

/** The URLs with which a browser signs in: the first is opened, the second is called by the page. */
export interface SignInEndpoints {
  readonly authorization: string;
  readonly token: string;
}

/** Finds the endpoints for signing in. They are kept for ten minutes, so that no page waits for the provider. */
export class SignInDiscovery {
  private known: { endpoints: Promise<SignInEndpoints>; until: number } | null = null;

  constructor(private readonly issuer: string) {}

  async endpoints(): Promise<SignInEndpoints> {
    if (this.known === null || this.known.until < Date.now())
      this.known = { endpoints: this.load(), until: Date.now() + usableForMs };
    const { known } = this;
    try {
      return await known.endpoints;
    } catch (error) {
      if (this.known === known) this.known = null;
      throw error;
    }
  }

  private async load(): Promise<SignInEndpoints> {
    const document = await fetchDiscovery(this.issuer, AbortSignal.timeout(timeoutMs));
    return {
      authorization: endpointOf(document, 'authorization_endpoint'),
      token: endpointOf(document, 'token_endpoint'),
    };
  }
}
