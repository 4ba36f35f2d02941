import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { type AppJson, aRejection, type Developer } from '../../support/actors.js';
import { type Service, sharedService } from '../../support/service.js';

let service: Service;
let admin: string;
beforeAll(async () => {
  service = await sharedService();
  admin = await service.admin();
});

const bodyOf = async (path: string, bearer: string) =>
  (await service.client.request('GET', path, { bearer })).text();

const allFields = `id createdAt updatedAt name description longDescription category logoUrl bannerUrl websiteUrl
  oauthClientId screenshots { url caption order } revision submittedAt slug environment status featured installCount
  reviewCount averageRating approvedAt developer { id }
  rejection { reasons { code field message addressed } guidance rejectedAt }`;

/** `myApp` computes each app from its columns, so it shows what the stored list must say. */
async function expectStoredAsComputed({ key, token }: Developer): Promise<AppJson[]> {
  const listed = await bodyOf('/api/dev/apps', key);
  const { apps } = JSON.parse(listed) as { apps: AppJson[] };
  const computed = [];
  for (const { id } of apps) computed.push(await bodyOf(`/api/dev/apps/${id}`, key));
  expect(listed).toBe(`{"apps":[${computed.join(',')}]}`);

  const aliases = apps.map(({ id }, at) => `app${at}: myApp(id: "${id}") { ${allFields} }`);
  const { list, ...one } = await service.client.queryData<Record<string, unknown>>(
    `{ list: myApps { ${allFields} } ${aliases.join(' ')} }`,
    {},
    token,
  );
  expect(list).toEqual(Object.values(one));
  return apps;
}

describe('the stored form of a developer’s own apps (D283)', () => {
  it('has the bytes of the computed one, whatever the texts are', async () => {
    const ada = await service.aDeveloper();
    for (const longDescription of [
      'a "quoted" \\ C:\\temp \\u0041 \\" /',
      'tab\t line\n return\r',
      'line\u2028 paragraph\u2029',
      'Ünïcödé 日本語 العربية 👩‍👩‍👧‍👦 𝒜',
      '<script>alert(1)</script> &amp; </title>',
      null,
    ])
      await service.anApp(ada, 'DRAFT', { longDescription, websiteUrl: null, screenshots: [] });
    expect(await expectStoredAsComputed(ada)).toHaveLength(6);
  });

  it('has the bytes of the computed one in every state, and follows every change', async () => {
    const grace = await service.aDeveloper();
    const must: Service['client']['must'] = (...sent) => service.client.must(...sent);
    for (const status of ['DRAFT', 'PENDING', 'REJECTED', 'APPROVED', 'SUSPENDED'] as const)
      await service.anApp(grace, status);
    const [suspended, approved, rejected, pending, draft] = await expectStoredAsComputed(grace);

    await must('updateApp', { id: draft!.id, name: 'A "new" name', oauthClientId: 'client-1' }, grace.key);
    await must('withdrawApp', { id: pending!.id }, grace.token);
    await must('addressReason', { id: rejected!.id, reason: 0, addressed: true }, grace.token);
    await must('editApp', { id: approved!.id, category: 'AI_ML', reason: 'Moved.' }, admin);
    await service.aRating(approved!, { rating: 4 });
    await service.aRating(approved!, { rating: 3 });
    await must('recordInstall', { slug: approved!.slug, installationId: 'somewhere' });
    await must('restoreApp', { id: suspended!.id }, admin);
    const changed = await expectStoredAsComputed(grace);
    expect(changed[1]).toMatchObject({ category: 'AI_ML', averageRating: 3.5, installCount: 1 });

    await must('submitApp', { id: rejected!.id }, grace.token);
    await must('submitApp', { id: pending!.id }, grace.token);
    await must('rejectApp', { id: pending!.id, ...aRejection(pending!.revision) }, admin);
    await must('featureApp', { id: approved!.id, featured: true }, admin);
    await must('deleteApp', { id: draft!.id }, grace.key);
    expect(await expectStoredAsComputed(grace)).toHaveLength(4);
    expect(await service.sql('select from owner_documents where app_id = $1', [draft!.id])).toEqual([]);
  });

  it('keeps the later of two concurrent changes of an app', async () => {
    const eve = await service.aDeveloper();
    const { id } = await service.anApp(eve);
    const [one, two] = [0, 1].map(() => new Client({ connectionString: service.databaseUrl }));
    await Promise.all([one!.connect(), two!.connect()]);
    await one!.query('begin');
    await one!.query("update apps set name = 'First', description = 'First' where id = $1", [id]);
    const waiting = two!.query("update apps set name = 'Second' where id = $1", [id]);
    await service.sql('select pg_sleep(0.1)');
    await one!.query('commit');
    await waiting;
    await Promise.all([one!.end(), two!.end()]);
    expect(await expectStoredAsComputed(eve)).toMatchObject([{ name: 'Second', description: 'First' }]);
  });
});
