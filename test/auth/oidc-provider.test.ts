import { describe, expect, it } from '@jest/globals';
import { createRemoteJWKSet, decodeProtectedHeader, errors, jwtVerify } from 'jose';
import { duringTests } from '../support/before-tests.js';
import { startTestProvider } from '../support/oidc-provider.js';

describe('the identity provider of the compose file', () => {
  const provider = duringTests(startTestProvider);

  const keys = async () => {
    const discovery = await fetch(`${provider.issuer}/.well-known/openid-configuration`);
    const { issuer, jwks_uri } = (await discovery.json()) as { issuer: string; jwks_uri: string };
    expect(issuer).toBe(provider.issuer);
    return createRemoteJWKSet(new URL(jwks_uri));
  };
  const verify = async (token: string) =>
    jwtVerify(token, await keys(), {
      issuer: provider.issuer,
      audience: 'marketplace-gateway',
      algorithms: ['RS256'],
      typ: 'at+jwt',
      requiredClaims: ['sub', 'exp', 'iat'],
    });

  it('issues an access token whose subject is the account', async () => {
    const { payload } = await verify(await provider.token('user-1'));
    expect(payload.sub).toBe('user-1');
    expect(payload.roles).toEqual([]);
    expect(payload.exp! - payload.iat!).toBe(3600);
  });

  it("names the administrator's role in the roles claim", async () => {
    const { payload } = await verify(await provider.token('root', { admin: true }));
    expect(payload).toMatchObject({ sub: 'root', roles: ['marketplace-admin'] });
  });

  it('publishes the public key that verifies the token, and no private key', async () => {
    const { kid } = decodeProtectedHeader(await provider.token('user-1'));
    const published = (await (await fetch(`${provider.issuer}/jwks`)).json()) as {
      keys: Record<string, unknown>[];
    };
    expect(published.keys.map((key) => key.kid)).toEqual([kid]);
    expect(published.keys[0]).not.toHaveProperty('d');
  });

  it('refuses a wrong secret', async () => {
    await provider.token('user-1');
    const response = await fetch(`${provider.issuer}/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa('user-1:wrong')}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    expect(response.status).toBe(401);
  });

  it('no longer publishes the key of old tokens after a rotation', async () => {
    const old = await provider.token('user-1');
    provider.rotateKeys();
    await expect(verify(old)).rejects.toThrow(errors.JWKSNoMatchingKey);
    expect((await verify(await provider.token('user-1'))).payload.sub).toBe('user-1');
  });
});
