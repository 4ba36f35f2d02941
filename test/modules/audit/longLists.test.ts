import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AppJson, ConnectionJson } from '../../support/actors.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { until } from '../../support/mail-server.js';
import { startService } from '../../support/service.js';

type Page<Node> = ConnectionJson<Node>;
type Message = { text: string };
type Line = { kind: string; changes: { field: string; before: string | null; after: string | null }[] };

const MiB = 1024 * 1024;
const pageFields = 'totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
const changes = 'changes { field before after }';
const declared = '$id: ID!, $first: Int, $after: String, $last: Int, $before: String';
const passed = 'first: $first, after: $after, last: $last, before: $before';

const service = duringTests(startService);
const ada = beforeTests(() => service.aDeveloper());

const messagesOf = async (id: string, page: object = {}) =>
  (
    await service.client.queryData<{ myApp: { messages: Page<Message> } }>(
      `query (${declared}) { myApp(id: $id) { messages(${passed}) { ${pageFields} edges { cursor node { text } } } } }`,
      { id, ...page },
      ada.token,
    )
  ).myApp.messages;
const timelineOf = async (id: string, page: object = {}) =>
  (
    await service.client.queryData<{ myApp: { timeline: Page<Line> } }>(
      `query (${declared}) { myApp(id: $id) { timeline(${passed}) { ${pageFields} edges { cursor node { kind message ${changes} } } } } }`,
      { id, ...page },
      ada.token,
    )
  ).myApp.timeline;
const texts = ({ edges }: Page<Message>) => edges.map(({ node }) => node.text);
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => String(from + i));

/** An app with this many messages, of which two each have the same time. */
const aTalk = async (count: number, text = (n: string) => `${n}::text`): Promise<AppJson> => {
  const app = await service.anApp(ada);
  await service.sql(
    `insert into review_messages (id, created_at, app_id, author, text)
     select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
       '2026-01-01'::timestamptz + (n / 2) * interval '1 second', $1, 'DEVELOPER', ${text('n')}
     from generate_series(1, ${count}) n`,
    [app.id],
  );
  return app;
};

describe('the messages about an app, page by page (D117)', () => {
  let id: string;
  beforeAll(async () => {
    ({ id } = await aTalk(45));
  });
  afterAll(() => service.sql('delete from review_messages'));

  it('are the oldest twenty by default, with the total of all', async () => {
    const page = await messagesOf(id);
    expect(texts(page)).toEqual(numbers(1, 20));
    expect(page.totalCount).toBe(45);
    expect(page.pageInfo).toMatchObject({ hasNextPage: true, hasPreviousPage: false });
  });

  it('are the newest with last, and those just before a cursor with before alone', async () => {
    const latest = await messagesOf(id, { last: 20 });
    expect(texts(latest)).toEqual(numbers(26, 45));
    expect(texts(await messagesOf(id, { before: latest.pageInfo.startCursor }))).toEqual(numbers(6, 25));
  });

  it('can be asked for between two cursors', async () => {
    const { edges } = await messagesOf(id, { first: 10 });
    const between = { after: edges[1]!.cursor, before: edges[8]!.cursor };
    expect(texts(await messagesOf(id, { ...between, first: 100 }))).toEqual(numbers(3, 8));
    expect(texts(await messagesOf(id, { ...between, last: 2 }))).toEqual(numbers(7, 8));
  });

  it.each([
    ['both ends at once', { first: 3, last: 3 }, 'last: first_and_last'],
    ['none at all', { last: 0 }, 'last: too_small'],
    ['a place that we never gave', { before: 'nonsense' }, 'before: invalid_cursor'],
    ['a place that we never gave, forwards', { after: 'nonsense' }, 'after: invalid_cursor'],
  ])('are refused for %s', async (_, page, problem) => {
    const { errors } = await service.client.graphql(
      `query (${declared}) { myApp(id: $id) { messages(${passed}) { totalCount } } }`,
      { id, ...page },
      ada.token,
    );
    const { code, details } = errors![0]!.extensions as unknown as {
      code: string;
      details: { field: string; code: string }[];
    };
    expect([code, ...details.map((each) => `${each.field}: ${each.code}`)]).toEqual([
      'VALIDATION_FAILED',
      problem,
    ]);
  });
});

describe('a page of messages (D117)', () => {
  afterAll(() => service.sql('delete from review_messages'));

  it('has at most a hundred, however many are asked for', async () => {
    const { id } = await aTalk(110);
    expect((await messagesOf(id, { first: 1_000 })).edges).toHaveLength(100);
    expect((await messagesOf(id, { last: 1_000 })).edges).toHaveLength(100);
    await service.sql('delete from review_messages');
  });

  it('ends early rather than growing beyond a megabyte, and the next goes on from there', async () => {
    // Four thousand characters of four bytes each are the longest message there is.
    const { id } = await aTalk(100, (n) => `${n} || repeat('🎈', 3990)`);
    const seen: string[] = [];
    let after: string | null = null;
    for (let more = true; more; ) {
      const page: Page<Message> = await messagesOf(id, { first: 100, after });
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(MiB);
      expect(page.totalCount).toBe(100);
      seen.push(...texts(page).map((text) => text.replace(/🎈/g, '')));
      after = page.pageInfo.endCursor;
      more = page.pageInfo.hasNextPage;
    }
    expect(seen).toEqual(numbers(1, 100));
    const latest = await messagesOf(id, { last: 100 });
    expect(latest.pageInfo).toMatchObject({ hasPreviousPage: true, hasNextPage: false });
    expect(texts(latest).at(-1)).toMatch(/^100🎈/);
  });
});

