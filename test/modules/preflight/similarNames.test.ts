import { describe, expect, it } from '@jest/globals';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { ormOptions } from '../../../mikro-orm.config.js';
import { fillSkeletons } from '../../../src/modules/names/name.queries.js';
import { soughtNearKeys, storedNearKeys } from '../../../src/modules/names/near-name.rules.js';
import { namesOfOthers } from '../../../src/modules/preflight/conflict.queries.js';
import { type AppJson, aListing, type ConnectionJson, type Json } from '../../support/actors.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { manyCopiesOf } from '../../support/copies.js';
import { startService } from '../../support/service.js';

describe('names that are almost the same', () => {
  const service = duringTests(() => startService({ ASSET_CHECKS: 'off' }));
  const orm = duringTests(() => MikroORM.init(ormOptions(service.databaseUrl, 2)));
  const ada = beforeTests(() => service.aDeveloper());
  const bob = beforeTests(() => service.aDeveloper());

  const nameFindings = async (id: string, by = ada) => {
    const { findings } = await service.client.must<{ findings: Json[] }>('preflight', { id }, by.token);
    return findings.filter(({ field }) => field === 'name');
  };
  const codesOf = async (name: string, by = ada) => {
    const { id } = await service.client.must<AppJson>('createApp', aListing({ name }), by.token);
    return (await nameFindings(id, by)).map(({ code }) => code);
  };
  const suspend = async (id: string) => service.administer('suspendApp', { id, reason: 'It misbehaves.' });

  it.each([
    ['a letter less', 'Time Tracker', 'Time Trackr'],
    ['a letter more', 'Time Trackr', 'Time Tracker'],
    ['a doubled letter', 'Time Tracker', 'Timme Tracker'],
    ['a doubled letter less', 'Planner', 'Planer'],
    ['the plural', 'Time Tracker', 'Time Trackers'],
    ['plurals of both words', 'Note Battery', 'Notes Batteries'],
    ['the plural of a short word', 'Note', 'Notes'],
    ['two letters exchanged', 'Time Tracker', 'Time Tarcker'],
    ['a hyphen and a letter less', 'Time Tracker', 'Time-Trackr'],
    ['look-alike letters and a letter less', 'Time Tracker', 'Тіmе Тrасkr'],
    ['two letters for one', 'Wave Maker', 'VVave Maker'],
    ['the same number', 'Photo Editor 2', 'Photo Editr 2'],
  ])('are a warning that links to the public app: %s (D421)', async (_, theirs, mine) => {
    const { id } = await service.anApp(bob, 'APPROVED', { name: theirs });
    const draft = await service.client.must<AppJson>('createApp', aListing({ name: mine }), ada.token);
    expect(await nameFindings(draft.id)).toMatchObject([
      { severity: 'WARNING', code: 'similar_name', message: expect.stringContaining(`"${theirs}"`) },
    ]);
    expect(await codesOf(mine, bob)).toEqual([]);
    await suspend(id);
    expect(await nameFindings(draft.id)).toEqual([]);
  });

  it.each([
    ['Time Tracker', 'Tide Tracker'],
    ['Chart', 'Cart'],
    ['Blocks', 'Locks'],
    ['Painter', 'Printer'],
    ['Photo Editor 2', 'Photo Editor 3'],
    ['Photo Editor', 'Photo Editor 2'],
    ['Straw 1', 'Straw 11'],
    ['Filing', 'Fling Tool'],
    ['タスク管理', 'タスク'],
  ])('are not %s and %s (D421)', async (theirs, mine) => {
    const { id } = await service.anApp(bob, 'APPROVED', { name: theirs });
    expect(await codesOf(mine)).toEqual([]);
    await suspend(id);
  });

  it('need no reason, are stored with the decision, and are not repeated for a version with the same name (D421)', async () => {
    const original = await service.anApp(bob, 'APPROVED', { name: 'Invoice Printer' });
    const clone = await service.anApp(ada, 'PENDING', { name: 'Invoice Printr' });
    const admin = await service.admin();
    const seen =
      'query ($id: ID!) { app: adminApp(id: $id) { submissions { edges { node { id } } } findings { code needsReason about { id } } } }';
    const { app } = await service.client.queryData<{
      app: { findings: Json[]; submissions: ConnectionJson };
    }>(seen, { id: clone.id }, admin);
    const finding = { code: 'similar_name', needsReason: false, about: { id: original.id } };
    expect(app.findings).toContainEqual(finding);
    await service.administer('approveApp', { id: clone.id, revision: clone.revision });
    const decided =
      'query ($id: ID!) { node(id: $id) { ... on Submission { findings { code needsReason about { id } } } } }';
    const { node } = await service.client.queryData<{ node: Json }>(
      decided,
      { id: app.submissions.edges[0]!.node.id },
      admin,
    );
    expect(node.findings).toContainEqual(finding);
    // Both are public now: neither has to explain its name again.
    for (const [by, { id }] of [
      [bob, original],
      [ada, clone],
    ] as const) {
      expect(await nameFindings(id, by)).toEqual([]);
      const version = await service.client.must<AppJson>(
        'createAppVersion',
        { appId: id, description: 'Better.' },
        by.token,
      );
      expect(await nameFindings(version.id, by)).toEqual([]);
    }
  });

  it('have a bounded number of keys, whatever the name (D421)', () => {
    for (const name of [
      'ab'.repeat(50),
      '\ufdfa'.repeat(100),
      '🦊'.repeat(50),
      '𝐓𝐢'.repeat(50),
      '12 '.repeat(33),
    ]) {
      expect(storedNearKeys(name).length).toBeLessThanOrEqual(41);
      expect(soughtNearKeys(name).length).toBeLessThanOrEqual(81);
    }
  });

  it('are found among many through an index (D421)', async () => {
    const { id } = await service.anApp(bob, 'APPROVED', { name: 'Haystack Needle' });
    const name = "'Straw ' || md5(n::text)";
    await manyCopiesOf(service, id, 5000, { slug: "'hay-' || n", name, sort_name: `lower(${name})` });
    await service.sql('select rebuild_catalog()');
    await fillSkeletons(() => orm.em.fork() as EntityManager, new AbortController().signal);
    expect(await codesOf('Haystack Needl')).toEqual(['similar_name']);
    await service.sql('vacuum analyze');
    const [draft] = await service.sql<{ id: string }>("select id from apps where name = 'Haystack Needl'");
    const { sql, parameters } = namesOfOthers([{ appId: draft!.id, name: 'Haystack Needl' }], null).compile(
      (orm.em.fork() as EntityManager).getKysely(),
    );
    const [row] = await service.sql<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, format json) ${sql}`,
      [...parameters],
    );
    const { Plan: plan } = row!['QUERY PLAN'][0];
    // Three or four pages for each of the keys; the tables have more than a thousand.
    expect(plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!).toBeLessThan(200);
  });
});
