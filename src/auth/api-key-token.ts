import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const shape = /^mkt_[0-9A-Za-z]{38}$/;

/** CRC-32 (IEEE) in base62, padded to six characters: a typo is refused without a query. */
function checksum(body: string): string {
  let digits = '';
  for (let rest = crc32(body); rest > 0; rest = Math.floor(rest / 62)) digits = alphabet[rest % 62] + digits;
  return digits.padStart(6, '0');
}

/** A new key: `mkt_`, 32 random base62 characters, a checksum. Shown once, then known only by its hash. */
export function newApiKeyToken(): string {
  const body = `mkt_${Array.from({ length: 32 }, () => alphabet[randomInt(62)]).join('')}`;
  return body + checksum(body);
}

/** API keys are told from account tokens by their shape alone. */
export const looksLikeApiKey = (bearer: string) => bearer.startsWith('mkt_');

export const isWellFormedApiKey = (token: string) =>
  shape.test(token) && token.slice(36) === checksum(token.slice(0, 36));

/** All that is stored of a key. The key has 190 random bits, so a plain hash is enough. */
export const hashApiKey = (token: string): Buffer => createHash('sha256').update(token).digest();

/** What people recognise a key by: `mkt_ab12…wxyz`. */
export const maskApiKey = (token: string) => `${token.slice(0, 8)}…${token.slice(-4)}`;
