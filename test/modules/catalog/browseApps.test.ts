import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Developer } from '../../support/actors.js';
import { anId, aTime } from '../../support/answers.js';
import { doors, type Input } from '../../support/doors.js';
import { until } from '../../support/mail-server.js';
import { expectRefusal, expectSuccess } from '../../support/refusals.js';
import { type Service, startService } from '../../support/service.js';
import { aPublicApp, type PublicAppJson, publicFields } from './shelf.js';

interface Page {
  apps: PublicAppJson[];
  pagination: { page: number; limit: number; total: number; totalPages: number };
}

let service: Service;
let ada: Developer;
let twins: string[];

beforeAll(async () => {
  service = await startService();
  ada = await service.aDeveloper({ name: 'Ada', companyName: 'Engines', websiteUrl: 'https://ada.example' });
  await aPublicApp(
    service,
    ada,
    {
      name: 'Time Tracker',
      longDescription: '# Long',
      oauthClientId: 'a-client',
      logoUrl: 'https://pictures.example/logo.png',
    },
    { installs: 50, day: 5, rating: [4.5, 10], featured: true },
  );
  await aPublicApp(
    service,
    ada,
    { name: 'invoice maker', description: 'Writes bills.', category: 'FINANCE' },
    { installs: 70, day: 1, rating: [4.5, 30] },
  );
  await aPublicApp(
    service,
    ada,
    { name: 'Budget', description: 'Watches the money.', category: 'FINANCE', environment: 'staging' },
    { installs: 50, day: 9, rating: [5, 1], featured: true },
  );
  await aPublicApp(
    service,
    ada,
    { name: 'Zebra', description: 'Stripes.', environment: 'localhost' },
    { installs: 3, day: 3 },
  );
  // Equal in everything that any order looks at, but their ids.
  twins = [];
  for (const name of ['Twin', 'twin', 'TWIN'])
    twins.push(
      (
        await aPublicApp(
          service,
          ada,
          { name, description: 'One of three.', category: 'AI_ML' },
          { installs: 7, day: 7 },
        )
      ).slug,
    );

  for (const status of ['DRAFT', 'PENDING', 'REJECTED', 'SUSPENDED'] as const)
    await service.anApp(ada, status, { name: `Time Tracker ${status}` });
  const eve = await service.aDeveloper();
  await aPublicApp(service, eve, { name: "Eve's Time Tracker" }, { installs: 1000 });
  await service.doors.must('suspendDeveloper', { id: eve.id, reason: 'Fraud.' }, await service.admin());
});
afterAll(() => service.close());

const slugsOf = ({ apps }: Page) => apps.map(({ slug }) => slug);
const popular = () => ['invoice-maker', 'budget', 'time-tracker', ...twins, 'zebra'];

