import { resolve } from 'node:path';
import { DEMO_ACCOUNTS } from '../auth/demo-accounts.js';
import { type Config, keepsMails } from '../config.js';

/** The facts that the banner shows. */
interface RunningService {
  readonly config: Config;
  readonly version: string;
  /** Address of the service on this machine. */
  readonly localUrl: string;
  /** Null: the database of DATABASE_URL. */
  readonly dataDirectory: string | null;
  readonly readyInMs: number;
}

/** Returns the text that is printed when the service is ready: its pages, how to get a token, and where the data is. */
export function banner({ config, version, localUrl, dataDirectory, readyInMs }: RunningService): string {
  const row = (name: string, value: string) => `  ${name.padEnd(12)}${value}`;
  const url = config.publicUrl ?? localUrl;
  const { label: _, ...administrator } = DEMO_ACCOUNTS.administrator;
  const account = JSON.stringify(administrator);
  const token = `curl -s -X POST ${localUrl}/dev/token -H 'content-type: application/json' -d '${account}'`;
  return [
    '',
    `marketplace-gateway ${version}, ready in ${(readyInMs / 1000).toFixed(1)} s`,
    '',
    row('Start here', `${url}/`),
    ...(config.web
      ? [row('Storefront', `${url}/market`), row('Console', `${url}/console`), row('Desk', `${url}/desk`)]
      : []),
    ...(config.playground ? [row('Playground', `${url}/playground`)] : []),
    row('GraphQL', `${url}/graphql`),
    row('REST', `${url}/api/apps`),
    row('Reference', `${url}/docs`),
    ...(keepsMails(config) ? [row('Mailbox', `${url}/dev/mailbox`)] : []),
    '',
    ...(config.oidc.issuer === null ? ['  Get an administrator’s token:', `  ${token}`, ''] : []),
    row('Data', dataDirectory === null ? 'the database of DATABASE_URL' : dataIn(config, dataDirectory)),
    ...(config.webConcurrency > 1
      ? [row('Processes', `${config.webConcurrency}, and one that starts them`)]
      : []),
    row('Stop', 'Ctrl-C'),
    '',
  ].join('\n');
}

function dataIn(config: Config, directory: string): string {
  const dataDir = resolve(config.dataDir);
  const elsewhere = directory.startsWith(dataDir) ? '' : `; its database is in ${directory}`;
  return `${dataDir} (delete it to start again with new demo data${elsewhere})`;
}

