import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { ConnectionJson, Json } from '../../support/actors.js';
import { beforeTests } from '../../support/before-tests.js';
import { png } from '../../support/pictures.js';
import { pictureChecksAreDue, startPictureWorker } from '../../support/workers.js';
import { enforcingStage, findingsOf, goodPictures, listingWith } from './picture-stage.js';

let worker: Awaited<ReturnType<typeof startPictureWorker>>;
const reviewer = 'pictures@marketplace.example';
const stage = beforeTests(enforcingStage);
beforeAll(async () => {
  const guard = { allowedHosts: [stage.pictures.host], resolve: async () => [] };
  worker = await startPictureWorker(stage.service.databaseUrl, guard, [reviewer]);
});
afterAll(() => worker.close());

let made = 0;
/** A picture whose response the test changes, and the requests for it. */
const aPicture = () => {
  made += 1;
  const requests: Record<string, unknown>[] = [];
  const now: { body: Buffer | null; etag: string } = { body: png(512, 512), etag: '"one"' };
  const url = stage.pictures.serve(`/changing-${made}`, (request, response) => {
    requests.push(request.headers);
    if (now.body === null) response.writeHead(404).end();
    else if (request.headers['if-none-match'] === now.etag) response.writeHead(304).end();
    else response.writeHead(200, { 'content-type': 'image/png', etag: now.etag }).end(now.body);
  });
  return { url, requests, now };
};
const anApp = async (logoUrl: string) => {
  const listing = { ...listingWith(stage, ...goodPictures), logoUrl };
  return stage.service.anApp(stage.ada, 'APPROVED', listing);
};
const check = async (id: string) => {
  await pictureChecksAreDue(stage.service, id);
  await worker.check();
};
const eventsOf = async (id: string) =>
  (
    await stage.service.sql<{ pictures: Json[] }>(
      `select data->'pictures' as pictures from audit_events
       where app_id = $1 and kind = 'app.pictures_changed' order by position`,
      [id],
    )
  ).map(({ pictures }) => pictures);

