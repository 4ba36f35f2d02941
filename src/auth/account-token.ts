import { errors, type JWTHeaderParameters, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { Logger } from 'pino';
import { z } from 'zod';
import { now, nowMs } from '../db/clock.js';
import { ServiceError } from '../errors.js';
import { ProviderUnavailable } from './provider-keys.js';
import { RolesClaim } from './roles-claim.js';

/** The claims of a verified account token. */
interface AccountClaims {
  accountUserId: string;
  isAdmin: boolean;
  /** The account's e-mail address; null if the token has none, or if the provider has not verified it. */
  email: string | null;
  /** True if the token says that the provider has verified the address (D327). */
  emailProven: boolean;
  /** The account's display name; null if the token has none. */
  name: string | null;
  expiresAt: Date;
}

export interface AccountTokenSettings {
  issuer: string;
  audience: string;
  /** Name of the claim with the roles, or its path such as `realm_access.roles`. */
  rolesClaim: string;
  adminRole: string;
}

/** Public-key algorithms only, so that neither a shared secret nor `none` is ever accepted. */
const algorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'];
const clockToleranceSeconds = 30;
/** Longer tokens are rejected before they are parsed. */
const maxLength = 8192;
const Name = z.string().normalize('NFC').trim().min(1).max(200);
const Email = z.string().normalize('NFC').trim().pipe(z.email().max(254));

/** Verifies account tokens: signature, issuer, audience, algorithm, times and intended use. */
export class AccountTokens {
  private readonly roles: RolesClaim;

  constructor(
    private readonly settings: AccountTokenSettings,
    private readonly keys: JWTVerifyGetKey,
    log: Logger,
  ) {
    this.roles = new RolesClaim(settings.rolesClaim, log);
  }

  async verify(token: string): Promise<AccountClaims> {
    try {
      const { issuer, audience } = this.settings;
      if (token.length > maxLength || !isCanonical(token)) throw new errors.JWTInvalid('malformed');
      const { payload, protectedHeader } = await jwtVerify(token, this.keys, {
        issuer,
        audience,
        algorithms,
        clockTolerance: clockToleranceSeconds,
        currentDate: now(),
        requiredClaims: ['exp', 'sub', 'iss', 'aud'],
      });
      if (!isAccessToken(protectedHeader, payload)) throw new errors.JWTInvalid('not an access token');
      if (payload.iat !== undefined && payload.iat > nowMs() / 1000 + clockToleranceSeconds)
        throw new errors.JWTClaimValidationFailed('iat', payload, 'iat');
      const { sub } = payload;
      if (!isAccountUserId(sub)) throw new errors.JWTClaimValidationFailed('sub', payload, 'sub');
      const isAdmin = this.roles.holds(this.settings.adminRole, payload);
      const expiresAt = new Date((payload.exp ?? 0) * 1000);
      const email = emailOf(payload);
      // Nothing else is a proof, not even the text "true".
      const emailProven = email !== null && payload.email_verified === true;
      return { accountUserId: sub, isAdmin, email, emailProven, name: nameOf(payload), expiresAt };
    } catch (error) {
      throw this.toServiceError(error);
    }
  }

  private toServiceError(error: unknown): Error {
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
      `The credential is neither an API key nor a valid account token of ${this.settings.issuer}. Sign in again for a new token, or check the key.`,
    );
  }
}

/** Returns null for a claim that is not an address: a bad e-mail claim must not lock the account out. */
const emailOf = ({ email, email_verified }: JWTPayload): string | null =>
  email_verified === false ? null : (Email.safeParse(email).data ?? null);

const nameOf = ({ name }: JWTPayload): string | null => Name.safeParse(name).data ?? null;

const controlsOrStackedMarks = /\p{Cc}|\p{M}{31}/u;
const visible = /[^\p{Default_Ignorable_Code_Point}\p{White_Space}\p{Cf}\u2800]/u;

/** Account ids are stored and compared unchanged, so only a normalised one of at most 128 characters is accepted. */
const isAccountUserId = (sub: unknown): sub is string =>
  typeof sub === 'string' &&
  [...sub].length <= 128 &&
  sub === sub.normalize('NFC').trim() &&
  sub.isWellFormed() &&
  visible.test(sub) &&
  !controlsOrStackedMarks.test(sub);

/** Accepts only three parts in canonical base64url, so that a token has exactly one valid form. */
const isCanonical = (token: string) => {
  const parts = token.split('.');
  return (
    parts.length === 3 && parts.every((part) => Buffer.from(part, 'base64url').toString('base64url') === part)
  );
};

/** Claims of ID tokens, logout tokens and other security events, which access tokens do not have. */
const foreignClaims = ['nonce', 'at_hash', 'c_hash', 's_hash', 'events'];

/**
 * Returns true for tokens that were issued to call an API (D92). Providers mark them in different places: RFC 9068 in the
 * header, Keycloak with the claim `typ`, Cognito with `token_use`. Without any mark, claims of ID tokens are the sign.
 */
function isAccessToken({ typ }: JWTHeaderParameters, payload: JWTPayload): boolean {
  const type = typ?.toLowerCase().replace(/^application\//, '');
  if (type === 'at+jwt') return true;
  if (type !== undefined && type !== 'jwt') return false;
  if (payload.token_use !== undefined && payload.token_use !== 'access') return false;
  if (payload.typ !== undefined) return payload.typ === 'Bearer';
  return !foreignClaims.some((claim) => claim in payload);
}
