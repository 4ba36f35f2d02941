import { portalUrls, senderName } from './config/formats.js';
import { tracingOf } from './config/tracing.js';
import { Environment, type Settings } from './config/variables.js';

/** All invalid settings, each with the variable's name and the expected value. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(['The configuration is not valid:', ...problems.map((problem) => `  - ${problem}`)].join('\n'));
  }
}

/** Names of all settings. */
export const settingNames: readonly string[] = Object.keys(Environment.shape);

/** Names of all environment variables that are set. */
export const variableNames = (environment: Variables = process.env): string[] => Object.keys(environment);

/** The folder in which npm was called. npm runs its scripts in the folder of the project. */
export const callerDirectory = (environment: Variables = process.env): string =>
  environment.INIT_CWD ?? process.cwd();

/** Variables that contain secrets: messages do not repeat their values. */
const secretVariables =
  /^(DATABASE_(DIRECT_)?URL|DATABASE_REPLICA_URLS|SMTP_URL|METRICS_TOKEN|SECRETS_KEY|OTEL_EXPORTER_OTLP_ENDPOINT)$/;

export type Config = Readonly<ReturnType<typeof configOf>>;

/** Environment variables; an empty one counts as not set. */
type Variables = Record<string, string | undefined>;
type ProcessKind = 'gateway' | 'worker';

/** Reads the settings; throws a ConfigError that lists all problems. */
export function loadConfig(environment: Variables = process.env, kind: ProcessKind = 'gateway'): Config {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
  const parsed = Environment.safeParse(given);
  const problems = [
    ...(parsed.error?.issues ?? []).map(({ path, message }) => {
      const name = String(path[0]);
      return `${name} ${message}${secretVariables.test(name) ? '' : ` (it is ${JSON.stringify(given[name])})`}`;
    }),
    ...crossProblems(given, kind),
  ];
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return configOf(parsed.data, kind);
}

const isProduction = ({ NODE_ENV }: { NODE_ENV?: string | undefined }) => NODE_ENV === 'production';

const originsOf = ({ CORS_ORIGINS = '' }: { CORS_ORIGINS?: string | undefined }) =>
  CORS_ORIGINS.split(',')
    .map((origin) => origin.trim())
    .filter(Boolean);

/** Returns the problems that depend on more than one variable. */
function crossProblems(given: Variables, kind: ProcessKind): string[] {
  const problems: string[] = [];
  // A worker serves no requests, so it needs no identity provider.
  if (isProduction(given) && !given.OIDC_ISSUER && kind === 'gateway') {
    problems.push(
      'OIDC_ISSUER is needed in production: the address of the identity provider that issues account tokens',
    );
  }
  if (given.DATABASE_DIRECT_URL && !given.DATABASE_URL)
    problems.push('DATABASE_DIRECT_URL must be set together with DATABASE_URL, which leads to a pooler then');
  if (given.OIDC_CLIENT_ID && !given.OIDC_ISSUER)
    problems.push('OIDC_CLIENT_ID must be set together with OIDC_ISSUER: it is a client of that provider');
  const days = Environment.pick({ KEY_DEFAULT_DAYS: true, KEY_MAX_DAYS: true }).safeParse(given);
  if (days.success && days.data.KEY_DEFAULT_DAYS > days.data.KEY_MAX_DAYS) {
    problems.push(`KEY_DEFAULT_DAYS must not be above KEY_MAX_DAYS (${days.data.KEY_MAX_DAYS})`);
  }
  if (given.DATABASE_REPLICA_URLS && !given.DATABASE_URL)
    problems.push('DATABASE_REPLICA_URLS must be set together with DATABASE_URL: they are replicas of it');
  if (!given.PORTAL_URL && /(^|,)\s*\w+=\//.test(given.PORTAL_URLS ?? '')) {
    problems.push('PORTAL_URLS must contain whole URLs if PORTAL_URL is not set');
  }
  for (const origin of originsOf(given)) {
    if (origin !== '*' && !(URL.canParse(origin) && new URL(origin).origin === origin)) {
      problems.push(
        `CORS_ORIGINS must be a list of origins such as https://tasks.example, separated by commas (it holds ${JSON.stringify(origin)})`,
      );
    }
  }
  return problems;
}

const identityOf = (set: Settings) => ({
  /** Null: the service is its own provider (development only). */
  issuer: set.OIDC_ISSUER ?? null,
  audience: set.OIDC_AUDIENCE,
  rolesClaim: set.OIDC_ROLES_CLAIM,
  adminRole: set.OIDC_ADMIN_ROLE,
  /** The public client of the pages; null: nobody can sign in there. */
  clientId: set.OIDC_CLIENT_ID ?? null,
  scopes: set.OIDC_SCOPES,
});

const mailOf = (set: Settings) => ({
  /** Null: mails are stored for the mailbox page. */
  smtpUrl: set.SMTP_URL ?? null,
  from: set.MAIL_FROM,
  /** Addresses that are told about work for administrators. */
  reviewers: set.REVIEWERS_EMAIL,
});

