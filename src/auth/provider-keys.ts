import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';

/** Why the provider's keys are not known: not the caller's fault. */
export class ProviderUnavailable extends Error {}

const secondMs = 1000;
const timeoutMs = 5 * secondMs;
/** Between two requests to the provider, whatever the reason: however many tokens come, it hears of them once a second. */
const pauseMs = secondMs;
const freshForMs = 10 * 60 * secondMs;
const usableForMs = 24 * 60 * 60 * secondMs;

interface KnownKeys {
  find: JWTVerifyGetKey;
  fetchedAt: number;
}

/**
 * The keys of the identity provider, found by its discovery document. A key that is not known is looked for at once, so
 * that a rotation needs no restart; known keys serve on for a day while the provider is away (D91).
 */
export class ProviderKeys {
  private known: KnownKeys | null = null;
  private loading: Promise<void> | null = null;
  private triedAt = Number.NEGATIVE_INFINITY;
  private failure: unknown = null;

  constructor(private readonly issuer: string) {}

  readonly getKey: JWTVerifyGetKey = async (header, token) => {
    const keys = await this.keys();
    try {
      return await keys.find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await this.load();
      return (this.known ?? keys).find(header, token);
    }
  };

  private async keys(): Promise<KnownKeys> {
    const ageMs = Date.now() - (this.known?.fetchedAt ?? Number.NEGATIVE_INFINITY);
    // Nobody waits for what only keeps the keys fresh.
    if (this.known && ageMs < usableForMs) {
      if (ageMs > freshForMs) void this.load();
      return this.known;
    }
    await this.load();
    if (this.known && Date.now() - this.known.fetchedAt < usableForMs) return this.known;
    throw new ProviderUnavailable(`The keys of ${this.issuer} cannot be had`, { cause: this.failure });
  }

  /** One request at a time, which everybody shares, and none for a moment after it. Never throws. */
  private load(): Promise<void> {
    if (this.loading) return this.loading;
    if (Date.now() - this.triedAt < pauseMs) return Promise.resolve();
    this.loading = fetchKeys(this.issuer)
      .then((jwks) => {
        this.known = { find: createLocalJWKSet(jwks), fetchedAt: Date.now() };
        this.failure = null;
      })
      .catch((error: unknown) => {
        this.failure = error;
      })
      .finally(() => {
        this.triedAt = Date.now();
        this.loading = null;
      });
    return this.loading;
  }
}

async function fetchKeys(issuer: string): Promise<JSONWebKeySet> {
  const signal = AbortSignal.timeout(timeoutMs);
  const document = await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, signal);
  // A document that speaks for another issuer, or sends us to where anybody could change the keys, is not the provider's.
  if (document.issuer !== issuer)
    throw new Error(`The discovery document of ${issuer} speaks for ${String(document.issuer)}`);
  const uri = String(document.jwks_uri);
  if (!URL.canParse(uri) || !isAsSafeAs(issuer, uri))
    throw new Error(`The discovery document of ${issuer} names no safe place of its keys: ${uri}`);
  const { keys } = await fetchJson(uri, signal);
  // A set without keys would refuse everybody; the keys that are known are the better guess.
  if (!Array.isArray(keys) || keys.length === 0) throw new Error(`${uri} holds no keys`);
  return { keys };
}

const isAsSafeAs = (issuer: string, uri: string) =>
  new URL(uri).protocol === 'https:' ||
  (new URL(uri).protocol === 'http:' && new URL(issuer).protocol === 'http:');

async function fetchJson(url: string, signal: AbortSignal): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    signal,
    redirect: 'error',
    headers: { accept: 'application/json, application/jwk-set+json' },
  });
  const body: unknown = await response.json();
  if (!response.ok || typeof body !== 'object' || body === null)
    throw new Error(`${url} answers ${response.status} and no JSON object`);
  return { ...body };
}