/** Text of `--help`: one line for each setting; docs/operations.md explains them. */
export const help = `marketplace-gateway: the app marketplace over GraphQL and REST.

Usage: npm start                start the service; Ctrl-C stops it
       npm start -- --help      show this help
       npm start -- --version   show the version
       npm run worker           run the jobs, such as sending mails, in a separate process
       npm run doctor           check the settings, the database, the identity provider and the mail server
       npm run backup -- FILE   back up the embedded database; npm run restore -- FILE restores it
       node dist/src/main.js    the same without npm, on Node 22.19 or later; --stop-with-parent stops it when its parent process ends

Settings are environment variables:
  PORT               port to listen on (4000; 0: any free port)
  HOST               address to listen on (127.0.0.1; in production 0.0.0.0)
  PUBLIC_URL         public address of the service, if it differs from HOST and PORT
  WEB_CONCURRENCY    processes that serve requests on the port, or auto for one per core (1)
  DRAIN_SECONDS      time between SIGTERM and the end of accepting connections, while /readyz fails (5; outside production 0)
  DATABASE_URL       PostgreSQL 15 or later (not set: an embedded one in DATA_DIR)
  DATABASE_DIRECT_URL  PostgreSQL itself, if DATABASE_URL leads to a pooler in transaction mode
  DATABASE_REPLICA_URLS  streaming replicas of it for reads, separated by commas
  DATABASE_POOL      most connections of one process to the database (32)
  DATA_DIR           folder of the embedded database (.data)
  SEED               demo or none (demo on a new embedded database outside production)
  NODE_ENV           production, or any other value for development
  OIDC_ISSUER        the identity provider (not set: the built-in one, outside production only)
  OIDC_AUDIENCE      audience that its tokens must have (marketplace-gateway)
  OIDC_ROLES_CLAIM   the claim that holds the roles, or a path such as realm_access.roles (roles)
  OIDC_ADMIN_ROLE    the role of administrators (marketplace-admin)
  OIDC_CLIENT_ID     public client with which the pages sign in (not set: nobody can)
  OIDC_SCOPES        scopes that the pages ask for (openid profile)
  ASSET_CHECKS       off, warn or enforce: check the images of a submission (warn)
  PICTURE_CHECK_DAYS days in which the pictures of all public apps are fetched again (7; 0: never)
  SMTP_URL           the mail server (not set: mails are stored and shown at /dev/mailbox)
  MAIL_FROM          the sender of mails (Marketplace <marketplace@localhost>)
  PUBLISHER_ISSUERS  issuers of the identities with which pipelines publish apps: GitHub and GitLab, or none
  RESERVED_NAMES     names that developers may not use, besides the name in MAIL_FROM and words such as support
  REVIEWERS_EMAIL    addresses that are told about work for administrators, separated by commas
  PORTAL_URL         start page of the host product for this marketplace, which mails link to
  PORTAL_URLS        single pages of it, such as app=/apps/{id},queue=/reviews
  WORKER             inline or off: whether this process runs the jobs (inline)
  WEBHOOK_ALLOW      private networks that webhooks may reach, such as 10.20.0.0/16 (outside production this machine too)
  KEY_DEFAULT_DAYS   default lifetime of an API key in days (90)
  KEY_MAX_DAYS       maximum lifetime of an API key in days (365)
  QUOTA_APPS         apps of a developer, in any state (200; for all quotas, 0 means no limit)
  QUOTA_APPS_UNVERIFIED    apps of a developer who is not verified (10)
  QUOTA_KEYS         live API keys of a developer (50)
  QUOTA_MESSAGES     messages of a developer about an app within 24 hours (50)
  QUOTA_VERSIONS     versions of an app created within 24 hours (20)
  QUOTA_REPORTS      ratings and apps that an account reports within 24 hours (50)
  QUOTA_PREFLIGHTS   checks of a developer's listings, with their images, within 24 hours; as many submissions (500)
  QUOTA_WEBHOOK_TESTS      tests of a webhook endpoint within 24 hours (100)
  QUOTA_IDEMPOTENCY_KEYS   requests of a developer with an Idempotency-Key within 24 hours (5000)
  RETENTION_MAILS_DAYS     days after which records of mails are deleted (30)
  RETENTION_DELIVERIES_DAYS  days after which records of webhook deliveries are deleted (30)
  RETENTION_INSTALLS_DAYS  days after which single installs are reduced to their counts (400)
  RETENTION_REPORTS_DAYS   days after which decided reports of ratings and apps are deleted (400)
  RETENTION_JOBS_DAYS      days after which ended jobs are deleted (7)
  TRUST_PROXY        number or addresses of the trusted proxies in front of the service
  CORS_ORIGINS       allowed origins of browser applications, separated by commas, or * (outside production also this machine's)
  INTROSPECTION      on or off: GraphQL introspection (on)
  GRAPHQL_SAFELIST   folder or manifest of the GraphQL documents that may run (not set: all within the limits)
  PLAYGROUND         on or off (on outside production)
  WEB                on or off: the pages /market, /console and /desk (on outside production)
  REQUEST_SECONDS    longest time from the arrival of a request to its response (12)
  MAX_STREAMS        open event streams (subscriptions) of one process (1000)
  RATE_LIMITS        on, off, or numbers per minute such as public=6000,graphql=50000 (on);
                     app-install is per hour, for one app and one address; database is in milliseconds
  RATE_LIMITS_STORE  memory, or postgres where several gateways share a database (memory)
  SECRETS_KEY        key that encrypts webhook secrets: 32 bytes in base64; after a rotation "new,old"
  METRICS_TOKEN      bearer token for /metrics (not set: only this machine may read it, in production nobody)
  OTEL_EXPORTER_OTLP_ENDPOINT  receiver of OpenTelemetry traces, such as http://collector:4318 (not set: no traces)
  OTEL_SERVICE_NAME  name of the service in traces (marketplace-gateway)
  OTEL_TRACES_SAMPLER      which requests are traced, such as traceidratio (parentbased_always_on)
  OTEL_TRACES_SAMPLER_ARG  the ratio of traceidratio and parentbased_traceidratio (1)
  LOG_LEVEL          fatal, error, warn, info, debug, trace or silent (info; outside production warn)
`;
