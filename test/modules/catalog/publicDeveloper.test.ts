import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AppJson } from '../../support/actors.js';
import type { Input } from '../../support/api-client.js';
import { beforeTests } from '../../support/before-tests.js';
import { aTime, unknownId } from '../../support/matchers.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService } from '../../support/service.js';

let apps: AppJson[];
const service = beforeTests(sharedService);
const ada = beforeTests(() =>
  service.aDeveloper({
    name: 'Ada',
    companyName: 'Engines',
    websiteUrl: 'https://engines.example',
    bio: 'Writes\nprograms.',
  }),
);
beforeAll(async () => {
  apps = [];
  for (const category of ['AI_ML', 'AI_ML', 'FINANCE'])
    apps.push(await service.anApp(ada, 'APPROVED', { category }));
  for (const status of ['DRAFT', 'PENDING', 'SUSPENDED'] as const) await service.anApp(ada, status);
  // The second is installed most, the first least.
  for (const { slug } of [apps[1]!, apps[1]!, apps[2]!]) await service.client.must('recordInstall', { slug });
});

const byInstalls = () => [apps[1]!, apps[2]!, apps[0]!].map(({ slug }) => slug);
const query = <T>(text: string, variables: Input = {}, bearer: string | null = null) =>
  service.client.queryData<T>(text, variables, bearer);

interface Page {
  edges: { node: { slug: string }; cursor: string }[];
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean; endCursor: string | null };
  totalCount: number;
  facets: { categories: { category: string; count: number }[] };
}
const page = `edges { node { slug } cursor } pageInfo { hasNextPage hasPreviousPage endCursor } totalCount
  facets { categories { category count } }`;
const slugs = ({ edges }: Page) => edges.map(({ node }) => node.slug);

