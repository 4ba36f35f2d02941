import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AppJson, Developer, Json, VersionJson } from '../../support/actors.js';
import { doors, type Input } from '../../support/doors.js';
import { type PictureServer, png, startPictureServer } from '../../support/pictures.js';
import { expectRefusal, expectSuccess } from '../../support/refusals.js';
import { type Service, startService } from '../../support/service.js';

interface Stage {
  service: Service;
  pictures: PictureServer;
  ada: Developer;
}

/** A service of its own, and a server of pictures that only the allow-list lets it ask. */
function stageWith(settings: Record<string, string>): Stage {
  const stage = {} as Stage;
  beforeAll(async () => {
    stage.pictures = await startPictureServer();
    const assetChecks = { allowedHosts: [stage.pictures.host], resolve: async () => [] };
    stage.service = await startService(settings, undefined, { assetChecks });
    stage.ada = await stage.service.aDeveloper();
  });
  afterAll(async () => {
    await stage.service.close();
    await stage.pictures.close();
  });
  return stage;
}

const listing = ({ pictures }: Stage, ...screenshots: string[]): Input => ({
  logoUrl: pictures.url('/png/512x512'),
  screenshots: screenshots.map((path) => ({ url: pictures.url(path) })),
});
const good = ['/png/1280x720', '/jpg/1280x720'];

const asLines = (findings: Json[]) =>
  findings.map(({ field, severity, code }) => `${severity} ${field}: ${code}`);
const shown = 'findings { field severity code }';

const findingsOf = async ({ service, ada }: Stage, id: string): Promise<string[]> => {
  const query = `query ($id: ID!) { myApp(id: $id) { ${shown} } }`;
  const { myApp } = await service.doors.ask<{ myApp: { findings: Json[] } }>(query, { id }, ada.token);
  return asLines(myApp.findings);
};
const findingsOfVersion = async ({ service, ada }: Stage, appId: string): Promise<string[]> => {
  const query = `query ($id: ID!) { myApp(id: $id) { openVersion { ${shown} } } }`;
  type Answer = { myApp: { openVersion: { findings: Json[] } } };
  const { myApp } = await service.doors.ask<Answer>(query, { id: appId }, ada.token);
  return asLines(myApp.openVersion.findings);
};
const findingsInQueue = async ({ service }: Stage, id: string): Promise<string[] | undefined> => {
  const queue = await service.doors.must<{ edges: { node: { app: AppJson; findings: Json[] } }[] }>(
    'reviewQueue',
    { first: 100 },
    await service.admin(),
  );
  const item = queue.edges.find(({ node }) => node.app.id === id);
  return item && asLines(item.node.findings);
};
const checksOf = ({ service }: Stage, id: string, revision: number) =>
  service.sql<{ field: string; ok: boolean; width: number; bytes: number; sha256: string; checked_at: Date }>(
    'select * from asset_checks where listing_id = $1 and revision = $2 order by field',
    [id, revision],
  );
const eventually = async <T>(look: () => Promise<T>, isThere: (seen: T) => boolean): Promise<T> => {
  for (let attempt = 0; ; attempt += 1) {
    const seen = await look();
    if (isThere(seen) || attempt === 100) return seen;
    await delay(100);
  }
};

