import { describe, expect, it } from '@jest/globals';
import { findingCodes } from '../../../src/modules/listings/finding.types.js';
import type { Listing } from '../../../src/modules/listings/listing.entity.js';
import { findingsOf } from '../../../src/modules/listings/listing.rules.js';
import { type AppJson, type Json, unique } from '../../support/actors.js';
import type { Input } from '../../support/api-client.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { mayFetch, startPictureServer } from '../../support/pictures.js';
import { startService } from '../../support/service.js';
import { listing } from './checker-stage.js';

interface Preflight {
  ready: boolean;
  findings: { field: string; severity: string; code: string; message: string; fix: string }[];
}

describe.each(['warn', 'enforce', 'off'] as const)('preflight with ASSET_CHECKS=%s', (mode) => {
  const pictures = duringTests(startPictureServer);
  const service = duringTests(() => startService({ ASSET_CHECKS: mode }, undefined, mayFetch(pictures)));
  const ada = beforeTests(() => service.aDeveloper());

  const screenshots = (...paths: string[]) => paths.map((path) => ({ url: pictures.url(path) }));
  const goodListing = () => ({
    logoUrl: pictures.url('/png/512x512'),
    bannerUrl: pictures.url('/jpg/1200x600'),
    websiteUrl: pictures.serve('/site', (_, response) => response.end('Welcome')),
    screenshots: screenshots('/png/1280x720', '/jpg/1920x1080'),
  });
  const aDraft = (listing: Input): Promise<AppJson> =>
    service.client.must(
      'createApp',
      {
        name: unique('App'),
        description: 'Counts.',
        category: 'OTHER',
        environment: 'production',
        ...listing,
      },
      ada.token,
    );
  const preflight = (id: string, bearer = ada.key) =>
    service.client.call<Preflight>('graphql', 'preflight', { id }, bearer);
  const found = async (listing: Input) => {
    const data = expectSuccess(await preflight((await aDraft(listing)).id));
    const findings = data.findings.map(({ field, severity, code }) => `${severity} ${field}: ${code}`);
    return { ready: data.ready, findings: findings.sort() };
  };
  const imageSeverity = mode === 'enforce' ? 'ERROR' : 'WARNING';

  it('has no findings for a listing that follows every rule (D24)', async () => {
    expect(await found(goodListing())).toEqual({ ready: true, findings: [] });
  });

  it('finds four problems at once, each with what to do about it (D22, D24)', async () => {
    const { id } = await aDraft({
      description: 'It counts. It adds. It subtracts. It is done.',
      bannerUrl: pictures.url('/png/640x480'),
      screenshots: screenshots('/png/1280x720'),
    });
    const { data } = await preflight(id);
    expect(data).toMatchObject({
      ready: false,
      findings: [
        {
          field: 'screenshots',
          severity: 'ERROR',
          code: 'too_few',
          message: 'screenshots must have at least 2 items (it has 1).',
          fix: 'Add screenshots of at least 1280×720 pixels: two to six.',
        },
        {
          field: 'logoUrl',
          severity: 'WARNING',
          code: 'missing',
          message: 'There is no logo.',
          fix: 'Add a square PNG or JPG of at least 512×512 pixels.',
        },
        {
          field: 'description',
          severity: 'WARNING',
          code: 'too_long',
          message: 'The description has 4 sentences; listings show one or two.',
          fix: expect.stringContaining('longDescription'),
        },
        ...(mode === 'off'
          ? []
          : [
              {
                field: 'bannerUrl',
                severity: imageSeverity,
                code: 'wrong_size',
                message: 'The image is 640×480 pixels.',
                fix: 'Use a PNG or JPG of exactly 1200×600 pixels.',
              },
            ]),
      ],
    });
  });

  it('tells the measures of each image, and after a submission so does the app', async () => {
    const { id } = await aDraft({ ...goodListing(), bannerUrl: pictures.url('/png/640x480') });
    const fields = '{ field url width height type bytes ok }';
    const { preflight: fresh, myApp } = await service.client.queryData<{
      preflight: { images: Json[] };
      myApp: { images: Json[] };
    }>(
      `query ($id: ID!) { preflight(id: $id) { images ${fields} } myApp(id: $id) { images ${fields} } }`,
      { id },
      ada.token,
    );
    expect(myApp.images).toEqual([]);
    if (mode === 'off') return expect(fresh.images).toEqual([]);
    const bytes = expect.any(Number);
    const image = (field: string, path: string, width: number, height: number, ok: boolean) => ({
      ...{ field, url: pictures.url(path), width, height, ok, bytes },
      type: path.slice(1, 4),
    });
    expect(fresh.images.toSorted((a, b) => String(a.field).localeCompare(String(b.field)))).toEqual([
      image('bannerUrl', '/png/640x480', 640, 480, false),
      image('logoUrl', '/png/512x512', 512, 512, true),
      image('screenshots.0.url', '/png/1280x720', 1280, 720, true),
      image('screenshots.1.url', '/jpg/1920x1080', 1920, 1080, true),
    ]);
    if (mode !== 'enforce') return;
    const good = await aDraft(goodListing());
    await service.client.must('submitApp', { id: good.id }, ada.token);
    const { reviewItem } = await service.client.queryData<{ reviewItem: { app: { images: Json[] } } }>(
      `query ($id: ID!) { reviewItem(id: $id) { app { images ${fields} } } }`,
      { id: good.id },
      await service.admin(),
    );
    expect(reviewItem.app.images).toHaveLength(4);
    expect(reviewItem.app.images).toContainEqual(image('bannerUrl', '/jpg/1200x600', 1200, 600, true));
  });

  it('checks every picture, and never fetches from private addresses (D24)', async () => {
    const before = pictures.asked.length;
    const report = await found({
      logoUrl: pictures.url('/png/100x100'),
      bannerUrl: pictures.url('/missing'),
      websiteUrl: pictures.url('/missing'),
      screenshots: [
        ...screenshots('/png/1x1', '/png/1280x720'),
        { url: 'http://localhost:4000/' },
        { url: 'http://[::1]:4000/' },
        { url: 'https://nowhere.example.com/1.png' },
      ],
    });
    if (mode === 'off') {
      expect(report).toEqual({ ready: true, findings: [] });
      expect(pictures.asked).toHaveLength(before);
      return;
    }
    expect(report).toEqual({
      ready: mode === 'warn',
      findings: [
        `${imageSeverity} bannerUrl: http_error`,
        `${imageSeverity} logoUrl: wrong_size`,
        `${imageSeverity} screenshots.0.url: wrong_size`,
        `${imageSeverity} screenshots.2.url: not_public`,
        `${imageSeverity} screenshots.3.url: not_public`,
        `${imageSeverity} screenshots.4.url: unreachable`,
        'WARNING websiteUrl: http_error',
      ].sort(),
    });
  });

  it('returns exactly the problems of a submission (D22, D24)', async () => {
    for (const listing of [
      goodListing(),
      { ...goodListing(), screenshots: screenshots('/png/1280x720') },
      { ...goodListing(), logoUrl: pictures.url('/png/511x512') },
      { ...goodListing(), screenshots: screenshots('/nothing'), bannerUrl: pictures.url('/png/1x1') },
      { ...goodListing(), websiteUrl: pictures.url('/missing') },
    ]) {
      const { id } = await aDraft(listing);
      const { data } = await preflight(id);
      const submission = await service.client.call('graphql', 'submitApp', { id }, ada.key);
      const errors = data.findings.filter(({ severity }) => severity === 'ERROR');
      expect(submission.code).toBe(data.ready ? null : 'VALIDATION_FAILED');
      expect(submission.details).toEqual(
        errors.map(({ field, code, message, fix }) => ({ field, code, message: `${message} ${fix}` })),
      );
    }
  });

  if (mode !== 'warn') return;

  it('warns of a name that is that of another developer’s public app, whatever the case', async () => {
    const grace = await service.aDeveloper();
    const name = unique('Ünique Counter');
    const { id } = await service.anApp(grace, 'APPROVED', { name });
    const mine = { ...goodListing(), name: name.toUpperCase() };
    const finding = ['WARNING name: duplicate'];
    expect(await found(mine)).toEqual({ ready: true, findings: finding });
    await service.administer('suspendApp', { id, reason: 'It misbehaves.' });
    expect(await found(mine)).toEqual({ ready: true, findings: [] });
    const { id: own } = await service.anApp(ada, 'APPROVED', { name: unique('Mine') });
    const { name: ownName } = await service.client.must<{ name: string }>('myApp', { id: own }, ada.token);
    expect(await found({ ...goodListing(), name: ownName })).toEqual({ ready: true, findings: [] });
    await service.anApp(grace, 'PENDING', { name: 'Only Pending' });
    expect(await found({ ...goodListing(), name: 'Only Pending' })).toEqual({ ready: true, findings: [] });
  });

  it('accepts the id of a version too, and returns the problems of its submission (D63)', async () => {
    const name = unique('Taken');
    await service.anApp(await service.aDeveloper(), 'APPROVED', { name });
    const { id: appId } = await service.anApp(ada, 'APPROVED', goodListing());
    const changes = { name, bannerUrl: pictures.url('/png/1x1'), screenshots: null };
    const { id } = await service.client.must<Json>('createAppVersion', { appId, ...changes }, ada.token);
    const { data } = await preflight(id);
    expect(data.ready).toBe(false);
    expect(data.findings.map(({ severity, field, code }) => `${severity} ${field}: ${code}`)).toEqual([
      'ERROR screenshots: too_few',
      'WARNING name: duplicate',
      'WARNING bannerUrl: wrong_size',
    ]);
    expect((await preflight(appId)).data).toMatchObject({ ready: true, findings: [] });
    expectError(await preflight(id, (await service.aDeveloper()).key), 'NOT_FOUND');
  });

  it.each([
    ['Counts.', 1],
    ['Counts your tasks, e.g. those of 3.5 days! Really.', 2],
    ['No full stop', 1],
    ['One. Two. Three.', 3],
    ['数える。足す。引く。', 3],
  ])('counts the sentences of %j: %d', async (description, count) => {
    const { findings } = await found({ ...goodListing(), description });
    expect(findings).toEqual(count > 2 ? ['WARNING description: too_long'] : []);
  });

  it('checks a listing that was stored under older rules against the current ones (D23)', async () => {
    const { id } = await aDraft(goodListing());
    await service.sql("update apps set name = repeat('x', 101), description = '' where id = $1", [id]);
    const { data } = await preflight(id);
    expect(data.ready).toBe(false);
    expect(data.findings.map(({ field, code }) => `${field}: ${code}`)).toEqual([
      'name: too_long',
      'description: too_short',
    ]);
  });

  it('changes nothing, in any state of the app', async () => {
    for (const status of ['DRAFT', 'PENDING', 'APPROVED', 'REJECTED', 'SUSPENDED'] as const) {
      const { id } = await service.anApp(ada, status, goodListing());
      const before = await service.client.must('myApp', { id }, ada.token);
      expectSuccess(await preflight(id));
      expect(await service.client.must('myApp', { id }, ada.token)).toEqual(before);
      expect(await service.sql('select from asset_checks where app_id = $1', [id])).toEqual([]);
    }
  });
});

