import { createHash } from 'node:crypto';
import { newApiKeyToken } from '../../src/auth/api-key-token.js';

/** Forged credentials by kind of forgery. */
export type Forgeries = Record<string, string[]>;

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
export const indexesOf = (text: string) => [...text].map((_, index) => index);
/** Replaces the characters at an index. */
export const replaceAt = (text: string, at: number, replacement: string, removed = 1) =>
  text.slice(0, at) + replacement + text.slice(at + removed);
const flipped = (letter: string) =>
  letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();

/** API keys forged from a good one. */
export function forgedKeys(key: string, maskedKey: string): Forgeries {
  const other = newApiKeyToken();
  const hash = createHash('sha256').update(key).digest();
  const nextLetter = (letter: string, step: number) =>
    base62[(Math.max(base62.indexOf(letter), 0) + step) % 62] ?? '0';
  return {
    'a letter changed': indexesOf(key).flatMap((at) =>
      [1, 7, 31].map((step) => replaceAt(key, at, nextLetter(key[at]!, step))),
    ),
    'a letter in the other case': indexesOf(key).map((at) => replaceAt(key, at, flipped(key[at]!))),
    'a letter left out': indexesOf(key).map((at) => replaceAt(key, at, '')),
    'a letter more': indexesOf(key).map((at) => replaceAt(key, at, '0', 0)),
    'a letter doubled': indexesOf(key).map((at) => replaceAt(key, at, key[at]!, 0)),
    'two neighbours changed over': indexesOf(key).map((at) =>
      replaceAt(key, at, `${key[at + 1] ?? ''}${key[at]}`, 2),
    ),
    'a letter that no key has': ['-', '_', '.', '~', '+', '/', '=', '%', '*', '!', "'"].flatMap((letter) =>
      [4, 20, 41].map((at) => replaceAt(key, at, letter)),
    ),
    'cut short': indexesOf(key)
      .slice(4)
      .map((end) => key.slice(0, end)),
    'two keys in one': [key + key, key + other, `${key},${other}`, `${key};${key}`, `${other}.${key}`],
    'the checksum of another': [key.slice(0, 36) + other.slice(36), other.slice(0, 36) + key.slice(36)],
    'no checksum, or an empty one': [`${key.slice(0, 36)}000000`, key.slice(0, 36)],
    'well formed, but never issued': Array.from({ length: 100 }, () => newApiKeyToken()),
    'another prefix': ['MKT_', 'mkt-', 'sk_', 'mktt_', 'mkt__', ''].map((prefix) => prefix + key.slice(4)),
    'made of what the database stores': [
      maskedKey.replace('…', '...'),
      maskedKey.replace('…', ''),
      `mkt_${hash.toString('hex')}`,
      `mkt_${hash.toString('base64url').slice(0, 38)}`,
      hash.toString('hex'),
    ],
    'an injection': [
      `${key}' or '1'='1`,
      `' or ''='`,
      `${key}--`,
      `${key}%00`,
      '*',
      'mkt_%',
      '$1',
      '{"$ne":null}',
    ],
    'quoted or encoded': [`"${key}"`, `'${key}'`, encodeURIComponent(`${key} `), btoa(key), `<${key}>`],
  };
}
