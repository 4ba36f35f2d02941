import type { ErrorDetail } from '../../errors.js';
import { nameSkeleton } from './name.rules.js';

/** Words that make a reader think that the marketplace itself speaks (D325). */
const roles = ['administrator', 'administration', 'admin', 'moderator', 'marketplace', 'support', 'official'];
/** Words that change nothing about that. */
const companions = ['team', 'staff', 'the'];

/** Digits and signs that stand for letters; 0 and 1 already look like them. */
const substitutes: Readonly<Record<string, string>> = {
  3: 'e',
  4: 'a',
  5: 's',
  7: 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};
const substitute = /[3457@$!]/g;

/** The names that nobody may use because they look like the marketplace itself (D325). */
export class ReservedNames {
  private readonly reserved: readonly string[];
  private readonly others: readonly string[];

  /** `own` are the names of the service, besides the reserved words. */
  constructor(own: readonly string[] = []) {
    this.reserved = [...roles, ...own].flatMap(forms);
    this.others = companions.flatMap(forms);
  }

  /** Returns true for a name that consists of reserved words alone, with `team`, `staff` and `the` or without them. */
  includes(name: string): boolean {
    const spelt = name.replaceAll(substitute, (sign) => substitutes[sign] ?? sign);
    return [name, spelt].some((form) => this.isComposed(nameSkeleton(form)));
  }

  /** Returns a problem for each of the fields whose value is reserved. */
  problemsOf(fields: Readonly<Record<string, unknown>>): ErrorDetail[] {
    return Object.entries(fields)
      .filter(([, value]) => typeof value === 'string' && this.includes(value))
      .map(([field]) => ({
        field,
        code: 'reserved',
        message: `${field} is reserved for the marketplace itself. Choose another one.`,
      }));
  }

  /** A skeleton has no spaces, so it is split at every position that a word can end at, in linear time. */
  private isComposed(skeleton: string): boolean {
    // By position: whether words can end there, and whether one of them can be a reserved one.
    const ends = new Set([0]);
    const reservedEnds = new Set<number>();
    for (let at = 0; at < skeleton.length; at += 1) {
      if (!ends.has(at)) continue;
      const add = (words: readonly string[], isReserved: boolean) => {
        for (const word of words.filter((each) => skeleton.startsWith(each, at))) {
          ends.add(at + word.length);
          if (isReserved) reservedEnds.add(at + word.length);
        }
      };
      add(this.reserved, true);
      add(this.others, reservedEnds.has(at));
    }
    return reservedEnds.has(skeleton.length);
  }
}

/** The skeletons of a word and of its plural; none for a word without letters and digits. */
function forms(word: string): string[] {
  const skeleton = nameSkeleton(word);
  return /[\p{L}\p{N}]/u.test(skeleton) ? [skeleton, nameSkeleton(`${word}s`)] : [];
}
