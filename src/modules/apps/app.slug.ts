import { randomInt } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';

const maxLength = 60;
/** How many slugs of one name are numbered in turn. */
const numberedInTurn = 100;
/** Later ones get a number by chance, of nine digits: of so many, some are free. */
const chances = 10;
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

/**
 * Takes a free slug for a name: the first of the numbered ones, or one with a number by chance where all of those are
 * taken, so that it costs the same however many apps share a name. Nobody else can take it until this transaction is over.
 */
export async function takeSlug(em: EntityManager, name: string): Promise<string> {
  const base = slugify(name);
  const inTurn = Array.from({ length: numberedInTurn }, (_, index) => numbered(base, index + 1));
  const first = await take(
    em,
    inTurn.filter((candidate) => !reserved.has(candidate)),
  );
  if (first) return first;
  const byChance = Array.from({ length: chances }, () => numbered(base, randomInt(1e8, 1e9)));
  const slug = await take(em, byChance);
  if (!slug) throw new Error(`no slug was free for a name of the stem ${base}`);
  return slug;
}

async function take(em: EntityManager, candidates: readonly string[]): Promise<string | null> {
  const rows: { slug: string | null }[] = await em.execute('select take_slug(?::text[]) as slug', [
    `{${candidates.join()}}`,
  ]);
  return rows[0]?.slug ?? null;
}
