import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import request from 'supertest';
import { loadConfig } from '../../src/config.js';
import { pages } from '../../src/pages/pages.js';
import { loadOperations } from '../../src/pages/playground-presets.js';
import { withRequestContext } from '../support/request-context.js';

const production = { NODE_ENV: 'production', OIDC_ISSUER: 'https://id.example' };

function requestPages(
  environment: Record<string, string> = {},
  publicUrl = 'http://127.0.0.1:4000',
  operations = loadOperations(),
  openapi: () => object = () => ({ openapi: '3.1.0' }),
) {
  return request(
    withRequestContext(
      pages({
        config: loadConfig(environment),
        log: pino({ level: 'silent' }),
        publicUrl,
        devToken: async ({ accountUserId }) => `token-of-${accountUserId}`,
        openapi,
        sdl: () => 'type Query { me: String }',
        operations: () => operations,
        localOnly: (_request, _response, next) => next(),
        mailbox: null,
        cache: { begin: () => null, charge: () => null },
        contextOf: () => {
          throw new Error('These pages run no operation.');
        },
      }),
    ),
  );
}

/** The data in the page of the playground from which it starts Altair. */
interface PlaygroundData {
  altair: { initialEnvironments: { base: { variables: Record<string, string> } } };
  presets: { role: string; tab: { initialName: string; initialHeaders?: { Authorization: string } } }[];
  views: Record<string, string[]>;
  tokens: Record<string, string>;
}

async function playgroundData(environment?: Record<string, string>): Promise<PlaygroundData> {
  const { text } = await requestPages(environment).get('/playground').expect(200);
  return JSON.parse(/id="playground-options">(.*?)<\/script>/.exec(text)?.[1] ?? '') as PlaygroundData;
}

const credentialIn = ({ presets }: PlaygroundData, name: string) =>
  presets.find(({ tab }) => tab.initialName === name)?.tab.initialHeaders?.Authorization;

describe('the pages', () => {
  it('build the OpenAPI document at its first request, and once', async () => {
    let built = 0;
    const client = requestPages({}, undefined, [], () => {
      built += 1;
      return { openapi: '3.1.0' };
    });
    await client.get('/').expect(200);
    expect(built).toBe(0);
    for (let request = 0; request < 2; request += 1)
      await client.get('/openapi.json').expect(200, { openapi: '3.1.0' });
    expect(built).toBe(1);
  });

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

  it('the home page leads to the storefront, the console and the desk first, where they are on (D210)', async () => {
    const { text } = await requestPages().get('/');
    const [, main = ''] = text.split('<main>');
    const links = [...main.matchAll(/href="(\/[^"]*)"/g)].map(([, path]) => path);
    expect(links.slice(0, 3)).toEqual(['/market', '/console', '/desk']);
    const without = await requestPages({ WEB: 'off' }).get('/');
    expect(without.text).not.toMatch(/href="\/(market|console|desk)"/);
  });

  it('the home page folds long commands, and has a script that only copies', async () => {
    const { text } = await requestPages().get('/');
    expect(text).toContain('<script src="/copy.js" defer></script>');
    expect(text.match(/<details>/g)).toHaveLength(3);
    await requestPages()
      .get('/copy.js')
      .expect(200)
      .expect('content-type', /javascript/);
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
  it('gives each tab a variable for its account, and the page the tokens of the accounts (D14)', async () => {
    const data = await playgroundData();
    expect(credentialIn(data, 'Approve app')).toBe('Bearer {{administrator}}');
    expect(credentialIn(data, 'Create app')).toBe('Bearer {{developer}}');
    expect(credentialIn(data, 'Register developer')).toBe('Bearer {{newcomer}}');
    expect(credentialIn(data, 'Browse apps')).toBeUndefined();
    expect(data.altair.initialEnvironments.base.variables).toEqual({
      administrator: 'demo-admin',
      developer: 'demo-developer',
      newcomer: 'newcomer',
    });
    expect(data.tokens).toEqual({
      'demo-admin': 'token-of-demo-admin',
      'demo-developer': 'token-of-demo-developer',
      newcomer: 'token-of-newcomer',
    });
  });

  it('shows an administrator the tabs of administrators, a developer those of developers', async () => {
    const { views, presets } = await playgroundData();
    expect(views).toEqual({
      all: ['anyone', 'newcomer', 'developer', 'administrator'],
      admin: ['administrator'],
      developer: ['developer', 'newcomer'],
    });
    expect(new Set(presets.map(({ role }) => role))).toEqual(new Set(views.all));
  });

  it('sends subscriptions as server-sent events, from every tab', async () => {
    const { text } = await requestPages().get('/playground').expect(200);
    expect(text).toContain('"initialSubscriptionRequestHandlerId":"graphql-sse"');
  });

  it('links to the home page', async () => {
    const { text } = await requestPages().get('/playground');
    expect(text).toContain('<a class="frame-brand" href="/">');
  });

  it('is never cached, since it contains tokens', async () => {
    await requestPages().get('/playground').expect('Cache-Control', 'no-store');
  });

  it('does not exist in production unless it is enabled, and never contains a token there', async () => {
    await requestPages(production).get('/playground').expect(404);
    const data = await playgroundData({ ...production, PLAYGROUND: 'on' });
    expect(credentialIn(data, 'Approve app')).toBe('Bearer {{token}}');
    expect(credentialIn(data, 'Create app')).toBe('Bearer {{token}}');
    expect(data.altair.initialEnvironments.base.variables).toEqual({ token: 'signed-in-account' });
    expect(data.tokens).toEqual({});
  });
});
