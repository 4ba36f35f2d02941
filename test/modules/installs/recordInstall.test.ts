import { beforeAll, describe, expect, it } from '@jest/globals';
import { unique } from '../../support/actors.js';
import { apis } from '../../support/api-client.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { sharedService, startService } from '../../support/service.js';

const service = beforeTests(sharedService);
const ada = beforeTests(() => service.aDeveloper());

const aPublicApp = async () => (await service.anApp(ada, 'APPROVED')).slug;

describe.each(apis)('recordInstall over %s', (api) => {
  const install = (slug: string, input: Record<string, unknown> = {}) =>
    service.client.call(api, 'recordInstall', { slug, ...input });

  it('counts an install and returns the exact count, which everybody then sees (D30)', async () => {
    const slug = await aPublicApp();
    expect(expectSuccess(await install(slug), 201)).toEqual({ slug, installCount: 1 });
    expect((await install(slug)).data).toEqual({ slug, installCount: 2 });
    expect((await service.client.call(api, 'app', { slug })).data).toMatchObject({ installCount: 2 });
  });

  it('stores what the caller says about the installation (D30)', async () => {
    const slug = await aPublicApp();
    const told = { installationId: unique('installation'), accountUserId: 'ada', version: '1.2.3' };
    await install(slug, told);
    expect(
      await service.sql(
        `select installation_id as "installationId", i.account_user_id as "accountUserId", version
         from installations i join apps a on a.id = i.app_id where slug = $1`,
        [slug],
      ),
    ).toEqual([told]);
  });

  it('counts the same installationId once per app and responds 200 with the current count (D30)', async () => {
    const slug = await aPublicApp();
    const installationId = unique('installation');
    expectSuccess(await install(slug, { installationId }), 201);
    expectSuccess(await install(slug), 201);
    const again = await install(slug, { installationId: ` ${installationId} `, version: '2' });
    expectSuccess(again, 200);
    expect(again.data).toEqual({ slug, installCount: 2 });
    expect(expectSuccess(await install(await aPublicApp(), { installationId }), 201)).toMatchObject({
      installCount: 1,
    });
  });

  it('treats null in every field as absent: two such calls are two installs (D30)', async () => {
    const slug = await aPublicApp();
    const nothing = { installationId: null, accountUserId: null, version: null };
    await install(slug, nothing);
    expect((await install(slug, nothing)).data).toEqual({ slug, installCount: 2 });
  });

  it.each(['DRAFT', 'PENDING', 'REJECTED', 'SUSPENDED'] as const)(
    'returns NOT_FOUND for an app that is %s, and counts nothing (D29)',
    async (status) => {
      const { id, slug } = await service.anApp(ada, status);
      expectError(await install(slug, { installationId: 'one' }), 'NOT_FOUND');
      expect(await service.sql('select from installations where app_id = $1', [id])).toEqual([]);
    },
  );

  it("returns NOT_FOUND for a suspended developer's app, until they are reinstated (D29)", async () => {
    const developer = await service.aDeveloper();
    const { slug } = await service.anApp(developer, 'APPROVED');
    await service.administer('suspendDeveloper', { id: developer.id, reason: 'Fraud.' });
    expectError(await install(slug), 'NOT_FOUND');
    await service.administer('reinstateDeveloper', { id: developer.id });
    expectSuccess(await install(slug), 201);
  });

  it.each(['nothing-here', 'UPPER', '%00', 'a'.repeat(61), '-', '../apps', "' or true"])(
    'returns NOT_FOUND for the slug "%s"',
    async (slug) => {
      expectError(await install(slug), 'NOT_FOUND');
    },
  );

  it('validates the input before the app (D7)', async () => {
    expectError(await install('nothing-here', { installationId: '' }), 'VALIDATION_FAILED', [
      'installationId: too_short',
    ]);
  });

  it('changes neither the revision nor the times of the app', async () => {
    const app = await service.anApp(ada, 'APPROVED');
    await install(app.slug);
    expect(await service.client.must('myApp', { id: app.id }, ada.token)).toEqual({
      ...app,
      installCount: 1,
    });
  });
});

