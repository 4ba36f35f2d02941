import { Router } from 'express';
import { z } from 'zod';
import { type DevIssuer, tokenLifetimeSeconds } from '../auth/dev-issuer.js';
import { ServiceError } from '../errors.js';
import { email, text } from '../operations/input.js';
import { problemsOf } from '../operations/problems.js';
import { jsonBody, readBody } from '../server/body.js';
import { jsonResponse } from '../server/http-response.js';
import { currentRequest } from '../server/request-context.js';
import { responding } from '../server/routing.js';

const TokenRequest = z.strictObject({
  accountUserId: text({ max: 128 }),
  admin: z.boolean().nullish(),
  email: email().nullish(),
  emailVerified: z.boolean().nullish(),
  name: text({ max: 100 }).nullish(),
});
const example = '{ "accountUserId": "ada", "admin": true }';

/** The endpoints of the development issuer: tokens, its public keys and the discovery document of OpenID Connect. */
export function devIssuerRouter(devIssuer: DevIssuer): Router {
  const { issuer } = devIssuer.settings;
  const discovery = {
    issuer,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    token_endpoint: `${issuer}/dev/token`,
    id_token_signing_alg_values_supported: ['ES256'],
    response_types_supported: [],
    subject_types_supported: ['public'],
  };
  const router = Router();
  router.get(
    '/.well-known/jwks.json',
    responding(() => jsonResponse(200, JSON.stringify(devIssuer.publicKeys))),
  );
  router.get(
    '/.well-known/openid-configuration',
    responding(() => jsonResponse(200, JSON.stringify(discovery))),
  );
  router.post(
    '/dev/token',
    responding(async (request) => tokenResponse(devIssuer, jsonBody(request, await readBody(request)))),
  );
  router.all(
    '/dev/token',
    responding(({ method }) => {
      currentRequest().responseHeaders.allow = 'POST, OPTIONS';
      if (method === 'OPTIONS') return { status: 204, headers: {} };
      throw new ServiceError(
        'METHOD_NOT_ALLOWED',
        `${method} is not possible here. POST JSON such as ${example} to get a token.`,
      );
    }),
  );
  return router;
}

async function tokenResponse(devIssuer: DevIssuer, body: unknown) {
  const request = TokenRequest.safeParse(body, { reportInput: true });
  if (!request.success) {
    const { listed, total } = problemsOf(request.error);
    throw new ServiceError('VALIDATION_FAILED', `Send JSON such as ${example}.`, listed, { total });
  }
  const token = {
    accessToken: await devIssuer.sign(request.data),
    tokenType: 'Bearer',
    expiresIn: tokenLifetimeSeconds,
  };
  return jsonResponse(200, JSON.stringify(token), { 'cache-control': 'no-store' });
}
