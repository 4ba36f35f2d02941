import { existsSync } from 'node:fs';
import { z } from 'zod';
import {
  concurrency,
  databaseUrl,
  databaseUrls,
  issuers,
  mailAddresses,
  networks,
  oneOf,
  portalPatterns,
  rateLimits,
  reservedNames,
  secretKeys,
  trustProxy,
  url,
  wholeNumber,
} from './formats.js';
import { tracingVariables } from './tracing.js';

/** Maximum number per developer; 0 means no limit. */
const quota = (limit: number) => wholeNumber(0, 1_000_000).default(limit);

/** The environment variables. An empty one counts as not set. */
export const Environment = z.object({
  NODE_ENV: z.string().optional(),
  PORT: wholeNumber(0, 65535).default(4000),
  HOST: z.string().optional(),
  PUBLIC_URL: url(['http:', 'https:']).optional(),
  DRAIN_SECONDS: wholeNumber(0, 300).optional(),
  WEB_CONCURRENCY: concurrency.prefault('1'),
  DATABASE_URL: databaseUrl.optional(),
  DATABASE_DIRECT_URL: databaseUrl.optional(),
  DATABASE_REPLICA_URLS: databaseUrls.prefault(''),
  DATABASE_POOL: wholeNumber(10, 500).default(32),
  DATA_DIR: z.string().default('.data'),
  SEED: oneOf('demo', 'none').optional(),
  OIDC_ISSUER: url(['http:', 'https:']).optional(),
  OIDC_AUDIENCE: z.string().default('marketplace-gateway'),
  OIDC_ROLES_CLAIM: z.string().default('roles'),
  OIDC_ADMIN_ROLE: z.string().default('marketplace-admin'),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_SCOPES: z.string().default('openid profile'),
  PUBLISHER_ISSUERS: issuers.prefault('https://token.actions.githubusercontent.com,https://gitlab.com'),
  SMTP_URL: url(['smtp:', 'smtps:']).optional(),
  MAIL_FROM: z
    .string()
    .regex(/@/, { error: 'must be an e-mail address, such as Marketplace <marketplace@example.com>' })
    .default('Marketplace <marketplace@localhost>'),
  REVIEWERS_EMAIL: mailAddresses.prefault(''),
  RESERVED_NAMES: reservedNames.prefault(''),
  PORTAL_URL: url(['http:', 'https:']).optional(),
  PORTAL_URLS: portalPatterns.prefault(''),
  WORKER: oneOf('inline', 'off').default('inline'),
  ASSET_CHECKS: oneOf('off', 'warn', 'enforce').default('warn'),
  PICTURE_CHECK_DAYS: wholeNumber(0, 365).default(7),
  WEBHOOK_ALLOW: networks.prefault(''),
  KEY_DEFAULT_DAYS: wholeNumber(1, 3650).default(90),
  KEY_MAX_DAYS: wholeNumber(1, 3650).default(365),
  QUOTA_APPS: quota(200),
  QUOTA_APPS_UNVERIFIED: quota(10),
  QUOTA_KEYS: quota(50),
  QUOTA_MESSAGES: quota(50),
  QUOTA_VERSIONS: quota(20),
  QUOTA_REPORTS: quota(50),
  QUOTA_PREFLIGHTS: quota(500),
  QUOTA_WEBHOOK_TESTS: quota(100),
  QUOTA_IDEMPOTENCY_KEYS: quota(5_000),
  RETENTION_MAILS_DAYS: wholeNumber(7, 3650).default(30),
  RETENTION_DELIVERIES_DAYS: wholeNumber(30, 3650).default(30),
  RETENTION_INSTALLS_DAYS: wholeNumber(30, 3650).default(400),
  RETENTION_REPORTS_DAYS: wholeNumber(30, 3650).default(400),
  RETENTION_JOBS_DAYS: wholeNumber(1, 365).default(7),
  TRUST_PROXY: trustProxy.optional(),
  CORS_ORIGINS: z.string().default(''),
  INTROSPECTION: oneOf('on', 'off').default('on'),
  GRAPHQL_SAFELIST: z
    .string()
    .refine((path) => existsSync(path), {
      error: 'must be a folder of .graphql files, or a manifest of persisted queries, that exists',
    })
    .optional(),
  PLAYGROUND: oneOf('on', 'off').optional(),
  WEB: oneOf('on', 'off').optional(),
  REQUEST_SECONDS: wholeNumber(1, 300).default(12),
  MAX_STREAMS: wholeNumber(0, 9_000).default(1_000),
  RATE_LIMITS: rateLimits.prefault('on'),
  RATE_LIMITS_STORE: oneOf('memory', 'postgres').default('memory'),
  SECRETS_KEY: secretKeys.optional(),
  METRICS_TOKEN: z.string().min(16, { error: 'must have at least 16 characters' }).optional(),
  ...tracingVariables,
  LOG_LEVEL: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent').optional(),
});

export type Settings = z.output<typeof Environment>;