describe('publicDeveloper', () => {
  it('returns the public profile with figures about the public apps (D148)', async () => {
    await service.aRating(apps[0]!, { rating: 5 });
    await service.aRating(apps[0]!, { rating: 5 });
    await service.aRating(apps[1]!, { rating: 1 });
    const profile = await query(
      `query ($id: ID!) { publicDeveloper(id: $id) {
        id name companyName websiteUrl bio appCount installCount reviewCount averageRating memberSince } }`,
      { id: ada.id },
    );
    expect(profile).toEqual({
      publicDeveloper: {
        id: ada.id,
        name: 'Ada',
        companyName: 'Engines',
        websiteUrl: 'https://engines.example',
        bio: 'Writes\nprograms.',
        appCount: 3,
        installCount: 3,
        reviewCount: 3,
        averageRating: 3.67,
        memberSince: aTime,
      },
    });
  });

  it('has no field for what is private (D148)', async () => {
    const type = await query<{ __type: { fields: { name: string }[] } }>(
      '{ __type(name: "PublicDeveloper") { fields { name } } }',
    );
    expect(type.__type.fields.map(({ name }) => name).toSorted()).toEqual(
      [
        ...['appCount', 'apps', 'averageRating', 'bio', 'companyName', 'id', 'memberSince', 'name', 'nodeId'],
        ...['installCount', 'reviewCount', 'verified'],
        'websiteUrl',
      ].toSorted(),
    );
  });

  it('lists the public apps, most installed first, page by page (D148)', async () => {
    const read = async (input: Input) =>
      (
        await query<{ publicDeveloper: { apps: Page } }>(
          `query ($id: ID!, $first: Int, $after: String) {
            publicDeveloper(id: $id) { apps(first: $first, after: $after) { ${page} } } }`,
          { id: ada.id, ...input },
        )
      ).publicDeveloper.apps;
    const whole = await read({});
    expect(slugs(whole)).toEqual(byInstalls());
    expect(whole).toMatchObject({ totalCount: 3, pageInfo: { hasNextPage: false, hasPreviousPage: false } });
    expect(whole.facets.categories.filter(({ count }) => count > 0)).toEqual([
      { category: 'AI_ML', count: 2 },
      { category: 'FINANCE', count: 1 },
    ]);
    const first = await read({ first: 2 });
    expect(slugs(first)).toEqual(byInstalls().slice(0, 2));
    const { endCursor: after } = first.pageInfo;
    expect(first.pageInfo.hasNextPage).toBe(true);
    const second = await read({ first: 2, after });
    expect(slugs(second)).toEqual(byInstalls().slice(2));
    expect(second.pageInfo).toMatchObject({ hasNextPage: false, hasPreviousPage: true });
    // It is the same list as `apps` with the filter, so the cursors fit both.
    const { apps: same } = await query<{ apps: Page }>(
      `query ($id: ID!, $after: String) { apps(filter: { developer: $id }, after: $after) { ${page} } }`,
      { id: ada.id, after },
    );
    expect(slugs(same)).toEqual(slugs(second));
    expect(same).toMatchObject({ totalCount: 3, facets: whole.facets });
  });

  it("refuses the cursor of another developer's list (D66, D148)", async () => {
    const bob = await service.aDeveloper();
    const { slug } = await service.anApp(bob, 'APPROVED');
    const document = `query ($id: ID!, $after: String) { publicDeveloper(id: $id) { apps(first: 1, after: $after) { ${page} } } }`;
    const { publicDeveloper } = await query<{ publicDeveloper: { apps: Page } }>(document, { id: bob.id });
    expect(slugs(publicDeveloper.apps)).toEqual([slug]);
    const after = publicDeveloper.apps.edges[0]!.cursor;
    const { errors } = await service.client.graphql(document, { id: ada.id, after });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  it.each(['DRAFT', 'PENDING', 'REJECTED', 'SUSPENDED'] as const)(
    'is NOT_FOUND for a developer whose only app is %s, as for nobody (D148)',
    async (status) => {
      const eve = await service.aDeveloper();
      await service.anApp(eve, status);
      const read = (id: string) => service.client.call('graphql', 'publicDeveloper', { id }, eve.token);
      const hidden = await read(eve.id);
      expectError(hidden, 'NOT_FOUND');
      for (const id of [unknownId, 'not-an-id']) {
        const missing = await read(id);
        expectError(missing, 'NOT_FOUND');
        expect(hidden.message).toBe(missing.message);
      }
    },
  );

  it('is NOT_FOUND while the developer is suspended (D148)', async () => {
    const eve = await service.aDeveloper();
    await service.anApp(eve, 'APPROVED');
    const read = () => service.client.call('graphql', 'publicDeveloper', { id: eve.id });
    expectSuccess(await read());
    await service.administer('suspendDeveloper', { id: eve.id, reason: 'Fraud.' });
    expectError(await read(), 'NOT_FOUND');
    await service.administer('reinstateDeveloper', { id: eve.id });
    expectSuccess(await read());
  });
});

describe('the developer of a public app', () => {
  it('has an id in GraphQL, and in REST the same fields as before (D17, D148)', async () => {
    const { slug } = apps[0]!;
    expect(
      await query('query ($slug: String!) { app(slug: $slug) { developer { id name } } }', { slug }),
    ).toEqual({
      app: { developer: { id: ada.id, name: 'Ada' } },
    });
    for (const path of [`/api/apps/${slug}`, '/api/apps?limit=100', '/api/apps/featured/list']) {
      const text = await (await service.client.request('GET', path)).text();
      expect(text).not.toContain(ada.id);
      expect(text).not.toContain('programs.');
    }
  });

  it('is shown whole with each app of a page (D148)', async () => {
    const document = `{ apps(first: 100) { edges { node { slug developer {
      id bio appCount averageRating memberSince apps(first: 2) { edges { node { slug } } totalCount } } } } } }`;
    const { apps: list } = await query<{
      apps: { edges: { node: { slug: string; developer: { id: string; appCount: number; apps: Page } } }[] };
    }>(document);
    const mine = list.edges.map(({ node }) => node.developer).filter(({ id }) => id === ada.id);
    expect(mine).toHaveLength(3);
    for (const { appCount, apps: own } of mine) {
      expect({ appCount, totalCount: own.totalCount }).toEqual({ appCount: 3, totalCount: 3 });
      expect(slugs(own)).toEqual(byInstalls().slice(0, 2));
    }
  });
});

describe('the filter developer', () => {
  const browse = async (input: Input) => {
    const { apps: found, pagination } = await service.client.must<{
      apps: AppJson[];
      pagination: { total: number };
    }>('browseApps', input);
    expect(pagination.total).toBe(found.length);
    return found.map(({ slug }) => slug);
  };

  it.each(['popular', 'newest', 'rating', 'name', 'relevance'])(
    'restricts a list sorted by %s, together with other filters (D148)',
    async (sort) => {
      const developer = ada.id;
      expect((await browse({ developer, sort })).toSorted()).toEqual(byInstalls().toSorted());
      expect(await browse({ developer, sort, category: 'FINANCE' })).toEqual([apps[2]!.slug]);
      expect(await browse({ developer, sort, environment: 'staging' })).toEqual([]);
      expect(await browse({ developer, sort, featured: true })).toEqual([]);
    },
  );

  it('restricts a search (D148)', async () => {
    const bob = await service.aDeveloper();
    const { slug } = await service.anApp(bob, 'APPROVED', { name: 'Zeppelin Radar' });
    const other = await service.anApp(ada, 'APPROVED', { name: 'Zeppelin Charts' });
    for (const search of ['Zeppelin', 'zeppelin radar charts', 'tracks time', 'Zepelin']) {
      expect(await browse({ developer: bob.id, search })).toEqual(
        search === 'zeppelin radar charts' ? [] : [slug],
      );
      const { apps: found } = await query<{ apps: Page }>(
        `query ($filter: AppFilter) { apps(filter: $filter) { ${page} } }`,
        { filter: { developer: bob.id, search } },
      );
      expect(found.totalCount).toBe(found.edges.length);
    }
    await service.administer('suspendApp', { id: other.id, reason: 'Done.' });
  });

  it('finds nothing for an unknown developer, and pages by cursor (D66, D148)', async () => {
    for (const developer of [unknownId, 'not-an-id']) expect(await browse({ developer })).toEqual([]);
    expect(await browse({ developer: ada.id, page: 1_000 }).catch(() => [])).toEqual([]);
    const next = async (after: string | null): Promise<Page> =>
      (
        await query<{ apps: Page }>(
          `query ($filter: AppFilter, $after: String) {
            apps(filter: $filter, sort: newest, first: 1, after: $after) { ${page} } }`,
          { filter: { developer: ada.id }, after },
        )
      ).apps;
    const seen: string[] = [];
    for (let current = await next(null); ; current = await next(current.pageInfo.endCursor)) {
      seen.push(...slugs(current));
      if (!current.pageInfo.hasNextPage) break;
    }
    expect(seen).toEqual(apps.map(({ slug }) => slug).toReversed());
  });

  it('is no parameter of the REST route (D27, D148)', async () => {
    const read = async (search: string) => (await service.client.request('GET', `/api/apps${search}`)).json();
    expect(await read(`?developer=${unknownId}&limit=3`)).toEqual(await read('?limit=3'));
  });
});
