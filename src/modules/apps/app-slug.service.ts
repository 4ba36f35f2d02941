import { randomInt } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';

const maxLength = 60;
/** Number of slugs per name that get a sequential suffix: `notes`, `notes-2` … `notes-100`. */
const sequentialSlugs = 100;
/** Number of random nine-digit suffixes to try after that. */
const randomSlugs = 10;
/** Path segments of the public API, which no app may use as its slug. */
const reserved = new Set(['featured', 'categories', 'list', 'install']);

/** Latin letters that Unicode does not decompose into a base letter and an accent. */
const transliterations: Record<string, string> = {
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

/** Converts a name to lower-case ASCII words joined by hyphens. */
function slugify(name: string): string {
  const letters = name.toLowerCase().replace(/[ßæœøđðþłı]/g, (letter) => transliterations[letter] ?? '');
  const words =
    letters
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, maxLength).replace(/-+$/, '') || 'app';
}

const withSuffix = (base: string, number: number) => {
  if (number === 1) return base;
  const suffix = `-${number}`;
  return base.slice(0, maxLength - suffix.length).replace(/-+$/, '') + suffix;
};

/**
 * Reserves a free slug for a name until the transaction ends: the first free sequential one, else one with a random
 * suffix, so that the cost does not grow with the number of apps of the same name.
 */
export async function reserveSlug(em: EntityManager, name: string): Promise<string> {
  const base = slugify(name);
  const sequential = Array.from({ length: sequentialSlugs }, (_, index) => withSuffix(base, index + 1));
  const first = await reserveFirstFree(
    em,
    sequential.filter((candidate) => !reserved.has(candidate)),
  );
  if (first) return first;
  const random = Array.from({ length: randomSlugs }, () => withSuffix(base, randomInt(1e8, 1e9)));
  const slug = await reserveFirstFree(em, random);
  if (!slug) throw new Error(`All candidate slugs for the base ${base} are in use`);
  return slug;
}

async function reserveFirstFree(em: EntityManager, candidates: readonly string[]): Promise<string | null> {
  const rows: { slug: string | null }[] = await em.execute('select take_slug(?::text[]) as slug', [
    `{${candidates.join()}}`,
  ]);
  return rows[0]?.slug ?? null;
}
