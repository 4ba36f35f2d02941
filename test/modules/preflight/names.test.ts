import { describe, expect, it } from '@jest/globals';
import { type EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { ormOptions } from '../../../mikro-orm.config.js';
import { fillSkeletons } from '../../../src/modules/names/name.queries.js';
import { nameSkeleton } from '../../../src/modules/names/name.rules.js';
import { namesOfOthers } from '../../../src/modules/preflight/conflict.queries.js';
import { type AppJson, aListing } from '../../support/actors.js';
import { beforeTests, duringTests } from '../../support/before-tests.js';
import { manyCopiesOf } from '../../support/copies.js';
import { startService } from '../../support/service.js';

interface Preflight {
  findings: { field: string; severity: string; code: string; message: string }[];
}

describe('preflight of names', () => {
  const service = duringTests(() => startService({ ASSET_CHECKS: 'off' }));
  const orm = duringTests(() => MikroORM.init(ormOptions(service.databaseUrl, 2)));
  const ada = beforeTests(() => service.aDeveloper());

  /** The warnings about the name of a listing. */
  const duplicatesOf = async (id: string) => {
    const { findings } = await service.client.must<Preflight>('preflight', { id }, ada.key);
    return findings.filter(({ code }) => code === 'duplicate').map(({ message }) => message);
  };
  const duplicates = async (name: string) =>
    duplicatesOf((await service.client.must<AppJson>('createApp', aListing({ name }), ada.token)).id);
  const suspend = async (id: string) => service.administer('suspendApp', { id, reason: 'It misbehaves.' });

  it.each([
    ['in full-width letters', 'Ｔime Ｔracker'],
    ['in Cyrillic letters', 'Тіmе Тrасkеr'],
    ['in Cyrillic capitals', 'ТІМЕ ТRАСКЕR'],
    ['in small Cyrillic letters', 'тiме тrаскеr'],
    ['in Greek letters', 'Τime Τracκer'],
    ['in mathematical letters', '𝐓𝐢𝐦𝐞 𝓣𝓻𝓪𝓬𝓴𝓮𝓻'],
    ['with two blanks', 'Time  Tracker'],
    ['with a wide blank', 'Time\u3000Tracker'],
    ['in another case', 'tIME tRACKER'],
    ['in full-width letters of another case', 'ＴＩＭＥ ＴＲＡＣＫＥＲ'],
    ['with an L for an I', 'Tlme Tracker'],
    ['with a one for an I', 'T1me Tracker'],
    ['with r and n for an m', 'Tirne Tracker'],
  ])('warns of a name that looks like that of another developer’s public app: %s (D113)', async (_, name) => {
    const { id } = await service.anApp(await service.aDeveloper(), 'APPROVED', { name: 'Time Tracker' });
    expect(await duplicates(name)).toEqual([expect.stringContaining('"Time Tracker"')]);
    await suspend(id);
    expect(await duplicates(name)).toEqual([]);
  });

  it.each([
    ['a zero-width character', 'Time Tra\u200bcker'],
    ['a filler at the end', 'Time Tracker\u3164'],
    ['an override', '\u202eTime Tracker'],
    ['a blank of braille', 'Time\u2800Tracker'],
  ])('finds one with %s that was stored before the rule, on either side (D113)', async (_, odd) => {
    const store = (id: string) => service.sql('update apps set name = $2 where id = $1', [id, odd]);
    const theirs = await service.anApp(await service.aDeveloper(), 'APPROVED', { name: 'Time Tracker' });
    const mine = await service.anApp(ada);
    await store(mine.id);
    expect(await duplicatesOf(mine.id)).toHaveLength(1);
    await store(theirs.id);
    expect(await duplicates('Time Tracker')).toHaveLength(1);
    await suspend(theirs.id);
  });

  it('warns of a plain name that looks like an unusual public one, and follows renames (D113)', async () => {
    const { id } = await service.anApp(await service.aDeveloper(), 'APPROVED', { name: 'Ｐаypal Вutler' });
    expect(await duplicates('PaypaI Butler')).toEqual([expect.stringContaining('"Ｐаypal Вutler"')]);
    const edit = { id, name: 'Something Else', reason: 'It must be.' };
    await service.administer('editApp', edit);
    expect(await duplicates('PaypaI Butler')).toEqual([]);
    expect(await duplicates('SOMETHING  EISE')).toHaveLength(1);
  });

  it.each([
    ['Time Tracker', 'Tide Tracker'],
    ['Notes', 'Votes'],
    ['Bear', 'Beer'],
    ['タスク', 'メモ'],
    ['Νέα', 'Όχι'],
    ['Café', 'Cave'],
  ])('does not confuse %s with %s (D113)', async (theirs, mine) => {
    const { id } = await service.anApp(await service.aDeveloper(), 'APPROVED', { name: theirs });
    expect(await duplicates(mine)).toEqual([]);
    await suspend(id);
  });

  it.each([...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'])(
    'the letter %s looks the same in either case (D113)',
    (letter) => {
      expect(nameSkeleton(letter)).toBe(nameSkeleton(letter.toLowerCase()));
    },
  );

  it('a skeleton has a bounded length, whatever the name (D113)', () => {
    for (const character of ['\ufdfa', '🦊', 'm', '\u{2f801}', 'x\u0301'])
      expect(nameSkeleton(character.repeat(100)).length).toBeLessThanOrEqual(200);
  });

  it('finds a look-alike among many through an index, those of the first release included (D113)', async () => {
    const { id } = await service.anApp(await service.aDeveloper(), 'APPROVED', { name: 'Needle' });
    const straw = { slug: "'straw-' || n", name: "'Straw ' || n", sort_name: "'straw ' || n" };
    await manyCopiesOf(service, id, 5000, straw);
    await service.sql('select rebuild_catalog()');
    // As after the migration: no public name has its skeleton yet, and is found by its letters until then.
    expect(await service.sql('select from app_names where skeleton is not null')).toEqual([]);
    expect(await duplicates('nEEDLE')).toHaveLength(1);
    await fillSkeletons(() => orm.em.fork() as EntityManager, new AbortController().signal);
    expect(await service.sql('select from app_names where skeleton is null')).toEqual([]);
    expect(await duplicates('NeedIe')).toHaveLength(1);
    await service.sql('vacuum analyze');
    const [draft] = await service.sql<{ id: string }>("select id from apps where name = 'NeedIe'");
    // Three or four pages for each look-up; the tables have hundreds.
    expect(await buffersFor(draft!.id, 'NeedIe')).toBeLessThan(60);
  });

  /** Returns the number of pages that the statement reads. */
  const buffersFor = async (id: string, name: string) => {
    const statement = namesOfOthers([{ appId: id, name }], null);
    const { sql, parameters } = statement.compile((orm.em.fork() as EntityManager).getKysely());
    const [row] = await service.sql<{ 'QUERY PLAN': [{ Plan: Record<string, number> }] }>(
      `explain (analyze, buffers, format json) ${sql}`,
      [...parameters],
    );
    const { Plan: plan } = row!['QUERY PLAN'][0];
    return plan['Shared Hit Blocks']! + plan['Shared Read Blocks']!;
  };
});