const quotasOf = (set: Settings) => ({
  apps: set.QUOTA_APPS,
  appsUnverified: set.QUOTA_APPS_UNVERIFIED,
  keys: set.QUOTA_KEYS,
  messages: set.QUOTA_MESSAGES,
  versions: set.QUOTA_VERSIONS,
  reports: set.QUOTA_REPORTS,
  preflights: set.QUOTA_PREFLIGHTS,
  webhookTests: set.QUOTA_WEBHOOK_TESTS,
  idempotencyKeys: set.QUOTA_IDEMPOTENCY_KEYS,
});

const retentionOf = (set: Settings) => ({
  mailsDays: set.RETENTION_MAILS_DAYS,
  deliveriesDays: set.RETENTION_DELIVERIES_DAYS,
  installsDays: set.RETENTION_INSTALLS_DAYS,
  reportsDays: set.RETENTION_REPORTS_DAYS,
  jobsDays: set.RETENTION_JOBS_DAYS,
});

function configOf(set: Settings, kind: ProcessKind) {
  const production = isProduction(set);
  return {
    production,
    port: set.PORT,
    host: set.HOST ?? (production ? '0.0.0.0' : '127.0.0.1'),
    publicUrl: set.PUBLIC_URL?.replace(/\/+$/, '') ?? null,
    /** Time between the stop request and the end of accepting connections; in development Ctrl-C is quick. */
    drainSeconds: set.DRAIN_SECONDS ?? (production ? 5 : 0),
    /** Number of processes that serve requests. */
    webConcurrency: set.WEB_CONCURRENCY,
    databaseUrl: set.DATABASE_URL ?? null,
    /** Null: DATABASE_URL leads to PostgreSQL itself. Otherwise it leads to a pooler in transaction mode. */
    databaseDirectUrl: set.DATABASE_DIRECT_URL ?? null,
    /** Streaming replicas of the database. */
    databaseReplicaUrls: set.DATABASE_REPLICA_URLS,
    /** The most connections of this process to the database, for all purposes together. */
    databasePool: set.DATABASE_POOL,
    dataDir: set.DATA_DIR,
    /** Null: demo data on a new embedded database outside production. */
    seed: set.SEED ?? null,
    oidc: identityOf(set),
    /** Issuers of the identities with which pipelines publish apps. */
    publisherIssuers: set.PUBLISHER_ISSUERS,
    mail: mailOf(set),
    /** Names of the service itself, which developers and authors of ratings may not use. */
    ownNames: [senderName(set.MAIL_FROM), ...set.RESERVED_NAMES].filter((name) => name !== ''),
    /** Pages of the host product that mails link to. */
    portal: portalUrls(set.PORTAL_URL?.replace(/\/+$/, '') ?? null, set.PORTAL_URLS),
    /** True if this process also runs the jobs. */
    worksInline: set.WORKER === 'inline',
    assetChecks: set.ASSET_CHECKS,
    /** The time in which the pictures of all public apps are fetched again; 0: never. */
    pictureCheckDays: set.PICTURE_CHECK_DAYS,
    /** Networks that webhooks may reach although they are not public. In development this machine is one. */
    webhookNetworks: [...(production ? [] : ['127.0.0.0/8', '::1/128']), ...set.WEBHOOK_ALLOW],
    keys: { defaultDays: set.KEY_DEFAULT_DAYS, maxDays: set.KEY_MAX_DAYS },
    /** 0: no limit. */
    quotas: quotasOf(set),
    /** Days after which old rows are removed. */
    retention: retentionOf(set),
    trustProxy: set.TRUST_PROXY ?? null,
    corsOrigins: originsOf(set),
    introspection: set.INTROSPECTION === 'on',
    /** Null: every valid document within the limits may run. */
    graphqlSafelist: set.GRAPHQL_SAFELIST ?? null,
    playground: (set.PLAYGROUND ?? (production ? 'off' : 'on')) === 'on',
    /** True if /market, /console and /desk are served. */
    web: (set.WEB ?? (production ? 'off' : 'on')) === 'on',
    /** The longest time from the arrival of a request to its response. */
    requestSeconds: set.REQUEST_SECONDS,
    /** The most event streams (subscriptions) of this process. */
    maxStreams: set.MAX_STREAMS,
    /** Per minute; null: no limits. */
    rateLimits: set.RATE_LIMITS,
    /** `postgres` where several gateways share a database, so that they count together. */
    rateLimitsStore: set.RATE_LIMITS_STORE,
    /** Keys for secrets: the first one encrypts, all decrypt. Null: see `openSecrets`. */
    secretKeys: set.SECRETS_KEY ?? null,
    /** Null: only this machine may read the metrics, and in production nobody. */
    metricsToken: set.METRICS_TOKEN ?? null,
    /** Null: no traces. */
    tracing: tracingOf(set),
    /** In development the terminal shows the banner and problems, not a line per request. */
    logLevel: set.LOG_LEVEL ?? (production || kind === 'worker' ? 'info' : 'warn'),
  };
}

/** Returns true if mails are stored for the mailbox page instead of being sent. */
export const keepsMails = (config: Pick<Config, 'production' | 'mail'>): boolean =>
  !config.production && config.mail.smtpUrl === null;
