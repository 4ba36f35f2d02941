import { errors, type JWTHeaderParameters, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { ServiceError } from '../errors.js';
import { email, text } from '../operations/input.js';
import { ProviderUnavailable } from './provider-keys.js';

/** What a verified account token says. */
interface AccountClaims {
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
const clockToleranceSeconds = 30;
/** Longer ones are not even taken apart. */
const maxLength = 8192;
/** Given by the provider, and compared as it is. */
const accountUserId = text({ max: 128, soughtOnly: true });
const address = email();

/** Checks account tokens: signature, issuer, audience, algorithm, times and use, all of them always. */
export class AccountTokens {
  constructor(
    private readonly settings: AccountTokenSettings,
    private readonly keys: JWTVerifyGetKey,
  ) {}

  async verify(token: string): Promise<AccountClaims> {
    try {
      const { issuer, audience } = this.settings;
      if (token.length > maxLength || !isCanonical(token)) throw new errors.JWTInvalid('malformed');
      const { payload, protectedHeader } = await jwtVerify(token, this.keys, {
        issuer,
        audience,
        algorithms,
        clockTolerance: clockToleranceSeconds,
        requiredClaims: ['exp', 'sub', 'iss', 'aud'],
      });
      if (!isMeantForAccess(protectedHeader, payload)) throw new errors.JWTInvalid('meant for another use');
      if (payload.iat !== undefined && payload.iat > Date.now() / 1000 + clockToleranceSeconds)
        throw new errors.JWTClaimValidationFailed('iat', payload, 'iat');
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
    if (error instanceof ProviderUnavailable) {
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

/** Three parts in base64url as it is written, so that one token has one form. */
const isCanonical = (token: string) => {
  const parts = token.split('.');
  return (
    parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
  );
};

/** What an ID token, a logout token or another security event has, and an access token has not. */
const foreignClaims = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events'];

/**
 * Whether a token was made to be sent to an API (D92). Providers say so in different places: RFC 9068 in the header,
 * Keycloak by the claim `typ`, Cognito by `token_use`. Where none says anything, what only an ID token has tells it.
 */
function isMeantForAccess({ typ }: JWTHeaderParameters, payload: JWTPayload): boolean {
  const type = typ?.toLowerCase().replace(/^application\//, '');
  if (type === 'at+jwt') return true;
  if (type !== undefined && type !== 'jwt') return false;
  if (payload.token_use !== undefined && payload.token_use !== 'access') return false;
  if (payload.typ !== undefined) return payload.typ === 'Bearer';
  return !foreignClaims.some((claim) => claim in payload);
}