describe('recordInstall over REST only', () => {
  const post = async (init: RequestInit) =>
    fetch(`${service.url}/api/apps/${await aPublicApp()}/install`, init);

  it.each([undefined, 'application/json', 'text/plain', 'application/x-www-form-urlencoded', 'nonsense'])(
    'accepts an empty body with the Content-Type %s (D30)',
    async (type) => {
      const response = await post({ method: 'POST', headers: type ? { 'content-type': type } : {} });
      expect(response.status).toBe(201);
      expect(await response.json()).toMatchObject({ installCount: 1 });
      expect(response.headers.get('x-ignored-fields')).toBeNull();
    },
  );

  it('ignores unknown fields and those that the path sets, and names them (D30)', async () => {
    const response = await post({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        version: '1',
        slug: 'another',
        installCount: 9,
        'a b': 1,
        'é\n': 2,
        nested: {},
      }),
    });
    expect(response.status).toBe(201);
    expect(response.headers.get('x-ignored-fields')).toBe('slug, installCount, a%20b, %C3%A9%0A, nested');
    expect(await response.json()).toMatchObject({ installCount: 1 });
  });

  it('refuses what is not JSON (D4, D6)', async () => {
    const [type, body] = ['content-type', '{"version":"1"}'];
    expect((await post({ method: 'POST', headers: { [type]: 'text/plain' }, body })).status).toBe(415);
    const headers = { [type]: 'application/json' };
    expect((await post({ method: 'POST', headers, body: '[]' })).status).toBe(400);
    expect((await post({ method: 'POST', headers, body: '{' })).status).toBe(400);
  });

  it('refuses a value of another type, by name (D6)', async () => {
    const response = await post({
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"installationId":7,"version":["1"]}',
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      error: {
        code: 'VALIDATION_FAILED',
        details: [
          { field: 'installationId', code: 'invalid_type' },
          { field: 'version', code: 'invalid_type' },
        ],
      },
    });
  });

  it('is not cached: it is no GET (D32)', async () => {
    const response = await post({ method: 'POST' });
    expect(response.headers.get('etag')).toBeNull();
    expect(response.headers.get('cache-control')).toBeNull();
  });
});

describe('recordInstall over GraphQL only', () => {
  it('accepts input: null, and no input at all (D30)', async () => {
    const slug = await aPublicApp();
    const { data } = await service.client.graphql(
      `mutation ($slug: String!) {
        one: recordInstall(slug: $slug, input: null) { slug installCount }
        two: recordInstall(slug: $slug) { slug installCount }
        three: recordInstall(slug: $slug, input: {}) { slug installCount }
      }`,
      { slug },
    );
    expect(data).toEqual({
      one: { slug, installCount: 1 },
      two: { slug, installCount: 2 },
      three: { slug, installCount: 3 },
    });
  });
});

/** Both spellings of the charset mean the same, but only the first bypasses Express. */
const ways = { everyday: 'application/json', unusual: 'application/json; charset="utf-8"' };

describe('a usual install request, which bypasses Express', () => {
  const slugs: Record<string, string> = {};
  const limited = duringTests(() =>
    startService({ RATE_LIMITS: 'install=10,write=1000,credentials=1000', TRUST_PROXY: '1' }),
  );
  beforeAll(async () => {
    const developer = await limited.aDeveloper();
    for (const way of Object.keys(ways)) slugs[way] = (await limited.anApp(developer, 'APPROVED')).slug;
  });

  /** The response without what differs between any two requests, to compare both paths. */
  const answerTo = async (way: keyof typeof ways, body: string, address: string, path = slugs[way]) => {
    const response = await fetch(`${limited.url}/api/apps/${path}/install`, {
      method: 'POST',
      headers: { 'content-type': ways[way], 'x-forwarded-for': address, 'x-request-id': 'the-same' },
      body,
    });
    const { date: _, 'content-length': length, ...headers } = Object.fromEntries(response.headers);
    const text = await response.text();
    expect(Number(length)).toBe(Buffer.byteLength(text));
    return { status: response.status, headers, text: text.replace(slugs[way]!, 'slug') };
  };

  it('gets the same response as any other, header by header', async () => {
    const bodies = [
      '{"installationId":"one","version":"1"}',
      '{"installationId":"one"}',
      '{"installationId":7,"version":"\\u0000"}',
      '{"version":"é","slug":"x","installCount":9,"nobody knows":1}',
      '{"__proto__":{"version":"1"},"constructor":1}',
      '{}',
      '[]',
      '{"version":',
    ];
    const seen = { everyday: [] as unknown[], unusual: [] as unknown[] };
    for (const way of ['everyday', 'unusual'] as const) {
      const address = `198.51.100.${seen.everyday.length}`;
      for (const body of bodies) seen[way].push(await answerTo(way, body, address));
      seen[way].push(await answerTo(way, '{"version":"1"}', address, 'no-such-app'));
      seen[way].push(await answerTo(way, '{"version":"1"}', address));
      const refused = await answerTo(way, '{"version":"1"}', address);
      expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': expect.anything() } });
      seen[way].push(refused);
    }
    const seconds = (answers: unknown[]) => JSON.stringify(answers).replace(/t=\d+|\d+ seconds?|"\d+"/g, 'n');
    expect(seconds(seen.everyday)).toBe(seconds(seen.unusual));
    expect(new Set(seen.everyday.map((answer) => (answer as { status: number }).status))).toEqual(
      new Set([201, 200, 400, 404, 429]),
    );
  });

  it('is logged and counted like any other', async () => {
    for (const way of ['everyday', 'unusual'] as const) await answerTo(way, '{}', '198.51.100.200');
    const metrics = await (await fetch(`${limited.url}/metrics`)).text();
    const counted = metrics.match(/marketplace_requests_total\{.*recordInstall.*\} \d+/g);
    expect(counted).toEqual(expect.arrayContaining([expect.stringContaining('door="rest"')]));
    expect(metrics).not.toMatch(/marketplace_requests_total\{.*operation="unknown"/);
  });
});
