import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../../src/config.js';
import { type AppJson, aListing, allScopes, type Json } from '../support/actors.js';
import { duringTests } from '../support/before-tests.js';
import { startTestProvider } from '../support/oidc-provider.js';
import { startService } from '../support/service.js';

describe('in production, with a real identity provider', () => {
  const provider = duringTests(startTestProvider);
  const service = duringTests(() => startService({ NODE_ENV: 'production', OIDC_ISSUER: provider.issuer }));

  it.each([
    ['POST', '/dev/token'],
    ['GET', '/.well-known/openid-configuration'],
    ['GET', '/.well-known/jwks.json'],
    ['GET', '/dev/pictures/time-tracker/logo.png'],
    ['GET', '/dev/websites/time-tracker'],
  ])('there is no %s %s (D14, D200)', async (method, path) => {
    const response = await service.client.request(method, path, {
      ...(method === 'POST' && { body: { accountUserId: 'ada', admin: true } }),
    });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
  });

  it('a start without a provider is a configuration error (D14)', () => {
    expect(() => loadConfig({ NODE_ENV: 'production' })).toThrow(/OIDC_ISSUER is needed in production/);
  });

  it("the provider's tokens carry a developer and an administrator from registration to a public app (D8, D9)", async () => {
    const admin = await provider.token('root', { admin: true });
    const token = await provider.token('ada');
    const registered = await service.client.call<Json>(
      'rest',
      'registerDeveloper',
      { accountUserId: 'ada', name: 'Ada', email: 'ada@example.com' },
      token,
    );
    expect(registered.status).toBe(201);
    await service.must('verifyDeveloper', { id: registered.data.id }, admin);
    const issued = await service.client.call<{ key: string }>(
      'rest',
      'createApiKey',
      { name: 'CI', scopes: allScopes },
      token,
    );
    expect(issued.status).toBe(201);
    const { key } = issued.data;
    const { data: app } = await service.client.call<AppJson>('rest', 'createApp', aListing(), key);
    await service.client.call('rest', 'submitApp', { id: app.id }, key);
    await service.must('approveApp', { id: app.id, revision: 1 }, admin);
    expect((await service.client.call('rest', 'app', { slug: app.slug })).status).toBe(200);
  });

  it('an account without the role is no administrator (D8)', async () => {
    const { code } = await service.call('reviewQueue', {}, await provider.token('eve'));
    expect(code).toBe('FORBIDDEN');
  });

  it('a token of a development issuer is refused (D14)', async () => {
    await using development = await startService();
    const token = await development.token('root', { admin: true });
    expect((await service.call('reviewQueue', {}, token)).code).toBe('INVALID_TOKEN');
  });

  it('the playground is off by default, and no page contains a token', async () => {
    expect((await service.client.request('GET', '/playground')).status).toBe(404);
    const home = await (await service.client.request('GET', '/')).text();
    expect(home).not.toMatch(/dev\/token|eyJ/);
  });
});

describe('in production, with a provider that cannot be reached', () => {
  it('rejects account tokens as UNAVAILABLE, and serves API keys and public requests (D7)', async () => {
    const gone = await startTestProvider();
    const token = await gone.token('ada');
    await gone.close();
    await using service = await startService({ NODE_ENV: 'production', OIDC_ISSUER: gone.issuer });
    const outcome = await service.call('me', {}, token);
    expect(outcome.code).toBe('UNAVAILABLE');
    expect(outcome.message).toMatch(/identity provider/);
    expect((await service.client.call('rest', 'me', {}, 'mkt_nonsense')).code).toBe('INVALID_API_KEY');
    expect((await service.client.call('rest', 'browseApps')).status).toBe(200);
  });
});
