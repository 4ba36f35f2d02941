import { beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { publicForms } from '../../../src/modules/catalog/catalog.queries.js';
import type { Input } from '../../support/api-client.js';
import { type Service, sharedService } from '../../support/service.js';

let service: Service;
let admin: string;
beforeAll(async () => {
  service = await sharedService();
  admin = await service.admin();
});

/** Runs a test with two connections of other writers. */
async function withWriters(run: (one: Client, two: Client) => Promise<void>): Promise<void> {
  const clients = [0, 1].map(() => new Client({ connectionString: service.databaseUrl }));
  await Promise.all(clients.map((client) => client.connect()));
  try {
    await run(clients[0]!, clients[1]!);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

/** The REST response for an app, and the same app computed from its columns. */
async function bothForms({ id, slug }: { id: string; slug: string }) {
  const text = await (await service.client.request('GET', `/api/apps/${slug}`, {})).text();
  const { text: sql, values } = publicForms([id]);
  const rows = await service.sql(sql, [...values]);
  const { listed, developer, screenshots, ...fields } = rows[0] as Input;
  const { id: _, ...published } = developer as Input;
  expect(listed).toBe(true);
  const shots = (screenshots as Input[]).map(({ url, caption, order }) => ({ url, caption, order }));
  // The order of the fields is that of the schema.
  const computed = Object.fromEntries(
    Object.keys(JSON.parse(text) as object).map((name) => [
      name,
      { ...fields, screenshots: shots, developer: published }[name],
    ]),
  );
  return { text, computed: JSON.stringify(computed) };
}

const expectEqualForms = async (app: { id: string; slug: string }) => {
  const { text, computed } = await bothForms(app);
  expect(text).toBe(computed);
};

describe('the stored form of a public app (D304)', () => {
  it.each([
    ['quotes and backslashes', 'a "quoted" \\ C:\\temp \\u0041 \\" /'],
    ['control characters', 'tab\t line\n return\r'],
    ['separators that JavaScript once forbade', 'line\u2028 paragraph\u2029'],
    ['other scripts and emoji', 'Ünïcödé 日本語 العربية 👩‍👩‍👧‍👦 𝒜'],
    ['markup', '<script>alert(1)</script> &amp; </title>'],
  ])('has the bytes of the computed one: %s', async (_, text) => {
    const developer = await service.aDeveloper({
      companyName: text.replace(/[\p{C}\u2028\u2029]/gu, ' ').trim(),
    });
    const app = await service.anApp(developer, 'APPROVED', { longDescription: text });
    await expectEqualForms(app);
  });

  it('follows every change of the app and of its developer', async () => {
    const developer = await service.aDeveloper({ name: 'Grace' });
    const app = await service.anApp(developer, 'APPROVED');
    const { id } = app;
    await service.client.must('editApp', { id, name: 'Another "name"', reason: 'Renamed.' }, admin);
    await expectEqualForms(app);
    await service.aRating(app, { rating: 4 });
    await service.aRating(app, { rating: 3 });
    await expectEqualForms(app);
    expect(JSON.parse((await bothForms(app)).text)).toMatchObject({ averageRating: 3.5, reviewCount: 2 });
    await service.client.must('recordInstall', { slug: app.slug, installationId: 'somewhere' });
    await service.client.must(
      'updateMe',
      { name: 'Grace M.', websiteUrl: 'https://g.example' },
      developer.token,
    );
    await expectEqualForms(app);
    const hide = { id: developer.id, reason: 'Spam.' };
    await service.client.must('suspendDeveloper', hide, admin);
    expect(await service.sql('select from app_documents where app_id = $1', [id])).toEqual([]);
    await service.client.must('reinstateDeveloper', { id: developer.id }, admin);
    await expectEqualForms(app);
  });

  it.each(['the app first', 'the developer first'])(
    'keeps concurrent changes of the app and of its developer: %s',
    async (order) => {
      const developer = await service.aDeveloper({ name: 'Before' });
      const app = await service.anApp(developer, 'APPROVED');
      const changes: [string, unknown[]][] = [
        ["update apps set description = 'After' where id = $1", [app.id]],
        ["update developers set name = 'After' where id = $1", [developer.id]],
      ];
      const [first, second] = order === 'the app first' ? changes : changes.toReversed();
      await withWriters(async (one, two) => {
        await one.query('begin');
        await one.query(...first!);
        const waiting = two.query(...second!);
        await service.sql('select pg_sleep(0.1)');
        await one.query('commit');
        await waiting;
      });
      await expectEqualForms(app);
      expect(JSON.parse((await bothForms(app)).text)).toMatchObject({
        description: 'After',
        developer: { name: 'After' },
      });
    },
  );

  it('has the developer as renamed while the app was being approved', async () => {
    const developer = await service.aDeveloper({ name: 'Before' });
    const app = await service.anApp(developer, 'PENDING');
    await withWriters(async (one) => {
      await one.query('begin');
      await one.query("update developers set name = 'After' where id = $1", [developer.id]);
      const approval = service.client.must('approveApp', { id: app.id, revision: app.revision }, admin);
      await service.sql('select pg_sleep(0.1)');
      await one.query('commit');
      await approval;
    });
    await expectEqualForms(app);
  });
});
