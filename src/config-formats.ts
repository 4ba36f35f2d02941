import { isIP } from 'node:net';
import { z } from 'zod';

const listOf = (value: string): string[] =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

/** Networks in CIDR notation, separated by commas, such as `10.20.0.0/16,fd12::/16`. */
export const networks = z
  .string()
  .transform(listOf)
  .refine((given) => given.every(isNetwork), {
    error: 'must be networks such as 10.20.0.0/16 or fd12:3456::/32, separated by commas',
  });

function isNetwork(value: string): boolean {
  const [, address = '', bits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(value) ?? [];
  const family = isIP(address);
  return family > 0 && Number(bits) <= (family === 4 ? 32 : 128);
}