describe('the code of a finding', () => {
  const notes = listing({ logoUrl: 'https://pictures.example/logo.png' });
  const wrong: [string, object][] = [
    ['too_short', { name: ' ' }],
    ['too_long', { name: 'x'.repeat(101) }],
    ['too_long', { longDescription: 'x'.repeat(100_000) }],
    ['invalid_characters', { name: 'a\u202eb' }],
    ['invalid_characters', { description: `a${'\u0301'.repeat(40)}` }],
    ['invalid_url', { websiteUrl: 'ftp://ada.example' }],
    ['invalid_value', { category: 'NONSENSE' }],
    ['invalid_type', { name: 7 }],
    ['too_small', { screenshots: [{ url: 'https://ada.example/1.png', order: -1 }] }],
    ['too_big', { screenshots: [{ url: 'https://ada.example/1.png', order: 1_001 }] }],
    ['required', { screenshots: [{ caption: 'Without a URL' }] }],
    ['unknown_field', { screenshots: [{ url: 'https://ada.example/1.png', size: 1 }] }],
    ['too_many', { screenshots: Array.from({ length: 7 }, () => ({ url: 'https://ada.example/1.png' })) }],
    ['too_few', {}],
    ['missing', { logoUrl: null }],
  ];

  it.each(wrong)('is %s for %j, a value of the enum (D150)', (code, fields) => {
    const codes = findingsOf({ ...notes, ...fields } as Listing).map((finding) => finding.code);
    expect(codes).toContain(code);
    expect(Object.keys(findingCodes)).toEqual(expect.arrayContaining(codes));
  });
});
