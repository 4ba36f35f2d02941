import { readdirSync } from 'node:fs';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { startTestProvider } from '../support/oidc-provider.js';
import { type Service, sharedService, startService } from '../support/service.js';
import { startServiceOnLine } from '../support/service-on-line.js';

const areas = ['market', 'console', 'desk'] as const;
/** Every character that HTML gives a meaning, and the end of the element that holds the settings. */
const attack = `"><script>alert('x')</script>&amp;`;

let developerId: string;
let slug: string;
const service = duringTests(() =>
  startServiceOnLine({ WEB: 'on', PUBLIC_URL: 'https://tasks.example/shop/' }),
);
const line = beforeTests(() => service.line);
beforeAll(async () => {
  const developer = await service.aDeveloper({ companyName: 'Løve & Sons', bio: '' });
  developerId = developer.id;
  ({ slug } = await service.anApp(developer, 'APPROVED', {
    name: `Notes ${attack}`,
    description: `Remembers ${attack} for you.`,
    bannerUrl: 'https://pictures.example/banner.png?a=1&b=2',
  }));
  await service.anApp(developer, 'APPROVED', { name: 'Smiles', description: `x${'🙂'.repeat(248)}` });
  await service.anApp(developer, 'APPROVED', { name: 'Long', description: 'word '.repeat(99) });
});

async function open(path: string, { from = service as Service, method = 'GET' } = {}) {
  const response = await from.client.request(method, path);
  const html = await response.text();
  const content = (pattern: RegExp) => pattern.exec(html)?.[1] ?? null;
  return {
    status: response.status,
    headers: response.headers,
    html,
    title: content(/<title>(.*?)<\/title>/s),
    description: content(/<meta name="description" content="(.*?)">/s),
    image: content(/<meta property="og:image" content="(.*?)">/s),
    canonical: content(/<link rel="canonical" href="(.*?)">/),
    isIndexed: !html.includes('<meta name="robots" content="noindex">'),
    settings: JSON.parse(
      content(/<script type="application\/json" id="settings">(.*?)<\/script>/s) ?? 'null',
    ),
  };
}