describe('a submission with ASSET_CHECKS=warn (D24)', () => {
  const stage = stageWith({ ASSET_CHECKS: 'warn', WORKER: 'inline' });

  it('is taken at once; what a job finds later is shown to reviewer and developer, and kept with it', async () => {
    const { service, ada } = stage;
    const { id } = await service.anApp(ada, 'PENDING', listing(stage, '/png/1280x720', '/png/640x480'));
    const checks = await eventually(
      () => checksOf(stage, id, 1),
      (rows) => rows.length === 3,
    );
    expect(checks).toMatchObject([
      { field: 'logoUrl', ok: true, width: 512, problem: null },
      { field: 'screenshots.0.url', ok: true, width: 1280, height: 720, type: 'png', problem: null },
      { field: 'screenshots.1.url', ok: false, width: 640, problem: { code: 'wrong_size' } },
    ]);
    expect(checks[1]).toMatchObject({
      bytes: png(1280, 720).length,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(Date.now() - checks[1]!.checked_at.getTime()).toBeLessThan(60_000);
    const found = ['WARNING screenshots.1.url: wrong_size'];
    expect(await findingsOf(stage, id)).toEqual(found);
    expect(await findingsInQueue(stage, id)).toEqual(found);
  });

  it('is checked again when it is edited while it waits, and only the new revision counts (D19)', async () => {
    const { service, ada, pictures } = stage;
    const { id } = await service.anApp(ada, 'PENDING', listing(stage, '/png/1280x720', '/png/1x1'));
    await eventually(
      () => findingsOf(stage, id),
      (found) => found.length === 1,
    );
    const change = { id, screenshots: good.map((path) => ({ url: pictures.url(path) })) };
    await service.doors.must('updateApp', change, ada.token);
    expect(await findingsOf(stage, id)).toEqual([]);
    await eventually(
      () => checksOf(stage, id, 2),
      (rows) => rows.length === 3,
    );
    expect(await findingsOf(stage, id)).toEqual([]);
    expect(await findingsInQueue(stage, id)).toEqual([]);
    await service.doors.must('updateApp', { id, bannerUrl: pictures.url('/png/7x7') }, ada.token);
    const found = await eventually(
      () => findingsInQueue(stage, id),
      (seen) => seen?.length === 1,
    );
    expect(found).toEqual(['WARNING bannerUrl: wrong_size']);
    // Nobody reads what was found of an earlier revision.
    expect(await checksOf(stage, id, 1)).toEqual([]);
  });

  it('is checked anew when it is withdrawn and submitted again: the latest word counts', async () => {
    const { service, ada, pictures } = stage;
    let isThere = false;
    const path = '/later';
    const url = pictures.serve(path, (_, response) =>
      isThere ? response.end(png(1280, 720)) : response.writeHead(404).end(),
    );
    const screenshots = [{ url }, { url: pictures.url('/png/1280x720') }];
    const { id } = await service.anApp(ada, 'PENDING', { ...listing(stage), screenshots });
    const found = await eventually(
      () => findingsOf(stage, id),
      (seen) => seen.length === 1,
    );
    expect(found).toEqual(['WARNING screenshots.0.url: http_error']);
    isThere = true;
    await service.doors.must('withdrawApp', { id }, ada.token);
    await service.doors.must('submitApp', { id }, ada.token);
    const then = await eventually(
      () => findingsOf(stage, id),
      (seen) => seen.length === 0,
    );
    expect(then).toEqual([]);
  });

  it('of a version is treated alike, and apart from the app’s own (D63)', async () => {
    const { service, ada, pictures } = stage;
    const app = await service.anApp(ada, 'APPROVED', listing(stage, ...good));
    await eventually(
      () => checksOf(stage, app.id, 1),
      (rows) => rows.length === 3,
    );
    const input = { appId: app.id, logoUrl: pictures.url('/png/9x9') };
    const { id } = await service.doors.must<VersionJson>('createAppVersion', input, ada.token);
    await service.doors.must('submitAppVersion', { id }, ada.token);
    const found = ['WARNING logoUrl: wrong_size'];
    const seen = () => findingsInQueue(stage, app.id);
    expect(await eventually(seen, (lines) => lines?.length === 1)).toEqual(found);
    expect(await findingsOfVersion(stage, app.id)).toEqual(found);
    expect(await checksOf(stage, id, 1)).toHaveLength(3);
    expect(await findingsOf(stage, app.id)).toEqual([]);

    const logoUrl = pictures.url('/png/512x512');
    await service.doors.must('updateAppVersion', { id, logoUrl, bannerUrl: logoUrl }, ada.token);
    const then = await eventually(seen, (lines) => lines?.[0]?.includes('banner') ?? false);
    expect(then).toEqual(['WARNING bannerUrl: wrong_size']);
    expect(await checksOf(stage, id, 2)).toHaveLength(4);
  });

  it('leaves out of REST what only GraphQL tells', async () => {
    const { service, ada } = stage;
    const { id } = await service.anApp(ada, 'DRAFT', listing(stage));
    const { data } = await service.doors.call('rest', 'myApp', { id }, ada.key);
    expect(data).not.toHaveProperty('findings');
    expect(await findingsOf(stage, id)).toEqual(['ERROR screenshots: too_few']);
  });

  it('forgets the checks together with the app', async () => {
    const { service, ada } = stage;
    const { id } = await service.anApp(ada, 'PENDING', listing(stage, ...good));
    await eventually(
      () => checksOf(stage, id, 1),
      (rows) => rows.length === 3,
    );
    await service.doors.must('deleteApp', { id }, ada.token);
    expect(await checksOf(stage, id, 1)).toEqual([]);
  });
});

describe.each(['warn', 'enforce'])('a rebased version with ASSET_CHECKS=%s', (mode) => {
  const stage = stageWith({ ASSET_CHECKS: mode, WORKER: 'inline' });

  it('that waits is checked again: the reviewer sees what is wrong with what was taken over (D105)', async () => {
    const { service, ada, pictures } = stage;
    const admin = await service.admin();
    const app = await service.anApp(ada, 'APPROVED', listing(stage, ...good));
    const { id } = await service.doors.must<VersionJson>(
      'createAppVersion',
      { appId: app.id, name: 'Two' },
      ada.token,
    );
    await service.doors.must('submitAppVersion', { id }, ada.token);
    const edit = { id: app.id, bannerUrl: pictures.url('/png/7x7'), reason: 'Asked.' };
    await service.doors.must('editApp', edit, admin);
    expectSuccess(await service.doors.call('graphql', 'rebaseAppVersion', { id }, admin));
    const found = await eventually(
      () => findingsOfVersion(stage, app.id),
      (seen) => seen.length === 1,
    );
    expect(found).toEqual([`${mode === 'warn' ? 'WARNING' : 'ERROR'} bannerUrl: wrong_size`]);
  });
});

describe('a submission with ASSET_CHECKS=enforce (D24)', () => {
  const stage = stageWith({ ASSET_CHECKS: 'enforce' });

  /** An address whose answer waits until the test lets it go. */
  const heldPicture = (path: string) => {
    let release = () => {};
    let arrived = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const asked = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const url = stage.pictures.serve(path, async (_, response) => {
      arrived();
      await released;
      response.end(png(1280, 720));
    });
    return { url, asked, release };
  };

  it.each(doors)('is refused over %s with every problem of its pictures at once', async (door) => {
    const { service, ada } = stage;
    const draft = await service.anApp(ada, 'DRAFT', {
      ...listing(stage, '/png/640x480'),
      logoUrl: stage.pictures.url('/jpg/512x511'),
    });
    const outcome = await service.doors.call(door, 'submitApp', { id: draft.id }, ada.key);
    expectRefusal(outcome, 'VALIDATION_FAILED', [
      'screenshots: too_few',
      'logoUrl: wrong_size',
      'screenshots.0.url: wrong_size',
    ]);
    expect(await service.doors.must('myApp', { id: draft.id }, ada.token)).toEqual(draft);
    expect(await checksOf(stage, draft.id, 1)).toEqual([]);
  });

  describe('is foretold by allowedActions, pictures included (D120)', () => {
    const foretold = async (appId: string, act: 'submitApp' | 'submitAppVersion') => {
      const fields = 'allowedActions { action allowed code message }';
      type Subject = { allowedActions: Json[] };
      const { myApp } = await stage.service.doors.ask<{ myApp: Subject & { openVersion: Subject | null } }>(
        `query ($id: ID!) { myApp(id: $id) { ${fields} openVersion { ${fields} } } }`,
        { id: appId },
        stage.ada.token,
      );
      const subject = act === 'submitApp' ? myApp : myApp.openVersion!;
      return subject.allowedActions.find(({ action }) => action === act);
    };

    it.each([
      ['bad', '/png/640x480', 'VALIDATION_FAILED'],
      ['good', '/png/1280x720', null],
    ] as const)('of an app and of a version with a %s picture', async (_, path, code) => {
      const { service, ada } = stage;
      const pictures = listing(stage, '/png/1280x720', path);
      const { id } = await service.anApp(ada, 'DRAFT', pictures);
      const told = await foretold(id, 'submitApp');
      const outcome = await service.doors.call('graphql', 'submitApp', { id }, ada.token);
      expect(told).toMatchObject({ allowed: code === null, code });
      expect([outcome.code, outcome.message]).toEqual([told?.code, told?.message ?? '']);

      const live = await service.anApp(ada, 'APPROVED', listing(stage, ...good));
      const version = await service.doors.must<VersionJson>(
        'createAppVersion',
        { appId: live.id, ...pictures },
        ada.token,
      );
      const toldOfVersion = await foretold(live.id, 'submitAppVersion');
      expect(toldOfVersion).toMatchObject({ allowed: code === null, code });
      const submitted = await service.doors.call(
        'graphql',
        'submitAppVersion',
        { id: version.id },
        ada.token,
      );
      expect(submitted.code).toBe(code);
    });

    it('fetches nothing for what could not be submitted anyway, and the same listing once a minute', async () => {
      const { service, ada, pictures } = stage;
      const asked = (path: string) => pictures.asked.filter((each) => each.endsWith(path)).length;
      const waiting = await service.anApp(
        ada,
        'PENDING',
        listing(stage, ...good.map((path) => `${path}?pending`)),
      );
      const before = asked('?pending');
      await foretold(waiting.id, 'submitApp');
      expect(asked('?pending')).toBe(before);
      const draft = await service.anApp(ada, 'DRAFT', listing(stage, '/png/1280x720?draft', '/png/1280x720'));
      for (const _ of [1, 2, 3]) await foretold(draft.id, 'submitApp');
      expect(asked('?draft')).toBe(1);
      const change = { id: draft.id, logoUrl: pictures.url('/png/9x9') };
      await service.doors.must('updateApp', change, ada.token);
      expect(await foretold(draft.id, 'submitApp')).toMatchObject({ code: 'VALIDATION_FAILED' });
      expect(asked('?draft')).toBe(2);
    });

    it('of a long list fetches the pictures of one', async () => {
      const { service, pictures } = stage;
      const grace = await service.aDeveloper();
      for (const n of [1, 2, 3, 4, 5])
        await service.anApp(grace, 'DRAFT', listing(stage, `/png/1280x720?many${n}`, '/png/1280x720'));
      await service.doors.ask('{ myApps { allowedActions { action } } }', {}, grace.token);
      expect(pictures.asked.filter((each) => each.includes('?many'))).toHaveLength(1);
    });
  });

  it.each(doors)(
    'is taken over %s when its pictures keep the rules; what was found is kept',
    async (door) => {
      const { service, ada, pictures } = stage;
      const site = { websiteUrl: pictures.url('/gone') };
      const { id } = await service.anApp(ada, 'DRAFT', { ...listing(stage, ...good), ...site });
      expectSuccess(await service.doors.call(door, 'submitApp', { id }, ada.key));
      expect(await checksOf(stage, id, 1)).toMatchObject([
        { field: 'logoUrl', ok: true },
        { field: 'screenshots.0.url', ok: true, type: 'png', width: 1280 },
        { field: 'screenshots.1.url', ok: true, type: 'jpg', height: 720 },
        { field: 'websiteUrl', ok: false, problem: { code: 'http_error' } },
      ]);
      expect(await findingsOf(stage, id)).toEqual(['WARNING websiteUrl: http_error']);
      expect(await findingsInQueue(stage, id)).toEqual(['WARNING websiteUrl: http_error']);
      expect(await service.sql("select from pgboss.job where name = 'asset-checks'")).toEqual([]);
    },
  );

  it('holds no lock and no transaction while it fetches: others edit meanwhile, and then it must be repeated (D50)', async () => {
    const { service, ada, pictures } = stage;
    const held = heldPicture('/held');
    const { id } = await service.anApp(ada, 'DRAFT', {
      ...listing(stage),
      screenshots: [{ url: held.url }, { url: pictures.url('/png/1280x720') }],
    });
    const submission = service.doors.call('graphql', 'submitApp', { id }, ada.token);
    await held.asked;
    const open = await service.sql(
      "select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'",
    );
    expect(open).toEqual([]);
    await service.doors.must('updateApp', { id, name: 'Edited meanwhile' }, ada.token);
    held.release();
    expectRefusal(await submission, 'REVISION_CONFLICT');
    const now = await service.doors.must<AppJson>('myApp', { id }, ada.token);
    expect(now).toMatchObject({ status: 'DRAFT', revision: 2, name: 'Edited meanwhile' });
    expectSuccess(await service.doors.call('graphql', 'submitApp', { id }, ada.token));
    expect(await checksOf(stage, id, 2)).toHaveLength(3);
  });

  it('is refused like any other when it was submitted by another call meanwhile (D18)', async () => {
    const { service, ada, pictures } = stage;
    const held = heldPicture('/held-twice');
    const { id } = await service.anApp(ada, 'DRAFT', {
      ...listing(stage),
      screenshots: [{ url: held.url }, { url: pictures.url('/png/1280x720') }],
    });
    const submissions = [1, 2, 3].map(() => service.doors.call('graphql', 'submitApp', { id }, ada.token));
    await held.asked;
    held.release();
    const codes = (await Promise.all(submissions)).map(({ code }) => code).sort();
    expect(codes).toEqual(['INVALID_TRANSITION', 'INVALID_TRANSITION', null]);
  });

  it.each(doors)(
    'keeps its pictures in order when it is edited over %s while it waits (D19)',
    async (door) => {
      const { service, ada, pictures } = stage;
      const { id } = await service.anApp(ada, 'PENDING', listing(stage, ...good));
      const edit = (changes: Input) =>
        service.doors.call<AppJson>(door, 'updateApp', { id, ...changes }, ada.key);
      expectRefusal(await edit({ logoUrl: pictures.url('/png/9x9') }), 'VALIDATION_FAILED', [
        'logoUrl: wrong_size',
      ]);
      expectSuccess(await edit({ bannerUrl: pictures.url('/png/1200x600'), name: 'Renamed' }));
      expect(await checksOf(stage, id, 2)).toMatchObject([
        { field: 'bannerUrl', ok: true, width: 1200 },
        { field: 'logoUrl', ok: true, width: 512 },
        { field: 'screenshots.0.url', ok: true },
        { field: 'screenshots.1.url', ok: true },
      ]);
      expectSuccess(await edit({ name: 'Renamed' }));
      expect(await checksOf(stage, id, 3)).toEqual([]);
    },
  );

  it('refuses an edit of a waiting app that another edit overtook', async () => {
    const { service, ada } = stage;
    const { id } = await service.anApp(ada, 'PENDING', listing(stage, ...good));
    const held = heldPicture('/held-edit');
    const screenshots = [{ url: held.url }, { url: stage.pictures.url('/png/1280x720') }];
    const slow = service.doors.call('graphql', 'updateApp', { id, screenshots }, ada.token);
    await held.asked;
    await service.doors.must('updateApp', { id, name: 'Faster' }, ada.token);
    held.release();
    expectRefusal(await slow, 'REVISION_CONFLICT');
  });

  it('of a version is refused with every problem of its pictures, and taken once they are mended (D63)', async () => {
    const { service, ada, pictures } = stage;
    const app = await service.anApp(ada, 'APPROVED', listing(stage, ...good));
    const input = { appId: app.id, logoUrl: pictures.url('/png/9x9'), bannerUrl: pictures.url('/missing') };
    const { id } = await service.doors.must<VersionJson>('createAppVersion', input, ada.token);
    const act = (operation: 'submitAppVersion' | 'updateAppVersion', changes: Input = {}) =>
      service.doors.call<VersionJson>('graphql', operation, { id, ...changes }, ada.key);
    expectRefusal(await act('submitAppVersion'), 'VALIDATION_FAILED', [
      'bannerUrl: http_error',
      'logoUrl: wrong_size',
    ]);
    expect(await checksOf(stage, id, 1)).toEqual([]);
    expectSuccess(await act('updateAppVersion', { logoUrl: pictures.url('/png/512x512'), bannerUrl: null }));
    expectSuccess(await act('submitAppVersion'));
    expect(await checksOf(stage, id, 2)).toHaveLength(3);
    // What waits is held to the same.
    const logoUrl = pictures.url('/png/9x9');
    expectRefusal(await act('updateAppVersion', { logoUrl }), 'VALIDATION_FAILED', ['logoUrl: wrong_size']);
    expectSuccess(await act('updateAppVersion', { bannerUrl: pictures.url('/png/1200x600') }));
    expect(await checksOf(stage, id, 3)).toHaveLength(4);
    expect(await findingsInQueue(stage, app.id)).toEqual([]);
  });

  it('of a version that was edited meanwhile must be repeated, and fetches nothing in vain (D63)', async () => {
    const { service, ada, pictures } = stage;
    const held = heldPicture('/held-version');
    const app = await service.anApp(ada, 'APPROVED', listing(stage, ...good));
    const screenshots = [{ url: held.url }, { url: pictures.url('/png/1280x720') }];
    const input = { appId: app.id, screenshots };
    const { id } = await service.doors.must<VersionJson>('createAppVersion', input, ada.token);
    const submission = service.doors.call('graphql', 'submitAppVersion', { id }, ada.token);
    await held.asked;
    await service.doors.must('updateAppVersion', { id, name: 'Edited meanwhile' }, ada.token);
    held.release();
    expectRefusal(await submission, 'REVISION_CONFLICT');
    expectSuccess(await service.doors.call('graphql', 'submitAppVersion', { id }, ada.token));
    const before = pictures.asked.length;
    const again = await service.doors.call('graphql', 'submitAppVersion', { id }, ada.token);
    expectRefusal(again, 'INVALID_TRANSITION');
    expect(pictures.asked).toHaveLength(before);
  });

  it('fetches nothing for an edit of a draft, for a stranger, or for what cannot be submitted', async () => {
    const { service, ada, pictures } = stage;
    const { id } = await service.anApp(ada, 'DRAFT', listing(stage, ...good));
    const waiting = await service.anApp(ada, 'PENDING', listing(stage, ...good));
    const stranger = await service.aDeveloper();
    const before = pictures.asked.length;
    await service.doors.must('updateApp', { id, logoUrl: pictures.url('/png/9x9') }, ada.token);
    const submit = (app: string, key: string) => service.doors.call('graphql', 'submitApp', { id: app }, key);
    expectRefusal(await submit(id, stranger.key), 'NOT_FOUND');
    expectRefusal(await submit(waiting.id, ada.key), 'INVALID_TRANSITION');
    expect(pictures.asked).toHaveLength(before);
  });
});

describe('a submission with ASSET_CHECKS=off (D24)', () => {
  const stage = stageWith({ ASSET_CHECKS: 'off', WORKER: 'inline' });

  it('is taken without anything being fetched, then or later', async () => {
    const { service, ada, pictures } = stage;
    const { id } = await service.anApp(ada, 'PENDING', listing(stage, '/png/1x1', '/missing'));
    expect(await service.sql("select from pgboss.job where name = 'asset-checks'")).toEqual([]);
    expect(await findingsOf(stage, id)).toEqual([]);
    expect(await findingsInQueue(stage, id)).toEqual([]);
    expect(pictures.asked).toEqual([]);
  });
});
