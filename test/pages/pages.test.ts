import { describe, expect, it } from '@jest/globals';
import express from 'express';
import request from 'supertest';
import { loadConfig } from '../../src/config.js';
import { pages } from '../../src/pages/pages.js';
import { loadOperations } from '../../src/pages/playground-presets.js';
import { withRequestContext } from '../support/request-context.js';

const PRODUCTION = { NODE_ENV: 'production', OIDC_ISSUER: 'https://id.example' };

function site(environment: Record<string, string> = {}, publicUrl = 'http://127.0.0.1:4000') {
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

/** The options that the playground's page starts Altair with. */
async function tabs(path: string, environment?: Record<string, string>) {
  const { text } = await site(environment).get(path).expect(200);
  const data = /id="playground-options">(.*?)<\/script>/.exec(text)?.[1] ?? '';
  const { initialWindows } = JSON.parse(data) as {
    initialWindows: { initialName: string; initialHeaders?: { Authorization: string } }[];
  };
  return new Map(initialWindows.map((tab) => [tab.initialName, tab.initialHeaders?.Authorization]));
}

describe('the pages', () => {
  it.each(['/', '/docs', '/playground'])('%s may reach nothing but this service', async (path) => {
    const { headers, text } = await site()
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

  it('the home page offers the playground with working tokens in development only', async () => {
    const { text } = await site().get('/');
    expect(text).toContain('href="/playground?as=admin"');
    const { text: production } = await site(PRODUCTION).get('/');
    expect(production).not.toContain('/playground');
    expect(production).not.toContain('/dev/token');
  });

  it('links below the path of the public address', async () => {
    const { text } = await site({}, 'https://tasks.example/market/').get('/');
    expect(text).toContain('href="/market/docs"');
    expect(text).not.toMatch(/href="\/(?!market\/)/);
  });

  it('serves the OpenAPI document and the schema, the schema unless introspection is off', async () => {
    await site().get('/openapi.json').expect(200, { openapi: '3.1.0' });
    await site().get('/schema.graphql').expect(200, 'type Query { me: String }');
    await site({ INTROSPECTION: 'off' }).get('/schema.graphql').expect(404);
  });

  it('the REST reference asks no validator on the internet', async () => {
    const { text } = await site().get('/docs/initializer.js').expect(200);
    expect(text).toContain('validatorUrl: null');
  });
});

describe('the playground', () => {
  it('gives each tab the credential of who runs it (D14)', async () => {
    const all = await tabs('/playground');
    expect(all.get('Approve app')).toBe('Bearer token-of-demo-admin');
    expect(all.get('Create app')).toBe('Bearer token-of-demo-developer');
    expect(all.get('Register developer')).toBe('Bearer token-of-newcomer');
    expect(all.get('Browse apps')).toBeUndefined();
  });

  it("shows only the administrator's and the public tabs to an administrator", async () => {
    const names = [...(await tabs('/playground?as=admin')).keys()];
    expect(names).toEqual(expect.arrayContaining(['Review queue', 'Verify developer', 'Browse apps']));
    expect(names).not.toContain('Create app');
  });

  it('opens on what each came for: the queue, or the developer’s own apps', async () => {
    expect([...(await tabs('/playground?as=admin')).keys()][0]).toBe('Review queue');
    const names = [...(await tabs('/playground?as=developer')).keys()];
    expect(names[0]).toBe('My apps');
    expect(names).toContain('Register developer');
  });

  it('leads back to the home page', async () => {
    const { text } = await site().get('/playground');
    expect(text).toContain('<a class="home" href="../">');
  });

  it('is not kept in any cache, since it holds tokens', async () => {
    await site().get('/playground').expect('Cache-Control', 'no-store');
  });

  it('does not exist in production unless it is asked for, and never holds a token there', async () => {
    await site(PRODUCTION).get('/playground').expect(404);
    const all = await tabs('/playground?as=admin', { ...PRODUCTION, PLAYGROUND: 'on' });
    expect(all.get('Approve app')).toBe('Bearer PASTE-YOUR-TOKEN-HERE');
  });
});