describe.each(areas)('the page /%s', (area) => {
  it('runs scripts of this service only, and no inline ones (D210)', async () => {
    const { status, headers, html } = await open(`/${area}`);
    const policy = Object.fromEntries(
      (headers.get('content-security-policy') ?? '').split(';').map((directive) => {
        const [name = '', ...sources] = directive.split(' ');
        return [name, sources.join(' ')];
      }),
    );
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(policy).toMatchObject({
      'default-src': "'none'",
      'script-src': "'self'",
      'style-src': "'self'",
      'connect-src': "'self'",
      'frame-ancestors': "'none'",
      // The storefront has a search for browsers without scripts.
      'form-action': area === 'market' ? "'self'" : "'none'",
      'base-uri': "'none'",
      'require-trusted-types-for': "'script'",
      'trusted-types': "'none'",
    });
    expect(policy['img-src']).toBe("'self' data: https: http://127.0.0.1:* http://localhost:*");
    expect(JSON.stringify(policy)).not.toContain('unsafe');
    expect(html.match(/<script(?! type="module" src=| type="application\/json")/g)).toBeNull();
    expect(html).not.toMatch(/ style=| on\w+=/);
  });

  it('gets its settings as data, below the path of PUBLIC_URL (D210)', async () => {
    const { settings, html } = await open(
      `/${area}/any/path?any=query`.replace('/market/any/path', '/market'),
    );
    expect(settings).toMatchObject({ base: '/shop', area, signIn: null });
    expect(
      settings.demoAccounts.map(({ accountUserId }: { accountUserId: string }) => accountUserId),
    ).toContain('demo-admin');
    const files = [...html.split('<body>')[0]!.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(
      ([, file]) => file!,
    );
    expect(files.length).toBeGreaterThan(1);
    for (const file of files) {
      expect(file).toMatch(/^\/shop\/web\/[\w-]+-[A-Z0-9]{8}\.(js|css)$/);
      const { status, headers } = await open(file.replace('/shop', ''));
      expect([status, headers.get('cache-control')]).toEqual([200, 'public, max-age=31536000, immutable']);
    }
  });

  it('is answered without a body to HEAD (D210)', async () => {
    const { status, html, headers } = await open(`/${area}`, { method: 'HEAD' });
    expect([status, html, headers.get('content-type')]).toEqual([200, '', 'text/html; charset=utf-8']);
  });
});

describe('the pages of the storefront', () => {
  it('have the name, the description and the picture of an app, escaped (D210)', async () => {
    const page = await open(`/market/apps/${slug}?from=mail`);
    const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;amp;';
    expect(page).toMatchObject({
      status: 200,
      title: `Notes ${escaped} · Marketplace`,
      description: `Remembers ${escaped} for you.`,
      image: 'https://pictures.example/banner.png?a=1&amp;b=2',
      canonical: `https://tasks.example/shop/market/apps/${slug}`,
      isIndexed: true,
    });
    expect(page.html).not.toContain('<script>');
  });

  it('describe a developer by the public profile (D210)', async () => {
    expect(await open(`/market/developers/${developerId.toUpperCase()}/`)).toMatchObject({
      status: 200,
      title: 'Løve &amp; Sons · Marketplace',
      description: 'Apps by Løve &amp; Sons.',
      canonical: `https://tasks.example/shop/market/developers/${developerId}`,
    });
  });

  it('shorten a long description, without cutting a character in half (D210)', async () => {
    const { description } = await open('/market/apps/long');
    expect(description).toMatch(/^(word ){59}word…$/);
    expect((await open('/market/apps/smiles')).description).toBe(`x${'🙂'.repeat(248)}`);
  });

  it.each([
    '/market/apps/no-such-app',
    '/market/apps/%00',
    `/market/developers/${crypto.randomUUID()}`,
    '/market/developers/me',
    '/market/no-such-page',
  ])('%s is a page with status 404 that search engines do not list (D210)', async (path) => {
    const page = await open(path);
    expect(page).toMatchObject({ status: 404, title: 'Page not found · Marketplace', canonical: null });
    expect(page).toMatchObject({ isIndexed: false, settings: { area: 'market' } });
  });

  it('leave the query string out of the canonical address (D210)', async () => {
    const { canonical } = await open('/market/?search=notes&page=2');
    expect(canonical).toBe('https://tasks.example/shop/market');
  });

  it('are served while the database cannot be reached (D210)', async () => {
    await line.cut();
    try {
      const page = await open('/market/apps/an-app-nobody-has-asked-for');
      expect(page).toMatchObject({ status: 200, title: 'App marketplace', isIndexed: true });
      expect(page.settings).toMatchObject({ area: 'market' });
    } finally {
      await line.mend();
    }
  });
});

describe('search engines', () => {
  it.each(['/console', '/console/apps', '/desk', '/desk/developers'])(
    'do not list %s (D210)',
    async (path) => {
      expect(await open(path)).toMatchObject({ status: 200, isIndexed: false, canonical: null });
    },
  );
});

describe('the files of the pages', () => {
  it('are those of the build, and no others (D210)', async () => {
    for (const path of [
      '/web/../../package.json',
      '/web/%2e%2e/src/main.js',
      '/web/no-such-file.js',
      '/web/%E0%A4%A',
    ])
      expect((await open(path)).status).toBe(404);
    expect(readdirSync('dist/web').filter((file) => !/-[A-Z0-9]{8}\.(js|css|png)$/.test(file))).toEqual([
      'manifest.json',
      'pictures.json',
    ]);
  });
});

describe('without WEB', () => {
  it.each(['/market', '/market/apps/notes', '/console', '/desk', '/web/manifest.json'])(
    '%s is not served (D210)',
    async (path) => {
      expect((await open(path, { from: await sharedService() })).status).toBe(404);
    },
  );
});

describe('in production with a client of the identity provider', () => {
  const provider = duringTests(startTestProvider);
  const production = duringTests(() =>
    startService({
      NODE_ENV: 'production',
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: 'pages',
      WEB: 'on',
      PUBLIC_URL: 'https://tasks.example/shop',
    }),
  );
  beforeEach(() => provider.setLine('open'));

  it('the pages are served while the provider cannot be reached, without a sign-in (D211)', async () => {
    provider.setLine('cut');
    const { status, settings } = await open('/market', { from: production });
    expect([status, settings.signIn.endpoints]).toEqual([200, null]);
  });

  it.each(areas)('/%s is a redirect URI of its own, and has no demo accounts (D211)', async (area) => {
    const { settings, headers } = await open(`/${area}`, { from: production });
    const { issuer } = provider;
    expect(settings).toEqual({
      base: '/shop',
      area,
      demoAccounts: null,
      signIn: {
        issuer,
        clientId: 'pages',
        scopes: 'openid profile',
        audience: 'marketplace-gateway',
        redirectUri: `https://tasks.example/shop/${area}`,
        endpoints: { authorization: `${issuer}/auth`, token: `${issuer}/token` },
      },
    });
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy.split(';')).toContain(`connect-src 'self' ${issuer}/token`);
    expect(policy.split(';')).toContain("img-src 'self' data: https:");
  });

  it('the page with the parts of the design does not exist', async () => {
    expect((await open('/web/parts', { from: production })).status).toBe(404);
    expect(await open('/web/parts')).toMatchObject({ status: 200, isIndexed: false });
  });
});
