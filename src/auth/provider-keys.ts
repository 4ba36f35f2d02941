import {
  createRemoteJWKSet,
  customFetch,
  type FetchImplementation,
  type JSONWebKeySet,
  type JWKSCacheInput,
  type JWTVerifyGetKey,
  jwksCache,
  type RemoteJWKSet,
} from 'jose';
import { discoveryUrl, endpointOf, fetchDiscovery, fetchJson } from './provider-discovery.js';

/** The provider's keys could not be loaded, so no token can be verified. The caller is not to blame. */
export class ProviderUnavailable extends Error {}

const secondMs = 1000;
const timeoutMs = 5 * secondMs;
/** Minimum time between two loads: tokens with unknown key ids cannot flood the provider. */
const cooldownMs = secondMs;
const refreshAfterMs = 10 * 60 * secondMs;
const usableForMs = 24 * 60 * 60 * secondMs;

/**
 * Keys of the identity provider, located by its discovery document. An unknown key id causes a reload, so a rotation
 * needs no restart; loaded keys stay usable for a day while the provider is down (D91).
 */
export class ProviderKeys {
  private readonly cache: JWKSCacheInput = {};
  private created: RemoteJWKSet | null = null;
  private lastAttemptAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly issuer: string) {}

  /** Created for the first token, because it loads Node's HTTP client for `fetch`. */
  private get remote(): RemoteJWKSet {
    this.created ??= createRemoteJWKSet(discoveryUrl(this.issuer), {
      timeoutDuration: timeoutMs,
      cooldownDuration: cooldownMs,
      cacheMaxAge: usableForMs,
      [jwksCache]: this.cache,
      [customFetch]: this.load,
    });
    return this.created;
  }

  readonly getKey: JWTVerifyGetKey = async (header, token) => {
    // Refreshes in the background: no request waits for it, and a failure leaves the loaded keys in use.
    if (this.remote.fresh && Date.now() - (this.cache.uat ?? 0) > refreshAfterMs)
      this.remote.reload().catch(() => undefined);
    try {
      return await this.remote(header, token);
    } catch (error) {
      if (this.remote.fresh) throw error;
      throw new ProviderUnavailable(`The keys of ${this.issuer} cannot be loaded`, { cause: error });
    }
  };

  /** Adds a cooldown after failed loads; jose shares a load between concurrent calls, but waits only after successes. */
  private readonly load: FetchImplementation = async (_url, { signal }) => {
    if (Date.now() - this.lastAttemptAt < cooldownMs)
      throw new Error(`The last attempt to load the keys of ${this.issuer} was less than a second ago`);
    try {
      return Response.json(await loadProviderKeys(this.issuer, signal));
    } finally {
      this.lastAttemptAt = Date.now();
    }
  };
}

const asymmetric = new Set(['RSA', 'EC', 'OKP', 'AKP']);

/** Loads the keys of an identity provider once; fails with the reason. */
export async function loadProviderKeys(issuer: string, signal: AbortSignal): Promise<JSONWebKeySet> {
  const uri = endpointOf(await fetchDiscovery(issuer, signal), 'jwks_uri');
  const { keys } = await fetchJson(uri, signal);
  // Without a usable key every token would be rejected; it is more likely a fault of the provider than its intention.
  if (!Array.isArray(keys) || !keys.some((key) => asymmetric.has(key?.kty)))
    throw new Error(`${uri} holds no keys`);
  return { keys };
}
