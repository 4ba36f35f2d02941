import { json, Router } from 'express';
import { z } from 'zod';
import { type DevIssuer, devTokenLifetimeSeconds } from '../auth/dev-issuer.js';
import { ServiceError } from '../errors.js';
import { email, text } from '../operations/input.js';
import { problemsOf } from '../operations/problems.js';

const TokenRequest = z.strictObject({
  accountUserId: text({ max: 128 }),
  admin: z.boolean().nullish(),
  email: email().nullish(),
  name: text({ max: 100 }).nullish(),
});

/** Serves the token endpoint of the built-in identity provider, its discovery document and its public keys. */
export function devIssuerRouter(devIssuer: DevIssuer): Router {
  const { issuer, publicKeys } = devIssuer;
  const router = Router();
  router.get('/.well-known/jwks.json', (_req, res) => void res.json(publicKeys));
  router.get('/.well-known/openid-configuration', (_req, res) => {
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
      accessToken: await devIssuer.sign(request.data),
      tokenType: 'Bearer',
      expiresIn: devTokenLifetimeSeconds,
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