describe('an edit in the audit log (D116)', () => {
  const long = (letter: string) => letter.repeat(19_999);
  const screenshots = (letter: string) =>
    Array.from({ length: 6 }, (_, order) => ({
      url: `https://pictures.example/${letter.repeat(2_000)}/${order}.png`,
      caption: letter.repeat(200),
    }));
  const edit = (id: string, letter: string) =>
    service.client.must(
      'updateApp',
      {
        id,
        name: letter.repeat(100),
        description: letter.repeat(500),
        longDescription: long(letter),
        logoUrl: `https://pictures.example/${letter.repeat(2_000)}`,
        bannerUrl: `https://pictures.example/${letter.repeat(2_000)}`,
        websiteUrl: `https://pictures.example/${letter.repeat(2_000)}`,
        oauthClientId: letter.repeat(200),
        screenshots: screenshots(letter),
      },
      ada.token,
    );
  const linesOf = (id: string) =>
    service.sql<{ bytes: number; before: Record<string, unknown>; data: { fields?: string[] } }>(
      `select octet_length(before::text || after::text || data::text) as bytes, before, data
       from audit_events where app_id = $1 and kind = 'app.updated' order by created_at, id`,
      [id],
    );

  it('is at most some kilobytes, whatever the listing holds', async () => {
    const { id } = await service.anApp(ada);
    await edit(id, 'a');
    await edit(id, 'b');
    for (const { bytes } of await linesOf(id)) expect(bytes).toBeLessThan(20_000);
  });

  it('records of a long text its beginning, its length and its digest', async () => {
    const { id } = await service.anApp(ada, 'DRAFT', { longDescription: `${long('é')}.` });
    await service.client.must('updateApp', { id, longDescription: 'Short.' }, ada.token);
    const [line] = await linesOf(id);
    expect(line!.before.longDescription).toEqual({
      excerpt: 'é'.repeat(600),
      length: 20_000,
      sha256: createHash('sha256')
        .update(`${long('é')}.`)
        .digest('hex'),
    });
    const { edges } = await timelineOf(id, { last: 1 });
    expect(edges[0]!.node.changes[0]).toEqual({
      field: 'longDescription',
      before: `${'é'.repeat(600)}… (20000 characters)`,
      after: 'Short.',
    });
  });

  it('keeps what is short as it is', async () => {
    const { id } = await service.anApp(ada, 'DRAFT', { longDescription: 'x'.repeat(600) });
    await service.client.must('updateApp', { id, longDescription: 'Short.' }, ada.token);
    expect((await linesOf(id))[0]!.before).toEqual({ longDescription: 'x'.repeat(600), revision: 1 });
  });

  it('records only field names after a hundred edits within 24 hours', async () => {
    const { id } = await service.anApp(ada);
    for (let i = 1; i <= 101; i += 1)
      await service.client.must('updateApp', { id, description: `No. ${i}` }, ada.token);
    const lines = await linesOf(id);
    expect(lines[99]).toMatchObject({ before: { description: 'No. 99', revision: 100 }, data: {} });
    expect(lines[100]).toMatchObject({ before: { revision: 101 }, data: { fields: ['description'] } });
    const { edges } = await timelineOf(id, { last: 2 });
    expect(edges.map(({ node }) => node.changes)).toEqual([
      [
        { field: 'description', before: 'No. 99', after: 'No. 100' },
        { field: 'revision', before: '100', after: '101' },
      ],
      [
        { field: 'description', before: null, after: null },
        { field: 'revision', before: '101', after: '102' },
      ],
    ]);
    // Another app of the same developer has a hundred of its own.
    const other = await service.anApp(ada);
    await service.client.must('updateApp', { id: other.id, description: 'First.' }, ada.token);
    expect((await linesOf(other.id))[0]!.data).toEqual({});
  });

  it('stays below a megabyte per page, even with events of the first release', async () => {
    const { id } = await service.anApp(ada);
    await service.sql(
      `insert into audit_events (id, created_at, kind, actor_kind, developer_id, app_id, before, after, data, request_id)
       select gen_random_uuid(), now(), 'app.updated', 'developer', $2::uuid, $1::uuid,
         jsonb_build_object('longDescription', repeat('🎈', 20000)), jsonb_build_object('longDescription', repeat('🎃', 20000)),
         '{}', 'old' from generate_series(1, 99)`,
      [id, ada.id],
    );
    const page = await timelineOf(id, { first: 100 });
    expect(page.totalCount).toBe(100);
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(MiB);
    const log = await service.client.queryData<{ auditLog: { edges: unknown[] } }>(
      'query ($id: ID!) { auditLog(filter: { appId: $id }, first: 100) { edges { node { before after } } } }',
      { id },
      await service.admin(),
    );
    expect(log.auditLog.edges).toHaveLength(100);
    expect(Buffer.byteLength(JSON.stringify(log))).toBeLessThan(MiB);
  });
});

describe('the mail about an administrator’s edit of a long text (D33, D116)', () => {
  it('shows how both texts begin', async () => {
    const mailing = await startService({ WORKER: 'inline', ASSET_CHECKS: 'off' });
    try {
      const grace = await mailing.aDeveloper();
      const { id } = await mailing.anApp(grace, 'APPROVED', { longDescription: `Old ${'o'.repeat(19_000)}` });
      const edit = { id, longDescription: `New ${'n'.repeat(19_000)}`, reason: 'You asked for it.' };
      await mailing.administer('editApp', edit);
      const find = () => mailing.sql<{ text: string }>("select text from mails where kind = 'app.edited'");
      const mail = await until(async () => (await find())[0]);
      for (const beginning of [`Old ${'o'.repeat(596)}`, `New ${'n'.repeat(596)}`])
        expect(mail.text.replace(/\s+/g, '')).toContain(`${beginning}… (shortened)`.replace(/\s+/g, ''));
    } finally {
      await mailing.close();
    }
  });
});
