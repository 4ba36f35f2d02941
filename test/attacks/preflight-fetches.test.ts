import { describe, expect, it } from '@jest/globals';
import { Scope } from '../../src/auth/scope.js';
import { listingWith, type PictureStage, startPictureStage } from '../modules/preflight/picture-stage.js';
import type { AppJson } from '../support/actors.js';
import { beforeTests, duringTests } from '../support/before-tests.js';
import { expectError, expectSuccess } from '../support/outcomes.js';
import { secondGateway } from '../support/service.js';

const paths = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => `/png/1280x720?${from + index}`);

describe('one document with many preflights', () => {
  const stage = duringTests(() => startPictureStage({ ASSET_CHECKS: 'warn' }));
  const app = beforeTests(() => stage.service.anApp(stage.ada, 'DRAFT', listingWith(stage, ...paths(0, 6))));

  const send = (document: string, variables = {}) =>
    stage.service.client.graphql(document, { id: app.id, ...variables }, stage.ada.token);
  const aliased = (count: number) =>
    Array.from({ length: count }, (_, at) => `p${at}: preflight(id: $id) { ready }`).join(' ');

  it.each([
    ['aliases', `query ($id: ID!) { ${aliased(8)} }`],
    [
      'a field and an alias',
      'query ($id: ID!) { preflight(id: $id) { ready } again: preflight(id: $id) { ready } }',
    ],
    [
      'a fragment',
      `query ($id: ID!) { ...F preflight(id: $id) { ready } } fragment F on Query { other: preflight(id: $id) { ready } }`,
    ],
    ['an inline fragment', `query ($id: ID!) { ... on Query { ${aliased(2)} } }`],
    [
      'conditions',
      'query ($id: ID!) { a: preflight(id: $id) @include(if: true) { ready } b: preflight(id: $id) @skip(if: false) { ready } }',
    ],
  ])('is QUERY_TOO_COMPLEX, by %s, and nothing is fetched (D321)', async (_, document) => {
    const before = stage.pictures.asked.length;
    // Twice: the second time without Apollo.
    for (let time = 0; time < 3; time += 1) {
      const { errors } = await send(document);
      expect(errors?.[0]?.extensions).toMatchObject({ code: 'QUERY_TOO_COMPLEX' });
    }
    expect(stage.pictures.asked).toHaveLength(before);
  });

  it('runs if they are the same field (D321)', async () => {
    const { errors } = await send(
      'query ($id: ID!) { preflight(id: $id) { ready } ...F } fragment F on Query { preflight(id: $id) { findings { code } } }',
    );
    expect(errors).toBeUndefined();
  });

  it('fetches each file once in some minutes, for all requests and developers (D355)', async () => {
    await send('query ($id: ID!) { preflight(id: $id) { ready } }');
    const before = stage.pictures.asked.length;
    for (let time = 0; time < 10; time += 1)
      expectSuccess(await stage.service.call('preflight', { id: app.id }, stage.ada.token));
    const eve = await stage.service.aDeveloper();
    const copy = await stage.service.anApp(eve, 'DRAFT', listingWith(stage, ...paths(0, 6)));
    expectSuccess(await stage.service.call('preflight', { id: copy.id }, eve.token));
    expect(stage.pictures.asked).toHaveLength(before);
  });
});

describe('a developer whose key checks again and again', () => {
  let lastPicture = 1_000;
  /** An app with pictures that nobody has fetched yet. */
  const freshApp = (stage: PictureStage, developer = stage.ada) => {
    lastPicture += 2;
    return stage.service.anApp(developer, 'DRAFT', listingWith(stage, ...paths(lastPicture, 2)));
  };

  it.each(['warn', 'enforce'])(
    'has a daily quota, at two gateways together, and still submits, with ASSET_CHECKS=%s (D355)',
    async (mode) => {
      const settings = { ASSET_CHECKS: mode, QUOTA_PREFLIGHTS: '6', RATE_LIMITS: 'off' };
      const stage = await startPictureStage(settings);
      const { service, ada } = stage;
      const other = await secondGateway(service, settings);
      const key = await service.aKey(ada, [Scope.APP_READ]);
      const preflight = ({ client }: Pick<typeof service, 'client'>, { id }: AppJson, bearer = key) =>
        client.call('graphql', 'preflight', { id }, bearer);
      const apps: AppJson[] = [];
      for (let at = 0; at < 10; at += 1) apps.push(await freshApp(stage));
      const outcomes = await Promise.all(apps.map((app, at) => preflight(at % 2 ? service : other, app)));
      const codes = outcomes.map(({ code }) => code).sort();
      expect(codes).toEqual([...Array(4).fill('QUOTA_EXCEEDED'), ...Array(6).fill(null)]);
      expect(outcomes.find(({ code }) => code)?.message).toContain('at most 6 times within 24 hours');
      const query = 'query ($id: ID!) { myApp(id: $id) { allowedActions { action } } }';
      expect((await service.client.graphql(query, { id: apps[0]!.id }, ada.token)).errors).toBeUndefined();
      // Submissions have a quota of their own, which the key has not used.
      const submit = ({ id }: AppJson) => service.client.call('rest', 'submitApp', { id }, ada.key);
      for (let time = 0; time < 6; time += 1) expectSuccess(await submit(await freshApp(stage)));
      const refused = await freshApp(stage);
      expectError(await submit(refused), 'QUOTA_EXCEEDED');
      // Another developer has a quota of their own, and the next day begins at zero.
      const eve = await service.aDeveloper();
      expectSuccess(await preflight(service, await freshApp(stage, eve), eve.token));
      await service.sql("update rate_limits set expire = 1 where key like 'quota:%'");
      expectSuccess(await submit(refused));
      expectSuccess(await preflight(service, await freshApp(stage)));
      await other.close();
      await stage.close();
    },
  );

  it.each(['warn', 'enforce'])(
    'spends nothing of it while the results are used again, with ASSET_CHECKS=%s (D355)',
    async (mode) => {
      const stage = await startPictureStage({ ASSET_CHECKS: mode, QUOTA_PREFLIGHTS: '2' });
      const { service, ada } = stage;
      const preflight = ({ id }: AppJson) => service.call('preflight', { id }, ada.key);
      const good = await freshApp(stage);
      const broken = await service.anApp(ada, 'DRAFT', listingWith(stage, '/missing?a', '/missing?b'));
      for (let time = 0; time < 5; time += 1)
        for (const app of [good, broken]) expectSuccess(await preflight(app));
      expectError(await preflight(await freshApp(stage)), 'QUOTA_EXCEEDED');
      for (const app of [good, broken]) expectSuccess(await preflight(app));
      await stage.close();
    },
  );
});