describe.each(doors)('browseApps over %s', (door) => {
  const browse = async (input: Input = {}) => {
    const outcome = await service.doors.call<Page>(door, 'browseApps', input);
    expectSuccess(outcome);
    return outcome.data;
  };
  const refused = (input: Input) => service.doors.call(door, 'browseApps', input);

  it('answers only approved apps of developers in good standing, most installed first (D27, D28, D29)', async () => {
    const page = await browse();
    expect(slugsOf(page)).toEqual(popular());
    expect(page.pagination).toEqual({ page: 1, limit: 20, total: 7, totalPages: 1 });
  });

  it('answers the public form of an app, exactly (D17)', async () => {
    const { apps } = await browse({ search: 'Time Tracker', limit: 1 });
    expect(apps).toEqual([
      {
        id: anId,
        slug: 'time-tracker',
        name: 'Time Tracker',
        description: 'Tracks the time you spend on each task.',
        longDescription: '# Long',
        category: 'PRODUCTIVITY',
        environment: 'production',
        logoUrl: 'https://pictures.example/logo.png',
        bannerUrl: null,
        websiteUrl: null,
        screenshots: [
          { url: 'https://pictures.example/one.png', caption: null, order: 0 },
          { url: 'https://pictures.example/two.png', caption: 'Two', order: 1 },
        ],
        status: 'APPROVED',
        featured: true,
        installCount: 50,
        reviewCount: 10,
        averageRating: 4.5,
        approvedAt: '2026-01-05T00:00:00.000Z',
        createdAt: aTime,
        updatedAt: aTime,
        developer: { name: 'Ada', companyName: 'Engines', websiteUrl: 'https://ada.example' },
      },
    ]);
    expect(Object.keys(apps[0]!).sort()).toEqual([...publicFields].sort());
  });

  it.each([
    [{ category: 'FINANCE' }, ['invoice-maker', 'budget']],
    [{ category: 'EDUCATION' }, []],
    [{ environment: 'staging' }, ['budget']],
    [{ environment: 'localhost' }, ['zebra']],
    [{ featured: true }, ['budget', 'time-tracker']],
    [{ featured: false, category: 'FINANCE' }, ['invoice-maker']],
    [{ category: 'FINANCE', environment: 'production', featured: false, search: 'bills' }, ['invoice-maker']],
    [{ category: 'FINANCE', environment: 'localhost' }, []],
  ])('filters by %j (D27)', async (filter, slugs) => {
    const page = await browse(filter);
    expect(slugsOf(page)).toEqual(slugs);
    expect(page.pagination.total).toBe(slugs.length);
  });

  it('orders by installs, then latest approval, then id (D28)', async () => {
    expect(slugsOf(await browse({ sort: 'popular' }))).toEqual(popular());
  });

  it('orders by latest approval, then id (D28)', async () => {
    expect(slugsOf(await browse({ sort: 'newest' }))).toEqual([
      'budget',
      ...twins,
      'time-tracker',
      'zebra',
      'invoice-maker',
    ]);
  });

  it('orders by mean rating, then number of ratings, then id (D28)', async () => {
    const [best, next, third, ...unrated] = slugsOf(await browse({ sort: 'rating' }));
    expect([best, next, third]).toEqual(['budget', 'invoice-maker', 'time-tracker']);
    // The zebra is older than the twins.
    expect(unrated).toEqual(['zebra', ...twins]);
  });

  it('orders by name whatever the case, then id (D28)', async () => {
    expect(slugsOf(await browse({ sort: 'name' }))).toEqual([
      'budget',
      'invoice-maker',
      'time-tracker',
      ...twins,
      'zebra',
    ]);
  });

  it('takes relevance without a search as popular (D27)', async () => {
    expect(slugsOf(await browse({ sort: 'relevance' }))).toEqual(popular());
    expect(slugsOf(await browse({ sort: 'relevance', search: '' }))).toEqual(popular());
  });

  it('keeps the order stable from page to page, ties included (D28)', async () => {
    const seen: string[] = [];
    for (let page = 1; page <= 7; page += 1) seen.push(...slugsOf(await browse({ page, limit: 1 })));
    expect(seen).toEqual(popular());
  });

  it('cuts pages: the last one is short (D27)', async () => {
    const page = await browse({ page: 3, limit: 3 });
    expect(slugsOf(page)).toEqual(popular().slice(6));
    expect(page.pagination).toEqual({ page: 3, limit: 3, total: 7, totalPages: 3 });
  });

  it('answers an empty list past the last page, and says how many there are (D27)', async () => {
    expect(await browse({ page: 4, limit: 3 })).toEqual({
      apps: [],
      pagination: { page: 4, limit: 3, total: 7, totalPages: 3 },
    });
    expect(await browse({ page: 1_000_000, limit: 100 })).toEqual({
      apps: [],
      pagination: { page: 1_000_000, limit: 100, total: 7, totalPages: 1 },
    });
  });

  it('has no pages when nothing matches (D27)', async () => {
    expect(await browse({ category: 'EDUCATION' })).toEqual({
      apps: [],
      pagination: { page: 1, limit: 20, total: 0, totalPages: 0 },
    });
  });

  it('takes a limit above 100 as 100, and says so (D27)', async () => {
    expect((await browse({ limit: 100 })).pagination.limit).toBe(100);
    for (const limit of [101, 2_000_000_000]) {
      expect((await browse({ limit })).pagination).toEqual({ page: 1, limit: 100, total: 7, totalPages: 1 });
    }
  });

  it.each([
    ['page', 0, 'too_small'],
    ['page', -1, 'too_small'],
    ['page', 1_000_001, 'too_big'],
    ['limit', 0, 'too_small'],
    ['limit', -5, 'too_small'],
    ['search', 'x'.repeat(101), 'too_long'],
    ['search', 'a\u0000b', 'invalid_characters'],
    ['search', 'a\nb', 'invalid_characters'],
  ])('refuses %s = %j (D27)', async (field, value, code) => {
    expectRefusal(await refused({ [field]: value }), 'VALIDATION_FAILED', [`${field}: ${code}`]);
  });

  it.each([
    ['category', 'finance'],
    ['category', 'GAMES'],
    ['environment', 'PRODUCTION'],
    ['environment', 'prod'],
    ['featured', 'yes'],
    ['sort', 'oldest'],
    ['page', 'two'],
    ['page', 1.5],
    ['limit', '1e2'],
  ])('refuses a value that %s does not have: %j (D27)', async (field, value) => {
    const outcome = await refused({ [field]: value });
    expect(outcome).toMatchObject({ code: 'VALIDATION_FAILED', status: 400 });
    expect(outcome.details.map((detail) => detail.field)).toEqual([field]);
  });

  it('refuses all bad values at once (D6)', async () => {
    expectRefusal(await refused({ page: 0, limit: 0, search: 'x'.repeat(101) }), 'VALIDATION_FAILED', [
      'limit: too_small',
      'page: too_small',
      'search: too_long',
    ]);
  });

  it('takes a search of 100 characters, counted in code points (D27)', async () => {
    expect(slugsOf(await browse({ search: '😀'.repeat(100) }))).toEqual([]);
  });

  it('takes a search of blanks as none (D27)', async () => {
    expect(slugsOf(await browse({ search: '   ' }))).toEqual(popular());
  });

  it.each([
    ['a word of the name', 'tracker', 'time-tracker'],
    ['a word of the name in another case', 'INVOICE', 'invoice-maker'],
    ['a word of the description', 'stripes', 'zebra'],
    ['another form of a word', 'watching', 'budget'],
    ['words of name and description together', 'budget money', 'budget'],
    ['a name with two letters swapped', 'time trakcer', 'time-tracker'],
    ['a name with a letter too few', 'invoce maker', 'invoice-maker'],
    ['a name with a letter too many', 'buddget', 'budget'],
    ['the beginning of a name', 'inv', 'invoice-maker'],
  ])('finds by %s (D28)', async (_, search, slug) => {
    expect(slugsOf(await browse({ search }))).toContain(slug);
  });

  it.each(['drafts', "it's", '"', "'); drop table apps; --", '%', '_', '\\', '!&|', 'the', '🦓'])(
    'takes %s as plain words, and finds nothing',
    async (search) => {
      expect(slugsOf(await browse({ search }))).toEqual([]);
    },
  );

  it('never finds what is not public (D29)', async () => {
    const found = slugsOf(await browse({ search: 'Time Tracker' }));
    expect(found).toContain('time-tracker');
    expect(found.filter((slug) => /draft|pending|rejected|suspended|eve/.test(slug))).toEqual([]);
  });

  it('orders what was found as it is told (D27)', async () => {
    expect(slugsOf(await browse({ search: 'twin', sort: 'newest' }))).toEqual(twins);
  });

  it('does not look at a credential (D7)', async () => {
    expectSuccess(await service.doors.call(door, 'browseApps', {}, 'mkt_nonsense'));
  });
});

