import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { ServiceError } from '../errors.js';
import { email, text } from '../input.js';

/** What a verified account token says. */
export interface AccountClaims {
  accountUserId: string;
  isAdmin: boolean;
  /** Where its owner can be written to; null where the token does not say, or the provider doubts it. */
  email: string | null;
}

export interface AccountTokenSettings {
  issuer: string;
  audience: string;
  rolesClaim: string;
  adminRole: string;
}

/** Algorithms of public keys only: a shared secret or none at all can never pass. */
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'];
const accountUserId = text({ max: 128 });
const address = email();

/** Checks account tokens: signature, issuer, audience, algorithm and expiry, all of them always. */
export class AccountTokens {
  constructor(
    private readonly settings: AccountTokenSettings,
    private readonly keys: JWTVerifyGetKey,
  ) {}

  async verify(token: string): Promise<AccountClaims> {
    try {
      const { issuer, audience } = this.settings;
      const { payload } = await jwtVerify(token, this.keys, {
        issuer,
        audience,
        algorithms,
        clockTolerance: 30,
        requiredClaims: ['exp', 'sub', 'iss', 'aud'],
      });
      const subject = accountUserId.safeParse(payload.sub);
      if (!subject.success || subject.data !== payload.sub)
        throw new errors.JWTClaimValidationFailed('sub', payload, 'sub');
      return { accountUserId: payload.sub, isAdmin: this.holdsAdminRole(payload), email: emailOf(payload) };
    } catch (error) {
      throw this.refusal(error);
    }
  }

  private holdsAdminRole(payload: JWTPayload): boolean {
    const roles = payload[this.settings.rolesClaim];
    return Array.isArray(roles) && roles.includes(this.settings.adminRole);
  }

  private refusal(error: unknown): Error {
    if (error instanceof errors.JWTExpired)
      return new ServiceError(
        'INVALID_TOKEN',
        'The account token has expired. Sign in again to get a new one.',
      );
    if (
      error instanceof errors.JWKSTimeout ||
      !(error instanceof errors.JOSEError) ||
      error.code === 'ERR_JOSE_GENERIC'
    ) {
      return new ServiceError(
        'UNAVAILABLE',
        'The identity provider cannot be reached to check the account token. Try again shortly.',
        [],
        { cause: error },
      );
    }
    return new ServiceError(
      'INVALID_TOKEN',
      `The credential is neither an API key nor a valid account token of ${this.settings.issuer}. Sign in again to get a new one.`,
    );
  }
}

/** A claim that is not an address is as good as none: it never keeps anybody out. */
const emailOf = ({ email, email_verified }: JWTPayload): string | null =>
  email_verified === false ? null : (address.safeParse(email).data ?? null);

/** Finds the provider's keys by its discovery document, once, and again after a failure. */
export function discoveredKeys(issuer: string): JWTVerifyGetKey {
  let discovery: Promise<JWTVerifyGetKey> | null = null;
  return async (header, token) => {
    discovery ??= discover(issuer).catch((error: unknown) => {
      discovery = null;
      throw error;
    });
    return (await discovery)(header, token);
  };
}

async function discover(issuer: string): Promise<JWTVerifyGetKey> {
  const response = await fetch(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(5000),
  });
  const document: unknown = await response.json();
  if (!response.ok || typeof document !== 'object' || document === null || !('jwks_uri' in document)) {
    throw new Error(`The identity provider ${issuer} has no discovery document`);
  }
  return createRemoteJWKSet(new URL(String(document.jwks_uri)));
}
