import { beforeAll, describe, expect, it } from '@jest/globals';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { until } from '../support/mail-server.js';
import { startService } from '../support/service.js';
import { words } from '../support/words.js';

const attack = `"><script>alert('x')</script>&amp;`;
const apps = 130;

let slug: string;
const service = duringTests(() => startService({ WEB: 'on', PUBLIC_URL: 'https://tasks.example/shop/' }));
const developer = beforeTests(() =>
  service.aDeveloper({ companyName: 'Løve & Sons', bio: `We make ${attack}.` }),
);
beforeAll(async () => {
  ({ slug } = await service.anApp(developer, 'APPROVED', {
    name: `Notes ${attack}`,
    description: `Remembers ${attack} for you.`,
    longDescription: `# Story\n\n[bad](javascript:alert(1)) **bold** <img src=x onerror=alert(1)>`,
    websiteUrl: 'https://notes.example/start',
    logoUrl: 'https://pictures.example/logo.png',
  }));
  await service.aRating({ slug }, { rating: 4, title: 'Good', text: 'It works.' });
  await service.aRating({ slug }, { rating: 5 });
  await service.sql(
    `insert into apps (id, developer_id, slug, name, description, category, environment, screenshots, status, featured,
       review_count, average_rating, revision, submitted_at, approved_at, created_at, updated_at)
     select gen_random_uuid(), $1, 'filler-' || n, 'Filler ' || n, 'One of many.', 'UTILITIES', 'production', '[{"url": "https://pictures.example/1.png"}, {"url": "https://pictures.example/2.png"}]',
       'APPROVED', false, 0, 0, 1, now(), now(), now(), now() from generate_series(2, $2::integer) n`,
    [developer.id, apps],
  );
});

const open = async (path: string, headers: Record<string, string> = {}) => {
  const response = await service.client.request('GET', path, { headers });
  return { status: response.status, headers: response.headers, body: await response.text() };
};
const locations = (xml: string) => [...xml.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url!);
const pathOf = (url: string) => url.replace('https://tasks.example/shop', '').replaceAll('&amp;', '&');
const dataOf = (html: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? 'null');

describe('a page of the storefront without its script (D382)', () => {
  it('shows an app, and runs nothing that its developer has written', async () => {
    const { body } = await open(`/market/apps/${slug}`);
    for (const text of [
      '<h2>About</h2>',
      '<h3 dir="auto">Story</h3>',
      '<strong>bold</strong>',
      'It works.',
      'Good',
      '4.5',
      '2 ratings',
      '<rect width="50" height="8"/></svg> <span class="number">1</span>',
      'notes.example',
      'More by this developer',
      `/shop/market/developers/${developer.id}`,
      '/shop/market?category=',
    ])
      expect(body).toContain(text);
    expect(body).not.toMatch(/<script>|href="javascript:|<img src=x|<[^>]* (?:style|on\w+)=/);
  });

  it('shows a developer with the apps, page by page', async () => {
    const { body } = await open(`/market/developers/${developer.id}?page=2`);
    expect(body).toContain('<h1 dir="auto">Løve &amp; Sons</h1>');
    expect(body).toContain(`${apps} apps`);
    expect(body.match(/<h3>/g)).toHaveLength(24);
    expect(body).toContain(`/shop/market/developers/${developer.id}?page=3`);
  });

  it('leads from the start page to every app', async () => {
    const found = new Set<string>();
    let next: string | undefined = '/market';
    while (next) {
      const { body }: { body: string } = await open(next);
      for (const [, app] of body.matchAll(/href="\/shop\/market\/apps\/([\w-]+)"/g)) found.add(app!);
      next = /href="\/shop([^"]*)" class="button" rel="next"/.exec(body)?.[1]?.replaceAll('&amp;', '&');
    }
    expect(found.size).toBe(apps);
  });

  it('shows a category, with an address of its own for search engines', async () => {
    const { body } = await open('/market?category=UTILITIES&sort=name&page=2');
    expect(body).toContain('<title>Utilities · Page 2 · Marketplace</title>');
    expect(body).toContain(
      '<link rel="canonical" href="https://tasks.example/shop/market?category=UTILITIES&amp;page=2">',
    );
    expect(body.match(/<h3>/g)).toHaveLength(24);
  });

  it('leaves a search to the script', async () => {
    const { status, body } = await open('/market?search=notes');
    expect(status).toBe(200);
    expect(body).not.toContain('id="page"');
  });

  it('is compressed, revalidated, cached and invalidated like a public read of the API', async () => {
    const path = `/market/apps/${slug}?cached`;
    const { headers } = await open(path, { 'accept-encoding': 'br' });
    expect(headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
    expect(headers.get('content-encoding')).toBe('br');
    const etag = headers.get('etag') ?? '';
    expect((await open(path, { 'accept-encoding': 'br', 'if-none-match': etag })).status).toBe(304);
    const hits = async () =>
      Number(/marketplace_cache_hits_total (\d+)/.exec((await open('/metrics')).body)?.[1]);
    const before = await hits();
    await until(async () => {
      await open(path);
      return (await hits()) > before;
    }, 'the page was never served from the cache');
    const [app] = await service.sql<{ id: string }>('select id from apps where slug = $1', [slug]);
    const edit = { id: app!.id, description: 'Remembers everything.', reason: 'The developer asked.' };
    await service.administer('editApp', edit);
    expect((await open(path)).body).toContain('Remembers everything.');
  });
});

