import type { ErrorDetail } from '../../errors.js';
import { spellSignsAndDigits } from './look-alike.rules.js';
import { nameSkeleton } from './name.rules.js';

/** Words that make a reader think that the marketplace itself speaks (D325). */
const roles = ['administrator', 'administration', 'admin', 'moderator', 'marketplace', 'support', 'official'];
/** The same words in other languages. */
const translations = [
  'administrador administrateur amministratore moderador modérateur moderatore yönetici',
  'soporte suporte supporto destek oficial officiel ufficiale offiziell',
  'администратор админ модератор поддержка поддержки официальный адміністратор підтримка',
  '管理员 管理員 管理者 官方 公式 客服 サポート 관리자 운영자 공식 고객지원 المشرف الدعم व्यवस्थापक',
].flatMap((words) => words.split(' '));
/** Words that change nothing about that. */
const companions = 'team staff the security customer service help desk and of служба'.split(' ');

/** Digits, and what separates them from a name. */
const leadingNumber = /^[\p{N}\p{M}\p{P}\p{Z}]+/u;
const trailingNumber = /[\p{N}\p{M}\p{P}\p{Z}]+$/u;

/** The names that nobody may use because they look like the marketplace itself (D325). */
export class ReservedNames {
  private readonly reserved: readonly string[];
  private readonly others: readonly string[];

  /** `own` are the names of the service, besides the reserved words. */
  constructor(own: readonly string[] = []) {
    this.reserved = [...roles, ...translations, ...own].flatMap(formsOf);
    this.others = companions.flatMap(formsOf);
  }

  /** Returns true for a name that consists of reserved words alone, or of them with companions and with numbers at the ends. */
  includes(name: string): boolean {
    const unnumbered = name.replace(trailingNumber, '');
    const forms = [name, unnumbered, unnumbered.replace(leadingNumber, '')];
    return [...new Set(forms.flatMap((form) => [form, spellSignsAndDigits(form)]))].some((form) =>
      this.isComposed(nameSkeleton(form)),
    );
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
    // Positions at which words can end, and those at which one of the words can be a reserved one.
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
function formsOf(word: string): string[] {
  const skeleton = nameSkeleton(word);
  return /[\p{L}\p{N}]/u.test(skeleton) ? [skeleton, nameSkeleton(`${word}s`)] : [];
}
