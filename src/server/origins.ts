import type { Config } from '../config.js';

const loopback = String.raw`(?:(?:[\w-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])`;

/** Host names of this machine, as browsers spell them. */
export const loopbackHostname = new RegExp(`^${loopback}$`);
const loopbackOrigin = new RegExp(String.raw`^https?://${loopback}(?::\d{1,5})?$`);

type OriginConfig = Pick<Config, 'corsOrigins' | 'production'>;

/** Returns the origins whose pages may call the API: CORS_ORIGINS, and outside production every one on this machine (D141). */
export const allowedOrigins = ({ corsOrigins, production }: OriginConfig): readonly (string | RegExp)[] =>
  production ? corsOrigins : [...corsOrigins, loopbackOrigin];

/** Returns a function that tells whether an origin is one of these; `*` names none. */
export function originMatcher(config: OriginConfig): (origin: string | undefined) => boolean {
  const allowed = allowedOrigins(config);
  return (origin = '') =>
    allowed.some((entry) => (typeof entry === 'string' ? entry === origin : entry.test(origin)));
}