it('an app is described for machines as a SoftwareApplication (D383)', async () => {
  const data = dataOf((await open(`/market/apps/${slug}`)).body);
  expect(data).toMatchObject({
    '@context': 'https://schema.org',
    '@type': 'SoftwareApplication',
    name: `Notes ${attack}`,
    url: `https://tasks.example/shop/market/apps/${slug}`,
    applicationCategory: expect.stringMatching(/Application$/),
    operatingSystem: 'Web',
    image: 'https://pictures.example/logo.png',
    author: { '@type': 'Organization', name: 'Løve & Sons' },
    aggregateRating: { ratingValue: 4.5, ratingCount: 2, bestRating: 5, worstRating: 1 },
  });
  expect(new Date(data.datePublished).toISOString()).toBe(data.datePublished);
  // A rating of nobody is not valid.
  expect(dataOf((await open('/market/apps/filler-2')).body)).not.toHaveProperty('aggregateRating');
  expect(dataOf((await open('/market')).body)).toBeNull();
});

describe('the site map (D383)', () => {
  it('is named in robots.txt, which keeps search engines out of everything but the storefront', async () => {
    const { body, headers } = await open('/robots.txt');
    expect(headers.get('content-type')).toContain('text/plain');
    expect(body).toContain('Sitemap: https://tasks.example/shop/sitemap.xml');
    for (const path of ['/api/', '/console', '/desk']) expect(body).toContain(`Disallow: /shop${path}\n`);
    expect(body).not.toContain('/graphql');
  });

  it('has every public app, developer and category, in files that exist', async () => {
    const { body, headers } = await open('/sitemap.xml');
    expect(headers.get('content-type')).toContain('application/xml');
    const files = locations(body);
    expect(files.length).toBe(1 + Math.ceil(apps / 100));
    const urls = (
      await Promise.all(files.map(async (url) => locations((await open(pathOf(url))).body)))
    ).flat();
    const slugs = (await service.sql<{ slug: string }>('select slug from apps')).map((app) => app.slug);
    const expected = [
      '/market',
      ...['PRODUCTIVITY', 'UTILITIES'].map((category) => `/market?category=${category}`),
      `/market/developers/${developer.id}`,
      ...slugs.map((each) => `/market/apps/${each}`),
    ];
    expect([...new Set(urls.map(pathOf))].toSorted()).toEqual(expected.toSorted());
    for (const path of [...expected.slice(0, 5), `/market/apps/${slug}`])
      expect((await open(path)).status).toBe(200);
  });

  it.each(['apps-0', 'apps-3', 'apps-x', 'apps-9999999', 'nothing'])('has no file %s', async (name) => {
    expect((await open(`/sitemaps/${name}.xml`)).status).toBe(404);
  });
});

it('the feed has the newest apps first, and every page of the storefront names it (D383)', async () => {
  const { body, headers } = await open('/market/new.atom');
  expect(headers.get('content-type')).toContain('application/atom+xml');
  expect(body.match(/<entry>/g)).toHaveLength(50);
  const times = [...body.matchAll(/<published>(.*?)<\/published>/g)].map(([, time]) => time!);
  expect(times).toEqual(times.toSorted().toReversed());
  expect(body).toContain('<author><name>Løve &amp; Sons</name></author>');
  const link =
    '<link rel="alternate" type="application/atom+xml" title="New apps" href="https://tasks.example/shop/market/new.atom">';
  for (const path of ['/market', `/market/apps/${slug}`]) expect((await open(path)).body).toContain(link);
});

describe('an address that does not exist (D384)', () => {
  const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

  it.each(
    words(`
    /nothing /docs/nothing /dev/nothing /web/nothing.js /sitemaps/nothing.xml /%E0%A4%A
    /market/apps/%E0%A4%A /web/%E0%A4%A /console/%`),
  )('%s is a page for browsers', async (path) => {
    const { status, headers, body } = await open(path, browser);
    expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(body).toContain('<h1>Page not found</h1>');
    expect(body).toContain('There is no page at this address');
    expect(body).toContain('href="/shop/market"');
    expect(headers.get('content-security-policy')).toContain("script-src 'none'");
  });

  it.each(['/api', '/api/nothing', '/api/apps/nothing', '/graphql/nothing'])(
    '%s is JSON, because it belongs to the API',
    async (path) => {
      const { headers } = await open(path, browser);
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    },
  );

  it('is JSON for other programs', async () => {
    const { status, headers } = await open('/nothing', { accept: '*/*' });
    expect([status, headers.get('content-type')]).toEqual([404, 'application/json; charset=utf-8']);
  });

  it('shows the address as text', async () => {
    const { body } = await open('/%3Cscript%3Ealert(1)%3C%2Fscript%3E', browser);
    expect(body).not.toContain('<script>');
  });
});