describe('the pictures of a public app (D328)', () => {
  it('are fetched again, by conditional requests, and have no finding while they are what was reviewed', async () => {
    const logo = aPicture();
    const { id } = await anApp(logo.url);
    const fetched = logo.requests.length;
    await check(id);
    await check(id);
    expect(logo.requests.slice(fetched).map((headers) => headers['if-none-match'])).toEqual([
      undefined,
      '"one"',
    ]);
    expect(await findingsOf(stage, id)).toEqual([]);
    expect(await eventsOf(id)).toEqual([]);
    const [row] = await stage.service.sql<{ days: number }>(
      'select extract(day from due_at - now())::int as days from picture_checks where app_id = $1',
      [id],
    );
    expect(row!.days).toBe(6);
  });

  it('that have another content are a finding for developer and desk, with before and after, and one event', async () => {
    const { service, ada } = stage;
    const logo = aPicture();
    const { id } = await anApp(logo.url);
    await check(id);
    Object.assign(logo.now, { body: png(600, 600), etag: '"two"' });
    await check(id);
    await check(id);
    expect(await findingsOf(stage, id)).toEqual(['WARNING logoUrl: picture_changed']);
    const { adminApp } = await service.client.queryData<{ adminApp: { findings: Json[] } }>(
      `{ adminApp(id: "${id}") { findings { code message } } }`,
      {},
      await service.admin(),
    );
    expect(adminApp.findings).toEqual([
      { code: 'picture_changed', message: expect.stringMatching(/had 512×512 pixels .* has 600×600 pixels/) },
    ]);
    expect(await eventsOf(id)).toEqual([[{ field: 'logoUrl', code: 'picture_changed' }]]);
    const jobs = await service.sql<{ audience: string | null }>(
      `select data->>'audience' as audience from pgboss.job
       where data->>'appId' = $1 and data->>'kind' = 'app.pictures_changed' order by 1`,
      [id],
    );
    expect(jobs).toEqual([{ audience: 'reviewers' }, { audience: null }]);
    const { events } = await service.client.queryData<{ events: ConnectionJson<{ type: string }> }>(
      '{ events(first: 100) { edges { node { type } } } }',
      {},
      ada.token,
    );
    expect(events.edges.map(({ node }) => node.type)).toContain('app.pictures_changed');
  });

  it('lose the finding when they are restored, or replaced by a version that was reviewed', async () => {
    const { service, ada } = stage;
    const [first, second] = [aPicture(), aPicture()];
    const [one, other] = [await anApp(first.url), await anApp(second.url)];
    for (const [{ now }, { id }] of [
      [first, one],
      [second, other],
    ] as const) {
      Object.assign(now, { body: png(600, 600), etag: '"two"' });
      await check(id);
      expect(await findingsOf(stage, id)).toEqual(['WARNING logoUrl: picture_changed']);
    }
    Object.assign(first.now, { body: png(512, 512), etag: '"one"' });
    await check(one.id);
    expect(await findingsOf(stage, one.id)).toEqual([]);

    const input = { appId: other.id, logoUrl: aPicture().url };
    const { id: versionId } = await service.client.must<{ id: string }>('createAppVersion', input, ada.token);
    await service.client.must('submitAppVersion', { id: versionId }, ada.token);
    await check(other.id);
    expect(await findingsOf(stage, other.id)).toEqual(['WARNING logoUrl: picture_changed']);
    await service.administer('approveAppVersion', { id: versionId, revision: 1 });
    await check(other.id);
    expect(await findingsOf(stage, other.id)).toEqual([]);
  });

  it('that are gone are a finding after three tries, a day apart', async () => {
    const logo = aPicture();
    const { id } = await anApp(logo.url);
    logo.now.body = null;
    for (const found of [[], [], ['WARNING logoUrl: picture_gone']]) {
      await check(id);
      expect(await findingsOf(stage, id)).toEqual(found);
      const [row] = await stage.service.sql<{ hours: number }>(
        'select round(extract(epoch from due_at - now()) / 3600)::int as hours from picture_checks where app_id = $1',
        [id],
      );
      expect(row!.hours).toBe(24);
    }
    expect(await eventsOf(id)).toEqual([[{ field: 'logoUrl', code: 'picture_gone' }]]);
  });

  it('of a slow server are not gone because they wait for each other', async () => {
    const slow = [1, 2, 3, 4].map((number) =>
      stage.pictures.serve(`/slow-${number}`, (_, response) => {
        setTimeout(() => response.writeHead(200, { 'content-type': 'image/png' }).end(png(512, 512)), 600);
      }),
    );
    const apps = await Promise.all(slow.map(anApp));
    const guard = { allowedHosts: [stage.pictures.host], resolve: async () => [] };
    const options = { days: 1 / 288, timeoutMs: 1_500 };
    // With so few days it takes all apps that are due.
    const together = await startPictureWorker(stage.service.databaseUrl, guard, [], options);
    const ids = apps.map(({ id }) => id);
    await pictureChecksAreDue(stage.service, ...ids);
    await together.check();
    const missed = await stage.service.sql(
      `select picture from picture_checks, jsonb_array_elements(pictures) picture
       where app_id = any($1) and (picture->>'failures')::int > 0`,
      [ids],
    );
    expect(missed).toEqual([]);
    await together.close();
  });

  it('that come from another host than at the review are a finding', async () => {
    const logo = aPicture();
    const { id } = await anApp(logo.url);
    await stage.service.sql("update asset_checks set host = 'pictures.example' where app_id = $1", [id]);
    await check(id);
    expect(await findingsOf(stage, id)).toEqual([
      'WARNING logoUrl: picture_moved',
      'WARNING screenshots.0.url: picture_moved',
      'WARNING screenshots.1.url: picture_moved',
    ]);
  });

  it('are fetched once by several workers, and spread over the days', async () => {
    const logo = aPicture();
    const { id } = await anApp(logo.url);
    const fetched = logo.requests.length;
    await pictureChecksAreDue(stage.service, id);
    await Promise.all([worker.check(), worker.check(), worker.check()]);
    expect(logo.requests.length - fetched).toBe(1);
    // One app an hour is enough for a catalog of up to 168 apps.
    await stage.service.sql('update picture_checks set due_at = now()');
    await worker.check();
    const [row] = await stage.service.sql<{ due: number; apps: number }>(
      'select count(*) filter (where due_at <= now())::int as due, count(*)::int as apps from picture_checks',
    );
    expect(row!.apps - row!.due).toBe(1);
  });
});
