import { describe, expect, it } from '@jest/globals';
import express from 'express';
import request from 'supertest';
import { loadConfig } from '../../src/config.js';
import { pages } from '../../src/pages/pages.js';
import { loadOperations } from '../../src/pages/playground-presets.js';
import { withRequestContext } from '../support/request-context.js';

const production = { NODE_ENV: 'production', OIDC_ISSUER: 'https://id.example' };

function requestPages(environment: Record<string, string> = {}, publicUrl = 'http://127.0.0.1:4000') {
  return request(
    withRequestContext(
      express().use(
        pages({
          config: loadConfig(environment),
          publicUrl,
          devToken: async ({ accountUserId }) => `token-of-${accountUserId}`,
          openapi: { openapi: '3.1.0' },
          sdl: 'type Query { me: String }',
          operations: loadOperations(),
          localOnly: (_request, _response, next) => next(),
          mailbox: null,
        }),
      ),
    ),
  );
}

/** Returns the tabs of the playground with their Authorization headers, from the options that start Altair. */
async function tabsOf(path: string, environment?: Record<string, string>) {
  const { text } = await requestPages(environment).get(path).expect(200);
  const data = /id="playground-options">(.*?)<\/script>/.exec(text)?.[1] ?? '';
  const { initialWindows } = JSON.parse(data) as {
    initialWindows: { initialName: string; initialHeaders?: { Authorization: string } }[];
  };
  return new Map(initialWindows.map((tab) => [tab.initialName, tab.initialHeaders?.Authorization]));
}

describe('the pages', () => {
  it.each(['/', '/docs', '/playground'])('%s may load nothing from elsewhere', async (path) => {
    const { headers, text } = await requestPages()
      .get(path)
      .expect(200)
      .expect('Content-Type', /text\/html/);
    const policy = headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    expect(policy).not.toMatch(/script-src[^;]*unsafe-inline/);
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });

  it('the home page links to the playground with working tokens in development only', async () => {
    const { text } = await requestPages().get('/');
    expect(text).toContain('href="/playground?as=admin"');
    const inProduction = await requestPages(production).get('/');
    expect(inProduction.text).not.toContain('/playground');
    expect(inProduction.text).not.toContain('/dev/token');
  });

  it('link below the path of PUBLIC_URL', async () => {
    const { text } = await requestPages({}, 'https://tasks.example/market/').get('/');
    expect(text).toContain('href="/market/docs"');
    expect(text).not.toMatch(/href="\/(?!market\/)/);
  });

  it('include the OpenAPI document, and the schema unless introspection is off', async () => {
    await requestPages().get('/openapi.json').expect(200, { openapi: '3.1.0' });
    await requestPages().get('/schema.graphql').expect(200, 'type Query { me: String }');
    await requestPages({ INTROSPECTION: 'off' }).get('/schema.graphql').expect(404);
  });

  it('the REST reference uses no validator on the internet', async () => {
    const { text } = await requestPages().get('/docs/initializer.js').expect(200);
    expect(text).toContain('validatorUrl: null');
  });
});

describe('the playground', () => {
  it('gives each tab the credential of its user (D14)', async () => {
    const all = await tabsOf('/playground');
    expect(all.get('Approve app')).toBe('Bearer token-of-demo-admin');
    expect(all.get('Create app')).toBe('Bearer token-of-demo-developer');
    expect(all.get('Register developer')).toBe('Bearer token-of-newcomer');
    expect(all.get('Browse apps')).toBeUndefined();
  });

  it('shows only the tabs of administrators and public tabs to an administrator', async () => {
    const names = [...(await tabsOf('/playground?as=admin')).keys()];
    expect(names).toEqual(expect.arrayContaining(['Review queue', 'Verify developer', 'Browse apps']));
    expect(names).not.toContain('Create app');
  });

  it('opens with the review queue, or with the apps of the developer', async () => {
    expect([...(await tabsOf('/playground?as=admin')).keys()][0]).toBe('Review queue');
    const names = [...(await tabsOf('/playground?as=developer')).keys()];
    expect(names[0]).toBe('My apps');
    expect(names).toContain('Register developer');
  });

  it('links to the home page', async () => {
    const { text } = await requestPages().get('/playground');
    expect(text).toContain('<a class="home" href="../">');
  });

  it('is never cached, since it contains tokens', async () => {
    await requestPages().get('/playground').expect('Cache-Control', 'no-store');
  });

  it('does not exist in production unless it is enabled, and never contains a token there', async () => {
    await requestPages(production).get('/playground').expect(404);
    const all = await tabsOf('/playground?as=admin', { ...production, PLAYGROUND: 'on' });
    expect(all.get('Approve app')).toBe('Bearer PASTE-YOUR-TOKEN-HERE');
  });
});