describe.each(doors)('the relevance of browseApps over %s', (door) => {
  let shop: Service;
  beforeAll(async () => {
    shop = await startService();
    const maker = await shop.aDeveloper();
    const shelf: [name: string, description: string, installs: number][] = [
      ['Team Notes', 'A place for your calendar.', 900],
      ['Calendars Galore', 'Many of them.', 500],
      ['Calendar', 'The plain one.', 1],
      ['My Calendar', 'Calendar after calendar.', 800],
      ['Calendar Plus', 'The other one.', 100],
    ];
    for (const [name, description, installs] of shelf)
      await aPublicApp(shop, maker, { name, description }, { installs });
  });
  afterAll(() => shop.close());

  it('puts the exact name first, then the names that begin so, then the rest (D28)', async () => {
    const { data } = await shop.doors.call<Page>(door, 'browseApps', { search: 'calendar' });
    const slugs = slugsOf(data);
    expect(slugs[0]).toBe('calendar');
    expect(slugs.slice(1, 3).sort()).toEqual(['calendar-plus', 'calendars-galore']);
    expect(slugs.slice(3)).toEqual(['my-calendar', 'team-notes']);
  });
});

describe('browseApps over rest alone', () => {
  const get = (query: string, headers: Record<string, string> = {}) =>
    service.doors.request('GET', `/api/apps${query}`, { headers });
  const bodyOf = async (response: Response) =>
    (await response.json()) as Page & { error: { code: string; details: { field: string }[] } };

  it('answers one object with the apps and the pagination (D1)', async () => {
    const response = await get('?limit=2');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const body = await bodyOf(response);
    expect(Object.keys(body)).toEqual(['apps', 'pagination']);
    expect(body.apps).toHaveLength(2);
    expect(JSON.stringify(body)).not.toMatch(
      /email|accountUserId|oauthClientId|revision|rejection|submittedAt/,
    );
  });

  it('takes an empty parameter as none (D27)', async () => {
    const body = await bodyOf(await get('?category=&environment=&featured=&search=&page=&limit=&sort='));
    expect(slugsOf(body)).toEqual(popular());
    expect(body.pagination).toEqual({ page: 1, limit: 20, total: 7, totalPages: 1 });
  });

  it('ignores parameters that nobody knows, repeated ones too (D27)', async () => {
    const response = await get('?utm_source=mail&x=1&x=2&category[]=FINANCE&Page=9&slug=x&id=1');
    expect(slugsOf(await bodyOf(response))).toEqual(popular());
  });

  it.each(['category', 'environment', 'featured', 'search', 'page', 'limit', 'sort'])(
    'refuses %s given twice (D27)',
    async (field) => {
      const value =
        { category: 'FINANCE', environment: 'staging', featured: 'true', sort: 'name' }[field] ?? '1';
      for (const query of [`?${field}=${value}&${field}=${value}`, `?${field}=&${field}=${value}`]) {
        const response = await get(query);
        expect(response.status).toBe(400);
        const { error } = await bodyOf(response);
        expect(error.code).toBe('VALIDATION_FAILED');
        expect(error.details.map((detail) => detail.field)).toEqual([field]);
      }
    },
  );

  it.each([
    'page=%201',
    'page=1x',
    'page=0x1',
    'page=1.0',
    'page=',
    'limit=Infinity',
    'limit=null',
    'featured=1',
  ])('reads %s as it is written (D27)', async (query) => {
    expect((await get(`?${query}`)).status).toBe(query === 'page=' ? 200 : 400);
  });

  it.each(['featured=TRUE', 'featured=0', 'featured=true,false'])('refuses %s (D27)', async (query) => {
    expect((await get(`?${query}`)).status).toBe(400);
  });

  it.each(['101', '1000000', '99999999999999999999'])('takes limit=%s as 100 (D27)', async (limit) => {
    const response = await get(`?limit=${limit}`);
    expect(response.status).toBe(200);
    expect((await bodyOf(response)).pagination.limit).toBe(100);
  });

  it('refuses a page beyond all numbers (D27)', async () => {
    expect((await get('?page=99999999999999999999')).status).toBe(400);
  });

  it('links to the pages around this one, the filters kept (D27)', async () => {
    const links = await linksOf('?category=AI_ML&sort=name&page=2&limit=1');
    expect(links).toEqual({
      first: '/api/apps?category=AI_ML&sort=name&page=1&limit=1',
      prev: '/api/apps?category=AI_ML&sort=name&page=1&limit=1',
      next: '/api/apps?category=AI_ML&sort=name&page=3&limit=1',
      last: '/api/apps?category=AI_ML&sort=name&page=3&limit=1',
    });
  });

  it('links to no page before the first nor after the last (D27)', async () => {
    expect(Object.keys(await linksOf('?limit=3'))).toEqual(['first', 'next', 'last']);
    expect(Object.keys(await linksOf('?limit=3&page=3'))).toEqual(['first', 'prev', 'last']);
    expect(Object.keys(await linksOf(''))).toEqual(['first', 'last']);
  });

  it('links back from past the end to the last page (D27)', async () => {
    const links = await linksOf('?limit=3&page=50');
    expect(Object.keys(links)).toEqual(['first', 'prev', 'last']);
    expect(links.prev).toBe('/api/apps?limit=3&page=3');
  });

  it('says the limit that it took in the links (D27)', async () => {
    expect((await linksOf('?limit=500')).first).toBe('/api/apps?limit=100&page=1');
  });

  it('encodes the search in the links (D27)', async () => {
    const { first } = await linksOf(`?search=${encodeURIComponent('time> & tracker,')}`);
    expect(first).toMatch(/^\/api\/apps\?search=time%3E/);
    expect(new URL(first!, service.url).searchParams.get('search')).toBe('time> & tracker,');
  });

  it('links to pages that can be followed to the end (D27)', async () => {
    const seen: string[] = [];
    for (let next: string | undefined = '/api/apps?limit=2'; next; ) {
      const response = await service.doors.request('GET', next);
      seen.push(...slugsOf(await bodyOf(response)));
      next = parseLinks(response).next;
    }
    expect(seen).toEqual(popular());
  });

  it('has no Link when nothing matches (D27)', async () => {
    expect((await get('?category=EDUCATION')).headers.get('link')).toBeNull();
    expect((await get('?category=EDUCATION&page=3')).headers.get('link')).toBeNull();
  });

  it('can be revalidated: a strong ETag, and 304 while nothing changed (D32)', async () => {
    const first = await get('?category=FINANCE');
    const etag = first.headers.get('etag')!;
    expect(etag).toMatch(/^"[^"]+"$/);
    expect(first.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
    const again = await get('?category=FINANCE', { 'if-none-match': `"other", ${etag}` });
    expect(again.status).toBe(304);
    expect(await again.text()).toBe('');
    expect(again.headers.get('etag')).toBe(etag);
    expect(again.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
    expect(again.headers.get('x-request-id')).toBeTruthy();
    expect((await get('?category=AI_ML', { 'if-none-match': etag })).status).toBe(200);
  });

  it('answers HEAD with the same headers and no body', async () => {
    const get = await service.doors.request('GET', '/api/apps?limit=2');
    const head = await service.doors.request('HEAD', '/api/apps?limit=2');
    expect(head.status).toBe(200);
    expect(await head.text()).toBe('');
    for (const header of ['etag', 'link', 'cache-control', 'content-type', 'content-length'])
      expect([header, head.headers.get(header)]).toEqual([header, get.headers.get(header)]);
  });

  it('does not let a refusal be cached (D32)', async () => {
    const response = await get('?page=0');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('etag')).toBeNull();
  });

  async function linksOf(query: string): Promise<Record<string, string>> {
    return parseLinks(await get(query));
  }

  /** The links by relation, each of them on this service. */
  function parseLinks(response: Response): Record<string, string> {
    const found = [...(response.headers.get('link') ?? '').matchAll(/<([^>]+)>; rel="(\w+)"(?:, |$)/g)];
    return Object.fromEntries(
      found.map(([, url = '', rel = '']) => {
        expect(url.startsWith(`${service.url}/`)).toBe(true);
        return [rel, url.slice(service.url.length)];
      }),
    );
  }
});

describe('browseApps below a path of the public address', () => {
  it('links there (D27) (D44)', async () => {
    const below = await startService({ PUBLIC_URL: 'https://tasks.example/market' });
    try {
      await aPublicApp(below, await below.aDeveloper(), {});
      const response = await below.doors.request('GET', '/api/apps');
      expect(response.headers.get('link')).toContain(
        '<https://tasks.example/market/api/apps?page=1&limit=20>',
      );
    } finally {
      await below.close();
    }
  });
});

describe('deep pages of browseApps', () => {
  const orders = {
    popular: 'install_count desc, approved_at desc, id',
    newest: 'approved_at desc, id',
    rating: 'average_rating desc, review_count desc, id',
    name: 'lower(name), id',
  };
  const filters = {
    '': 'true',
    '&category=OTHER': "category = 'OTHER'",
    '&environment=staging&featured=false': "environment = 'staging' and not featured",
  };
  const lists = Object.entries(orders).flatMap(([sort, order]) =>
    Object.entries(filters).map(([query, where]) => ({ sort, order, query, where })),
  );
  type Asked = (typeof lists)[number];

  /** More than a thousand are equal in whatever an order looks at first, and many in all but the id. */
  beforeAll(async () => {
    await service.sql('alter table apps disable trigger user');
    await service.sql(
      `insert into apps (id, developer_id, slug, name, sort_name, listed, description, category, environment,
        screenshots, status, featured, review_count, average_rating, revision, submitted_at, approved_at, created_at,
        updated_at)
      select gen_random_uuid(), $1, 'many-' || n, 'Many ' || n % 2, 'many ' || n % 2, true, 'One of many.',
        case when n % 5 = 0 then 'FINANCE' else 'OTHER' end, case when n % 7 < 5 then 'staging' else 'production' end,
        (select screenshots from apps where slug = 'zebra'), 'APPROVED', n % 11 = 0, n % 2, n % 3 + 0.1, 1, now(),
        timestamptz '2026-01-01Z' + n % 4 * interval '1 millisecond', now(), now()
      from generate_series(1, 3000) n`,
      [ada.id],
    );
    await service.sql('alter table apps enable trigger user');
    await service.sql('select rebuild_catalog()');
    await service.sql(
      `update app_figures f set install_count = 1000 + substring(slug from '\\d+')::integer % 2
      from apps a where a.id = f.id and a.slug like 'many-%'`,
    );
    await service.sql('vacuum analyze apps, app_figures');
    await until(
      () => service.cache.catalog.isKnown(),
      10_000,
      () => 'changes are not heard',
    );
  });

  const page = async ({ sort, query }: Pick<Asked, 'sort' | 'query'>, limit: number, number: number) => {
    const response = await service.doors.request(
      'GET',
      `/api/apps?sort=${sort}&limit=${limit}&page=${number}${query}`,
    );
    return (await response.json()) as Page;
  };
  /** Asks for other pages each time, since an answer from memory needs no signpost. */
  async function signposted(list: Asked): Promise<void> {
    let number = 1_001;
    await until(
      async () => {
        const { used } = service.cache.pageIndex.figures;
        number += 1;
        await page(list, 1, number);
        return service.cache.pageIndex.figures.used > used;
      },
      10_000,
      () => 'no signpost was used',
    );
  }
  const inOrder = async ({ where, order }: Asked) =>
    (
      await service.sql<{ slug: string }>(
        `select slug from apps join (select id, install_count from app_figures) f using (id)
        where listed and ${where} order by ${order}`,
      )
    ).map(({ slug }) => slug);

  it.each(lists)('are exact, by $sort where $where (D27, D98)', async (list) => {
    const all = await inOrder(list);
    expect(all.length).toBeGreaterThan(1_900);
    await signposted(list);
    const { used } = service.cache.pageIndex.figures;
    const deep = [
      [100, 11],
      [20, 51],
      [7, 144],
      [100, 19],
      [1, 1_000 + 1],
      [1, all.length],
      [50, Math.ceil(all.length / 50)],
    ] as const;
    for (const [limit, number] of deep) {
      const { apps, pagination } = await page(list, limit, number);
      expect(apps.map(({ slug }) => slug)).toEqual(all.slice((number - 1) * limit, number * limit));
      expect(pagination.total).toBe(all.length);
    }
    expect(service.cache.pageIndex.figures.used).toBe(used + deep.length);
    expect((await page(list, 100, 1_000)).pagination.total).toBe(all.length);
  });

  it.each(['an install', 'a takedown'])('show %s to the next who asks (D29, D98)', async (change) => {
    const list = lists[0]!;
    const admin = await service.admin();
    const [first] = (await page(list, 1, 1)).apps;
    await signposted(list);
    // It passes more than a thousand others, or leaves them.
    if (change === 'an install')
      await service.doors.must('recordInstall', { slug: 'many-2', installationId: 'a-device' });
    else await service.doors.must('suspendApp', { id: first?.id, reason: 'Fraud.' }, admin);
    const { apps } = await page(list, 100, 12);
    expect(apps.map(({ slug }) => slug)).toEqual((await inOrder(list)).slice(1_100, 1_200));
  });
});
