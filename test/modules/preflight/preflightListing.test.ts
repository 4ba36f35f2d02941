import { describe, expect, it } from '@jest/globals';
import { aListing, unique } from '../../support/actors.js';
import type { Input } from '../../support/api-client.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { expectError, expectSuccess } from '../../support/outcomes.js';
import { mayFetch, startPictureServer } from '../../support/pictures.js';
import { startService } from '../../support/service.js';

interface Preflight {
  ready: boolean;
  findings: { field: string; severity: string; code: string }[];
}

describe('preflightListing', () => {
  const pictures = duringTests(startPictureServer);
  const service = duringTests(() => startService({ QUOTA_PREFLIGHTS: '8' }, undefined, mayFetch(pictures)));
  const ada = beforeTests(() => service.aDeveloper());

  const check = (input: Input, bearer: string | null = ada.key) =>
    service.client.call<Preflight>('graphql', 'preflightListing', input, bearer);
  const good = (fields: Input = {}) =>
    aListing({
      name: unique('Listing'),
      logoUrl: pictures.url('/png/512x512'),
      screenshots: ['/png/1280x720', '/jpg/1920x1080'].map((path) => ({ url: pictures.url(path) })),
      ...fields,
    });

  it('checks a listing that is not stored, pictures included, and stores nothing (D404)', async () => {
    expect(expectSuccess(await check(good()))).toMatchObject({ ready: true, findings: [] });
    const bad = await check(good({ logoUrl: pictures.url('/png/100x100'), screenshots: [] }));
    expect(bad.data.ready).toBe(false);
    expect(bad.data.findings.map(({ field, code }) => `${field}: ${code}`)).toEqual([
      'screenshots: too_few',
      'logoUrl: wrong_size',
    ]);
    expect(await service.client.must('myApps', {}, ada.key)).toEqual([]);
  });

  it('has the findings of preflight for the same listing (D404)', async () => {
    const other = await service.aDeveloper();
    const { name } = await service.anApp(other, 'APPROVED');
    const listing = good({ name: `${name}`, logoUrl: null, description: 'One. Two. Three. Four.' });
    const app = await service.anApp(ada, 'DRAFT', listing);
    const stored = await service.client.must<Preflight>('preflight', { id: app.id }, ada.key);
    const outcome = await check(listing);
    expect(outcome.data).toEqual(stored);
    expect(outcome.data.findings.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['duplicate', 'missing', 'too_long']),
    );
    // The name of one's own public app is free.
    const own = await check(listing, other.key);
    expect(own.data.findings.map(({ code }) => code)).not.toContain('duplicate');
  });

  it('reports every field that is not valid at once, as createApp does (D7, D404)', async () => {
    const outcome = await check(good({ name: '', logoUrl: 'ftp://pictures.example/a.png' }));
    expectError(outcome, 'VALIDATION_FAILED', ['name: too_short', 'logoUrl: invalid_url']);
  });

  it('counts into the quota of checks (D355, D404)', async () => {
    const eve = await service.aDeveloper();
    for (let count = 0; count < 8; count += 1)
      expectSuccess(
        await check(good({ logoUrl: pictures.url(`/png/${600 + count}x${600 + count}`) }), eve.key),
      );
    expectError(await check(good({ logoUrl: pictures.url('/png/700x700') }), eve.key), 'QUOTA_EXCEEDED');
  });
});
