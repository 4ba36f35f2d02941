import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { json, Router } from 'express';
import {
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  type JWTVerifyGetKey,
  SignJWT,
} from 'jose';
import { z } from 'zod';
import { ServiceError } from '../errors.js';
import { email, text } from '../operations/input.js';
import { problemsOf } from '../operations/problems.js';
import type { AccountTokenSettings } from './account-token.js';

const lifetimeSeconds = 12 * 60 * 60;

const TokenRequest = z.strictObject({
  accountUserId: text({ max: 128 }),
  admin: z.boolean().nullish(),
  email: email().nullish(),
  name: text({ max: 100 }).nullish(),
});
type DevTokenRequest = z.input<typeof TokenRequest>;

/** Development's own identity provider: it signs real tokens for whoever asks. It does not exist in production. */
export class DevIssuer {
  private constructor(
    private readonly privateKey: JWK,
    private readonly settings: AccountTokenSettings,
  ) {}

  /** The signing key is kept, so that tokens outlive a restart. */
  static async open(dataDir: string, settings: AccountTokenSettings): Promise<DevIssuer> {
    const file = join(dataDir, 'dev-issuer-key.json');
    const kept = await readFile(file, 'utf8').catch(() => null);
    if (kept) return new DevIssuer(JSON.parse(kept), settings);
    const { privateKey } = await generateKeyPair('ES256', { extractable: true });
    const jwk = { ...(await exportJWK(privateKey)), kid: crypto.randomUUID(), alg: 'ES256', use: 'sig' };
    await mkdir(dataDir, { recursive: true });
    await writeFile(file, JSON.stringify(jwk), { mode: 0o600 });
    return new DevIssuer(jwk, settings);
  }

  async sign(request: DevTokenRequest): Promise<string> {
    const { issuer, audience, rolesClaim, adminRole } = this.settings;
    const claims = {
      [rolesClaim]: request.admin ? [adminRole] : [],
      ...(request.email && { email: request.email }),
      ...(request.name && { name: request.name }),
    };
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'ES256', kid: this.privateKey.kid ?? '', typ: 'at+jwt' })
      .setIssuer(issuer)
      .setAudience(audience)
      .setSubject(request.accountUserId)
      .setIssuedAt()
      .setExpirationTime(`${lifetimeSeconds}s`)
      .setJti(crypto.randomUUID())
      .sign(await importJWK(this.privateKey));
  }

  get keys(): JWTVerifyGetKey {
    return createLocalJWKSet(this.publicKeys);
  }

  private get publicKeys(): JSONWebKeySet {
    const { d: _, ...publicKey } = this.privateKey;
    return { keys: [publicKey] };
  }

  /** The token endpoint, and what any OIDC client needs to find and check the keys. */
  router(): Router {
    const router = Router();
    router.get('/.well-known/jwks.json', (_req, res) => void res.json(this.publicKeys));
    router.get('/.well-known/openid-configuration', (_req, res) => {
      const { issuer } = this.settings;
      res.json({
        issuer,
        jwks_uri: `${issuer}/.well-known/jwks.json`,
        token_endpoint: `${issuer}/dev/token`,
        id_token_signing_alg_values_supported: ['ES256'],
        response_types_supported: [],
        subject_types_supported: ['public'],
      });
    });
    router.post('/dev/token', json(), async (req, res) => {
      const request = TokenRequest.safeParse(req.body ?? {}, { reportInput: true });
      if (!request.success) {
        const { listed, total } = problemsOf(request.error);
        const example = 'Send JSON such as { "accountUserId": "ada", "admin": true }.';
        throw new ServiceError('VALIDATION_FAILED', example, listed, { total });
      }
      res.set('cache-control', 'no-store').json({
        accessToken: await this.sign(request.data),
        tokenType: 'Bearer',
        expiresIn: lifetimeSeconds,
      });
    });
    router.all('/dev/token', (req, res) => {
      res.set('allow', 'POST, OPTIONS');
      if (req.method === 'OPTIONS') return void res.status(204).end();
      throw new ServiceError(
        'METHOD_NOT_ALLOWED',
        `${req.method} is not possible here. POST JSON such as { "accountUserId": "ada", "admin": true } to get a token.`,
      );
    });
    return router;
  }
}
