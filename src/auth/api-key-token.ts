import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const format = /^mkt_[0-9A-Za-z]{38}$/;

/** Returns the CRC-32 (IEEE) in base62, padded to six characters, so that a typo is rejected without a query. */
function checksum(body: string): string {
  let digits = '';
  for (let rest = crc32(body); rest > 0; rest = Math.floor(rest / 62)) digits = alphabet[rest % 62] + digits;
  return digits.padStart(6, '0');
}

/** Generates a key: `mkt_`, 32 random base62 characters and a checksum. It is shown once; only its hash is stored. */
export function newApiKeyToken(): string {
  const body = `mkt_${Array.from({ length: 32 }, () => alphabet[randomInt(62)]).join('')}`;
  return body + checksum(body);
}

/** Distinguishes API keys from account tokens by their prefix. */
export const looksLikeApiKey = (bearer: string) => bearer.startsWith('mkt_');

export const isWellFormedApiKey = (token: string) =>
  format.test(token) && token.slice(36) === checksum(token.slice(0, 36));

/** Returns the hash under which a key is stored. A key has 190 random bits, so no salt or slow hash is needed. */
export const hashApiKey = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Returns the masked form in which a key is shown, such as `mkt_ab12…wxyz`. */
export const maskApiKey = (token: string) => `${token.slice(0, 8)}…${token.slice(-4)}`;
