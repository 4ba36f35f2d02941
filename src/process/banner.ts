import { resolve } from 'node:path';
import { DEMO_ACCOUNTS } from '../auth/demo-accounts.js';
import { type Config, keepsMails } from '../config.js';

/** What the banner tells of a running service. */
interface Running {
  readonly config: Config;
  readonly version: string;
  /** Where this machine reaches the service. */
  readonly localUrl: string;
  /** Null: the database of DATABASE_URL. */
  readonly dataDirectory: string | null;
  readonly readyInMs: number;
}

/** What a newcomer sees when the service is ready: where to look, how to get a token, where the data is. */
export function banner({ config, version, localUrl, dataDirectory, readyInMs }: Running): string {
  const row = (name: string, value: string) => `  ${name.padEnd(12)}${value}`;
  const url = config.publicUrl ?? localUrl;
  const account = JSON.stringify(DEMO_ACCOUNTS.administrator);
  const token = `curl -s -X POST ${localUrl}/dev/token -H 'content-type: application/json' -d '${account}'`;
  return [
    '',
    `marketplace-gateway ${version}, ready in ${(readyInMs / 1000).toFixed(1)} s`,
    '',
    row('Start here', `${url}/`),
    ...(config.playground ? [row('Playground', `${url}/playground`)] : []),
    row('GraphQL', `${url}/graphql`),
    row('REST', `${url}/api/apps`),
    row('Reference', `${url}/docs`),
    ...(keepsMails(config) ? [row('Mailbox', `${url}/dev/mailbox`)] : []),
    '',
    ...(config.oidc.issuer === null ? ['  An administrator’s token:', `  ${token}`, ''] : []),
    row('Data', dataDirectory === null ? 'the database of DATABASE_URL' : dataIn(config, dataDirectory)),
    row('Stop', 'Ctrl-C'),
    '',
  ].join('\n');
}

function dataIn(config: Config, directory: string): string {
  const dataDir = resolve(config.dataDir);
  const elsewhere = directory.startsWith(dataDir) ? '' : `; its database is in ${directory}`;
  return `${dataDir} (delete it to start afresh${elsewhere})`;
}

/** Every setting in a line; the README has the whole story. */
export const help = `marketplace-gateway: the app marketplace over GraphQL and REST.

Usage: npm start                start the service; Ctrl-C stops it
       npm start -- --help      show this
       npm start -- --version   show the version
       npm run worker           do the jobs, such as mails, in a process of its own
       node dist/src/main.js    without npm, on Node 22.19 or later; --stop-with-parent ends it with the process that started it

Settings are environment variables:
  PORT               where to listen (4000; 0: any free port)
  HOST               on which address (127.0.0.1; in production 0.0.0.0)
  PUBLIC_URL         where callers reach the service, if that is another address
  DATABASE_URL       a PostgreSQL 15 or later (none: an embedded one in DATA_DIR)
  DATABASE_POOL      connections to it (16)
  DATA_DIR           where the embedded database lives (.data)
  SEED               demo or none (demo on a new embedded database outside production)
  NODE_ENV           production, or not
  OIDC_ISSUER        the identity provider (none: the built-in one, outside production only)
  OIDC_AUDIENCE      what its tokens must be meant for (marketplace-gateway)
  OIDC_ROLES_CLAIM   the claim that holds the roles (roles)
  OIDC_ADMIN_ROLE    the role of administrators (marketplace-admin)
  ASSET_CHECKS       off, warn or enforce: what to do about pictures that break the rules (warn)
  SMTP_URL           the mail server (none: mails are kept for /dev/mailbox)
  MAIL_FROM          the sender of mails (Marketplace <marketplace@localhost>)
  WORKER             inline or off: whether this process does the jobs (inline)
  KEY_DEFAULT_DAYS   how long an API key lives unless asked otherwise (90)
  KEY_MAX_DAYS       and at most (365)
  QUOTA_APPS         apps of a developer, in any state (200; 0: no bound, as for all quotas)
  QUOTA_APPS_UNVERIFIED    apps of a developer who is not verified (10)
  QUOTA_KEYS         live API keys of a developer (50)
  QUOTA_MESSAGES     messages of a developer about an app within 24 hours (50)
  QUOTA_VERSIONS     versions of an app that are begun within 24 hours (20)
  QUOTA_WEBHOOK_TESTS      tests of a webhook endpoint within 24 hours (100)
  QUOTA_IDEMPOTENCY_KEYS   requests of a developer with an Idempotency-Key within 24 hours (5000)
  TRUST_PROXY        which proxies to believe
  CORS_ORIGINS       origins of browser applications, separated by commas
  INTROSPECTION      on or off (on)
  GRAPHQL_SAFELIST   a folder or manifest of the only documents to run (none: any within the limits)
  PLAYGROUND         on or off (on outside production)
  RATE_LIMITS        on, off, or numbers per minute such as public=6000,graphql=50000 (on)
  RATE_LIMITS_STORE  memory, or postgres where several gateways share a database (memory)
  SECRETS_KEY        what webhook secrets are encrypted with: 32 bytes in base64; after a rotation also the former key
  METRICS_TOKEN      who sends it may read /metrics (none: this machine, in production nobody)
  LOG_LEVEL          fatal, error, warn, info, debug, trace or silent (info; outside production warn)
`;
