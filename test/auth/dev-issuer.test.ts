import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createRemoteJWKSet, decodeJwt, importJWK, type JWK, jwtVerify, SignJWT } from 'jose';
import { pino } from 'pino';
import { AccountTokens } from '../../src/auth/account-token.js';
import { DevIssuer } from '../../src/auth/dev-issuer.js';
import { aFolder } from '../support/folder.js';
import { type Service, startService } from '../support/service.js';

let service: Service;
let folder: string;
beforeAll(async () => {
  folder = await aFolder();
  service = await startService({ DATA_DIR: folder });
});
afterAll(async () => {
  await service.close();
});

const ask = (body: unknown, headers: Record<string, string> = {}) =>
  service.client.request('POST', '/dev/token', { body, headers });

describe('the development issuer', () => {
  it('issues a token for any account, valid for 12 hours and never cached (D14)', async () => {
    const response = await ask({ accountUserId: ' ada ', email: 'ada@example.com', name: 'Ada' });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    const body = (await response.json()) as { accessToken: string };
    expect(body).toEqual({ accessToken: expect.any(String), tokenType: 'Bearer', expiresIn: 43_200 });
    const claims = decodeJwt(body.accessToken);
    expect(claims).toMatchObject({
      iss: service.url,
      aud: 'marketplace-gateway',
      sub: 'ada',
      roles: [],
      email: 'ada@example.com',
      name: 'Ada',
    });
    expect(claims.exp! - claims.iat!).toBe(43_200);
  });

  it('publishes the discovery document and the public key, which verify the token, and no private key (D14)', async () => {
    const discovery = await service.client.request('GET', '/.well-known/openid-configuration');
    const { issuer, jwks_uri, token_endpoint } = (await discovery.json()) as Record<string, string>;
    expect({ issuer, jwks_uri, token_endpoint }).toEqual({
      issuer: service.url,
      jwks_uri: `${service.url}/.well-known/jwks.json`,
      token_endpoint: `${service.url}/dev/token`,
    });
    const token = await service.token('ada');
    const { payload } = await jwtVerify(token, createRemoteJWKSet(new URL(jwks_uri!)), {
      issuer: service.url,
      audience: 'marketplace-gateway',
      algorithms: ['ES256'],
    });
    expect(payload.sub).toBe('ada');
    const { keys } = (await (await fetch(jwks_uri!)).json()) as { keys: Record<string, string>[] };
    expect(keys).toHaveLength(1);
    expect(keys[0]).not.toHaveProperty('d');
  });

  it('gives the administrator’s role only where it is requested (D14)', async () => {
    const may = async (options: { admin?: boolean }) =>
      (await service.call('developers', {}, await service.token('root', options))).code;
    expect(await may({ admin: true })).toBeNull();
    expect(await may({ admin: false })).toBe('FORBIDDEN');
    expect(await may({})).toBe('FORBIDDEN');
  });

  it.each([
    [{}, ['accountUserId: required']],
    [{ accountUserId: '' }, ['accountUserId: too_short']],
    [{ accountUserId: 'x'.repeat(129) }, ['accountUserId: too_long']],
    [{ accountUserId: 7, admin: 'yes' }, ['accountUserId: invalid_type', 'admin: invalid_type']],
    [{ accountUserId: 'ada', email: 'nonsense' }, ['email: invalid_email']],
    [{ accountUserId: 'ada', amdin: true }, ['amdin: unknown_field']],
    [{ accountUserId: 'a\0b' }, ['accountUserId: invalid_characters']],
  ])('refuses %j, by name (D14)', async (body, problems) => {
    const response = await ask(body);
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as {
      error: { code: string; details: { field: string; code: string }[] };
    };
    expect(error.code).toBe('VALIDATION_FAILED');
    expect(error.details.map(({ field, code }) => `${field}: ${code}`)).toEqual(problems);
  });

  it('rejects malformed JSON and other content types', async () => {
    expect(await (await ask('{')).json()).toMatchObject({ error: { code: 'MALFORMED_JSON' } });
    expect((await ask('"ada"')).status).toBe(400);
    expect((await ask('[]')).status).toBe(400);
    // curl sends this content type if it is given none.
    const form = await ask('{"accountUserId":"ada"}', {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(form.status).toBe(415);
    expect(await form.json()).toMatchObject({
      error: {
        code: 'UNSUPPORTED_MEDIA_TYPE',
        message: expect.stringContaining('Content-Type: application/json'),
      },
    });
    expect((await service.client.request('POST', '/dev/token')).status).toBe(400);
  });

  it('explains in a browser that it needs a POST request (D14)', async () => {
    const response = await service.client.request('GET', '/dev/token');
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST, OPTIONS');
    expect(await response.json()).toMatchObject({
      error: { code: 'METHOD_NOT_ALLOWED', message: expect.stringContaining('POST JSON such as') },
    });
    expect((await service.client.request('OPTIONS', '/dev/token')).status).toBe(204);
  });

  it.each<[claims: Record<string, unknown>, email: string | null]>([
    [{ email: 'ada@example.com' }, 'ada@example.com'],
    [{ email: 'ada@example.com', email_verified: true }, 'ada@example.com'],
    [{ email: 'ada@example.com', email_verified: false }, null],
    [{ email: 'nonsense' }, null],
    [{ email: ['ada@example.com'] }, null],
    [{}, null],
  ])('a token with the claims %j has the e-mail address %s (D62)', async (said, email) => {
    const claims = decodeJwt(await service.token('ada'));
    const jwk = JSON.parse(await readFile(join(folder, 'dev-issuer-key.json'), 'utf8')) as JWK;
    const token = await new SignJWT({ ...claims, ...said })
      .setProtectedHeader({ alg: 'ES256', kid: jwk.kid! })
      .sign(await importJWK(jwk));
    const settings = {
      issuer: service.url,
      audience: 'marketplace-gateway',
      rolesClaim: 'roles',
      adminRole: 'admin',
    };
    const { keys } = await DevIssuer.open(folder, settings);
    const tokens = new AccountTokens(settings, keys, pino({ level: 'silent' }));
    expect((await tokens.verify(token)).email).toBe(email);
  });

  it('stores its key, so that tokens stay valid after a restart (D14)', async () => {
    const settings = {
      issuer: 'http://issuer.example',
      audience: 'marketplace-gateway',
      rolesClaim: 'roles',
      adminRole: 'marketplace-admin',
    };
    const before = await DevIssuer.open(folder, settings);
    const token = await before.sign({ accountUserId: 'ada' });
    const after = await DevIssuer.open(folder, settings);
    expect((await jwtVerify(token, after.keys)).payload.sub).toBe('ada');
    const file = await stat(join(folder, 'dev-issuer-key.json'));
    expect(file.mode & 0o077).toBe(0);
  });
});
