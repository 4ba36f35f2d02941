import { beforeEach, describe, expect, it } from '@jest/globals';
import { SignInDiscovery } from '../../src/auth/provider-discovery.js';
import { createTestLog } from '../server/test-log.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { startTestProvider } from '../support/oidc-provider.js';
import { startService } from '../support/service.js';

const provider = duringTests(startTestProvider);
const log = beforeTests(() => createTestLog());
const service = duringTests(() =>
  startService(
    {
      NODE_ENV: 'production',
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: 'playground',
      OIDC_SCOPES: 'openid offline_access',
      PLAYGROUND: 'on',
      PUBLIC_URL: 'https://tasks.example/market',
    },
    log.log,
  ),
);
beforeEach(() => provider.setLine('open'));

const openPage = async () => {
  const response = await service.client.request('GET', '/playground');
  const text = await response.text();
  const data = JSON.parse(/id="playground-options">(.*?)<\/script>/.exec(text)?.[1] ?? '') as {
    signIn: { endpoints: unknown };
    tokens: object;
  };
  return { response, text, data };
};

describe('the page of a playground with a client of the identity provider', () => {
  it('is served without a sign-in while the provider cannot be reached, and says so in the log (D173)', async () => {
    provider.setLine('cut');
    const { response, data } = await openPage();
    expect(data.signIn.endpoints).toBeNull();
    expect(response.headers.get('content-security-policy')).toMatch(/connect-src 'self'(;|$)/);
    expect(log.text()).toContain('cannot find the endpoints of the identity provider');
  });

  it('may call this service and the token endpoint, and nothing else (D173)', async () => {
    const { response, data } = await openPage();
    const { issuer } = provider;
    expect(data.signIn).toEqual({
      issuer,
      clientId: 'playground',
      scopes: 'openid offline_access',
      audience: 'marketplace-gateway',
      redirectUri: 'https://tasks.example/market/playground',
      endpoints: { authorization: `${issuer}/auth`, token: `${issuer}/token` },
    });
    expect(data.tokens).toEqual({});
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy.split(';')).toContain(`connect-src 'self' ${issuer}/token`);
    expect(policy.match(/https?:[^ ;]+/g)).toEqual([`${issuer}/token`]);
    expect(policy).not.toMatch(/unsafe-eval|\*|script-src[^;]*unsafe-inline/);
  });

  it('asks the provider once in ten minutes (D173)', async () => {
    await openPage();
    provider.setLine('open');
    await Promise.all([openPage(), openPage()]);
    expect(provider.asked).toEqual([]);
  });
});

describe('the endpoints of a sign-in', () => {
  it('are asked for once, and no page waits long for a provider that hangs (D281)', async () => {
    const { issuer } = provider;
    const held: (() => void)[] = [];
    provider.setLine((_path, response) => {
      held.push(() => response.destroy());
      return true;
    });
    const discovery = new SignInDiscovery(issuer);
    const tries = await Promise.allSettled([discovery.endpoints(), discovery.endpoints()]);
    expect(tries.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(discovery.endpoints()).rejects.toThrow(issuer);
    expect(held.length).toBe(1);
    for (const release of held) release();
  });

  it('are not taken from a document of another issuer, nor over http from an https issuer (D173)', async () => {
    const { issuer } = provider;
    const urls = { authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` };
    const documents = [
      { ...urls, issuer: 'http://evil.example' },
      { ...urls, issuer, token_endpoint: 'javascript:alert(1)' },
      { issuer, authorization_endpoint: `${issuer}/auth` },
    ];
    for (const document of documents) {
      provider.setLine((_path, response) => {
        response.end(JSON.stringify(document));
        return true;
      });
      await expect(new SignInDiscovery(issuer).endpoints()).rejects.toThrow(/names/);
    }
    provider.setLine('open');
    expect(await new SignInDiscovery(issuer).endpoints()).toEqual({
      authorization: `${issuer}/auth`,
      token: `${issuer}/token`,
    });
  });
});
