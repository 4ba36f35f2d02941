import type { EntityManager } from '@mikro-orm/postgresql';
import { App } from './app.entity.js';

const maxLength = 60;
const batch = 500;
/** Words that stand in public paths themselves. */
const reserved = new Set(['featured', 'categories', 'list', 'install']);

/** Latin letters that do not come apart into a plain one and an accent. */
const spelled: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
};

/** The slug a name asks for: ASCII, lower case, accents folded. */
function slugify(name: string): string {
  const letters = name.toLowerCase().replace(/[ßæœøđðþłı]/g, (letter) => spelled[letter] ?? '');
  const words =
    letters
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, maxLength).replace(/-+$/, '') || 'app';
}

const numbered = (base: string, number: number) => {
  if (number === 1) return base;
  const suffix = `-${number}`;
  return base.slice(0, maxLength - suffix.length).replace(/-+$/, '') + suffix;
};

/** Finds the first free slug for a name; whoever else asks for one like it waits until this transaction is over. */
export async function takeSlug(em: EntityManager, name: string): Promise<string> {
  const base = slugify(name);
  // Every candidate of a base begins with this stem, so the lock covers all names that could clash.
  const stem = base.split('-', 1)[0]!.slice(0, maxLength - 10);
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`slug:${stem}`]);
  for (let first = 1; ; first += batch) {
    const candidates = Array.from({ length: batch }, (_, index) => numbered(base, first + index));
    const taken = await em.find(App, { slug: candidates }, { fields: ['slug'], disableIdentityMap: true });
    const unavailable = new Set([...reserved, ...taken.map((app) => app.slug)]);
    const free = candidates.find((candidate) => !unavailable.has(candidate));
    if (free) return free;
  }
}
