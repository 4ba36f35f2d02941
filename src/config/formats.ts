import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { z } from 'zod';

export const url = (protocols: string[]) =>
  z.string().refine((value) => URL.canParse(value) && protocols.includes(new URL(value).protocol), {
    error: `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  });
export const oneOf = <const T extends readonly [string, ...string[]]>(...values: T) =>
  z.enum(values, { error: `must be one of: ${values.join(', ')}` });

const listOf = (value: string): string[] =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);

/** A list whose items are separated by commas, and are all valid. */
const list = (isValid: (item: string) => boolean, error: string) =>
  z
    .string()
    .transform(listOf)
    .refine((given) => given.every(isValid), { error });

/** Networks in CIDR notation, such as `10.20.0.0/16,fd12::/16`. */
export const networks = list(
  isNetwork,
  'must be networks such as 10.20.0.0/16 or fd12:3456::/32, separated by commas',
);

/** Addresses of PostgreSQL servers. */
export const databaseUrls = list(
  (url) => URL.canParse(url) && /^postgres(ql)?:\/\/[^/]/.test(url),
  'must be URLs that start with postgresql://, separated by commas',
);

const keyFormat = /^[A-Za-z0-9+/]{43}=$/;
/** Parses base64 keys of 32 bytes, separated by commas; returns null if one is malformed. */
export function parseSecretKeys(value: string): Buffer[] | null {
  const given = value.split(',').map((part) => part.trim());
  return given.every((part) => keyFormat.test(part))
    ? given.map((part) => Buffer.from(part, 'base64'))
    : null;
}
/** Keys for secrets. */
export const secretKeys = z.string().transform((value, context): Buffer[] => {
  const keys = parseSecretKeys(value);
  if (keys) return keys;
  context.addIssue(
    'must be one or several keys of 32 bytes in base64, separated by commas (openssl rand -base64 32 makes one)',
  );
  return z.NEVER;
});

/** E-mail addresses; each is kept once, whatever its case. */
export const mailAddresses = list(
  (address) => /^[^\s@<>]{1,64}@[^\s@<>]{1,189}$/.test(address),
  'must be e-mail addresses such as reviews@product.example, separated by commas',
).transform((given) => {
  const lower = given.map((address) => address.toLowerCase());
  return given.filter((_, at) => lower.indexOf(lower[at]!) === at);
});

/** Issuers of identity tokens; `none` for none. Each is compared exactly with the claim of a token. */
export const issuers = z
  .string()
  .transform((value) => (value.trim() === 'none' ? '' : value))
  .pipe(
    list(
      (issuer) => /^https?:\/\/[^\s/]+(\/\S*)?$/.test(issuer) && URL.canParse(issuer),
      'must be none, or URLs of OIDC issuers such as https://gitlab.example, separated by commas',
    ),
  );

/** Names that nobody may use, separated by commas. */
export const reservedNames = z
  .string()
  .transform(listOf)
  .refine((given) => given.length <= 100 && given.every((name) => name.length <= 100), {
    error: 'must be at most 100 names of at most 100 characters, separated by commas',
  });

/** Returns the name in a sender such as `Marketplace <marketplace@example.com>`; an empty text if it has none. */
export const senderName = (sender: string): string => /^\s*"?([^"<]*?)"?\s*</.exec(sender)?.[1]?.trim() ?? '';

function isNetwork(value: string): boolean {
  const [, address = '', bits = ''] = /^([^/]+)\/(\d{1,3})$/.exec(value) ?? [];
  const family = isIP(address);
  return family > 0 && Number(bits) <= (family === 4 ? 32 : 128);
}

/** The pages of a portal that mails and the storefront link to, with the placeholders that their URLs may contain. */
const portalPlaceholders = {
  /** A developer's own app, with its status and its messages. */
  app: ['id', 'slug'],
  /** The public page of an app. */
  listing: ['id', 'slug'],
  /** A developer's API keys. */
  keys: [],
  /** The changes that were made with an API key, which can be undone there. */
  keyChanges: ['id'],
  /** A developer's webhook endpoints. */
  webhooks: ['id'],
  /** A developer's profile. */
  developer: ['id'],
  /** An app, for administrators who review it. */
  review: ['id', 'slug'],
  /** The review queue. */
  queue: [],
  /** The webhook endpoints of the administration. */
  adminWebhooks: ['id'],
  /** The page on which somebody adds an app to their workspace; the storefront links to it. */
  install: ['id', 'slug'],
} as const satisfies Record<string, readonly ('id' | 'slug')[]>;
export type PortalPage = keyof typeof portalPlaceholders;

/** The URL of each page, with placeholders such as `{id}`; null if there is no such page. */
export type PortalUrls = Readonly<Record<PortalPage, string | null>>;

const portalPages = Object.keys(portalPlaceholders) as PortalPage[];

/** URLs of pages, such as `app=/apps/{id},queue=https://desk.example/`; those that start with `/` are below PORTAL_URL. */
export const portalPatterns = z
  .string()
  .transform((value) => listOf(value).map((part) => /^(\w+)=((?:https?:\/\/[^\s/]+|\/)\S*)$/.exec(part)))
  .refine((parts) => parts.every((part) => part !== null && isPattern(part[1]!, part[2]!)), {
    error: `must be pages with their URLs, such as app=/apps/{id},queue=https://desk.example/ (pages and their placeholders: ${portalPages.map((page) => [page, ...portalPlaceholders[page].map((name) => `{${name}}`)].join(' ')).join(', ')})`,
  })
  .transform((parts) => new Map(parts.map((part) => [part![1], part![2]!] as const)));

function isPattern(page: string, url: string): boolean {
  const known = portalPages.find((name) => name === page);
  const allowed: readonly string[] = known ? portalPlaceholders[known] : [];
  const used = [...url.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
  return known !== undefined && used.every((name) => allowed.includes(name));
}

/** The paths of our own pages, which mails link to where the portal has none. Only the host product can install. */
const ownPages: Readonly<Record<Exclude<PortalPage, 'install'>, string>> = {
  app: '/console/apps/{id}',
  listing: '/market/apps/{slug}',
  keys: '/console/keys',
  keyChanges: '/console/keys/{id}/changes',
  webhooks: '/console/webhooks',
  developer: '/console/profile',
  review: '/desk/apps/{id}',
  queue: '/desk',
  adminWebhooks: '/desk/webhooks/{id}',
};

/** Returns the URLs of the portal, with our own pages in the place of those that it does not have. */
export const portalOrOwnPages = (portal: PortalUrls, publicUrl: string): PortalUrls => ({
  ...(Object.fromEntries(
    Object.entries(ownPages).map(([page, path]) => [page, portal[page as PortalPage] ?? publicUrl + path]),
  ) as Record<keyof typeof ownPages, string>),
  install: portal.install,
});

/** Returns the URLs of all pages. A page without a URL of its own is the start page of the portal, except for installs. */
export const portalUrls = (base: string | null, patterns: ReadonlyMap<unknown, string>): PortalUrls =>
  Object.fromEntries(
    portalPages.map((page) => {
      const url = patterns.get(page) ?? (page === 'install' ? null : base);
      return [page, url?.startsWith('/') ? `${base}${url}` : url];
    }),
  ) as PortalUrls;

const proxyName = /^(loopback|linklocal|uniquelocal)$/;
const isProxy = (value: string) => proxyName.test(value) || isIP(value.split('/')[0]!) > 0;

/** The number or the addresses of the trusted proxies, in the format of Express. */
export const trustProxy = z
  .string()
  .refine((value) => /^\d{1,2}$/.test(value) || value.split(',').every((entry) => isProxy(entry.trim())), {
    error: 'must be the number of proxies in front, or their addresses separated by commas',
  })
  .transform((value) => (/^\d+$/.test(value) ? Number(value) : value));

/** A number of processes; `auto` is one for each core. */
export const concurrency = z
  .string()
  .regex(/^(auto|[1-9]\d?)$/, { error: 'must be auto, or a number of processes between 1 and 99' })
  .transform((value) => (value === 'auto' ? availableParallelism() : Number(value)));

/** A whole number in decimal digits. */
export const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, { error: 'must be a whole number, 0 or more' })
    .transform(Number)
    .refine((value) => value >= min && value <= max, { error: `must be between ${min} and ${max}` });

const targets = ['read-write', 'primary', 'any'];

/** A PostgreSQL URL, with one host or several. */
export const databaseUrl = z
  .string()
  .refine(
    (value) => /^postgres(ql)?:\/\//.test(value) && hostUrls(value).every((single) => URL.canParse(single)),
    {
      error: 'must be a URL that starts with postgres:// or postgresql://',
    },
  )
  .refine((value) => targets.includes(/[?&]target_session_attrs=([^&]*)/.exec(value)?.[1] ?? 'any'), {
    error: 'must have target_session_attrs=read-write, or none: the service writes',
  });

/**
 * Returns the URLs of the servers of a PostgreSQL URL, each with one host: of
 * `postgresql://a,b:5433/name?target_session_attrs=read-write` those of a and b, without the attribute.
 */
export function hostUrls(url: string): string[] {
  const [, login = '', hosts = '', rest = ''] = /^(\w+:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/.exec(url) ?? [];
  const path = rest.replace(/([?&])target_session_attrs=(?!any)[^&]*&?/, '$1').replace(/[?&]$/, '');
  return hosts.split(',').map((host) => `${login}${host}${path}`);
}

/** Requests (for `graphql`: cost, for `database`: milliseconds) per minute of one caller, `app-install` per hour; `docs/operations.md` explains the classes. */
export const defaultLimits = {
  public: 60_000,
  install: 6_000,
  'app-install': 1_000,
  address: 12_000,
  pages: 6_000,
  read: 6_000,
  write: 1_200,
  credentials: 120,
  messages: 20,
  failures: 600,
  graphql: 1_000_000,
  database: 20_000,
};
export type LimitClass = keyof typeof defaultLimits;

const limitNames = Object.keys(defaultLimits).join(', ');
/** `on`, `off`, or the limits that differ from the defaults, such as `public=600,graphql=50000`. Null: no limits. */
export const rateLimits = z.string().transform((value, context): Record<LimitClass, number> | null => {
  if (value === 'on') return defaultLimits;
  if (value === 'off') return null;
  const given = value.split(',').map((part) => /^\s*([\w-]+)=(\d{1,9})\s*$/.exec(part));
  if (given.every((part) => part !== null && part[1]! in defaultLimits && Number(part[2]) > 0))
    return { ...defaultLimits, ...Object.fromEntries(given.map((part) => [part![1], Number(part![2])])) };
  context.addIssue(
    `must be on, off, or numbers per minute such as public=6000,graphql=50000, app-install per hour, database in milliseconds (there are: ${limitNames})`,
  );
  return z.NEVER;
});
