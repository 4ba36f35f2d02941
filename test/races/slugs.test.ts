import { beforeAll, describe, expect, it } from '@jest/globals';
import { aListing, type Developer } from '../support/actors.js';
import { callers, fifty, racing, tally, winners } from './race.js';

describe('fifty at once, with names that ask for the same slug', () => {
  let developers: Developer[];
  const { service, entry, gatedRace } = racing();
  beforeAll(async () => {
    developers = await Promise.all([service.aDeveloper(), service.aDeveloper(), service.aDeveloper()]);
  });

  const create = async (names: string[]) => {
    const outcomes = await gatedRace(
      'apps',
      names.map((name, i) => entry('createApp', aListing({ name }), developers[i % 3]!.key)),
    );
    expect(tally(outcomes)).toEqual({ OK: names.length });
    return winners(outcomes).map(({ slug }) => slug);
  };
  /** `name`, `name-2`, … without a gap. */
  const numbered = (base: string, count: number) =>
    Array.from({ length: count }, (_, i) => (i === 0 ? base : `${base}-${i + 1}`));

  it('create apps of one name: the slugs are numbered without a gap', async () => {
    const slugs = await create(fifty(() => 'Shared Calendar'));
    expect(slugs.toSorted()).toEqual(numbered('shared-calendar', callers).toSorted());
  });

  it('create apps "Foo" and "Foo 2": every slug is different, and each is the first that was free', async () => {
    // Now both names ask for "foo-2".
    const first = await create(['Foo']);
    const slugs = first.concat(await create(fifty((i) => (i % 2 ? 'Foo' : 'Foo 2'))));
    expect(new Set(slugs).size).toBe(callers + 1);
    // The first call gets "foo-2"; the rest of each name continues without a gap.
    const afterFoo2 = slugs.filter((slug) => slug.startsWith('foo-2-'));
    const others = slugs.filter((slug) => !slug.startsWith('foo-2-'));
    expect(afterFoo2.toSorted()).toEqual(
      numbered('foo-2', afterFoo2.length + 1)
        .slice(1)
        .toSorted(),
    );
    expect(others.toSorted()).toEqual(numbered('foo', others.length).toSorted());
  });

  it('create apps whose long names are cut to the same slug: all different, none above 60 characters', async () => {
    const slugs = await create(fifty((i) => `${'Longest '.repeat(8)}${'x'.repeat(i % 5)}`));
    expect(new Set(slugs).size).toBe(callers);
    expect(slugs.every((slug) => slug.length <= 60)).toBe(true);
  });
});
