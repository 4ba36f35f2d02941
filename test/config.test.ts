import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { ConfigError, loadConfig } from '../src/config.js';
import { help } from '../src/process/banner.js';
import { words } from './support/words.js';

function problemsOf(environment: Record<string, string>): readonly string[] {
  try {
    loadConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('the settings', () => {
  it('have defaults: an empty environment is development', () => {
    expect(loadConfig({})).toEqual({
      production: false,
      port: 4000,
      host: '127.0.0.1',
      publicUrl: null,
      publisherIssuers: ['https://token.actions.githubusercontent.com', 'https://gitlab.com'],
      databaseUrl: null,
      databaseDirectUrl: null,
      drainSeconds: 0,
      webConcurrency: 1,
      databasePool: 32,
      databaseReplicaUrls: [],
      dataDir: '.data',
      seed: null,
      oidc: {
        issuer: null,
        audience: 'marketplace-gateway',
        rolesClaim: 'roles',
        adminRole: 'marketplace-admin',
        clientId: null,
        scopes: 'openid profile',
      },
      webhookNetworks: ['127.0.0.0/8', '::1/128'],
      keys: { defaultDays: 90, maxDays: 365 },
      quotas: {
        apps: 200,
        appsUnverified: 10,
        keys: 50,
        messages: 50,
        reports: 50,
        preflights: 500,
        versions: 20,
        webhookTests: 100,
        idempotencyKeys: 5_000,
      },
      retention: { mailsDays: 30, deliveriesDays: 30, installsDays: 400, reportsDays: 400, jobsDays: 7 },
      mail: { smtpUrl: null, from: 'Marketplace <marketplace@localhost>', reviewers: [] },
      ownNames: ['Marketplace'],
      portal: {
        app: null,
        listing: null,
        keys: null,
        keyChanges: null,
        webhooks: null,
        developer: null,
        review: null,
        queue: null,
        adminWebhooks: null,
        install: null,
      },
      worksInline: true,
      assetChecks: 'warn',
      pictureCheckDays: 7,
      trustProxy: null,
      corsOrigins: [],
      introspection: true,
      graphqlSafelist: null,
      playground: true,
      web: true,
      rateLimits: expect.objectContaining({ public: 60_000, graphql: 1_000_000 }),
      rateLimitsStore: 'memory',
      secretKeys: null,
      requestSeconds: 12,
      maxStreams: 1_000,
      metricsToken: null,
      tracing: null,
      logLevel: 'warn',
    });
  });

  it('differ in production: every address, no playground', () => {
    const production = { NODE_ENV: 'production', OIDC_ISSUER: 'https://id.example' };
    expect(loadConfig(production)).toMatchObject({
      production: true,
      host: '0.0.0.0',
      playground: false,
      web: false,
      webhookNetworks: [],
      drainSeconds: 5,
      logLevel: 'info',
    });
    expect(loadConfig({ ...production, PLAYGROUND: 'on', HOST: '::1' })).toMatchObject({
      playground: true,
      host: '::1',
    });
  });

  it('treat an empty variable as not set', () => {
    expect(loadConfig({ PORT: '', OIDC_ISSUER: ' ', SEED: '', CORS_ORIGINS: ' ' })).toEqual(loadConfig({}));
  });

  const wrong: Record<string, string> = {
    PORT: '70000',
    PUBLIC_URL: 'tasks.example',
    DRAIN_SECONDS: '-1',
    WEB_CONCURRENCY: '0',
    DATABASE_URL: 'mysql://localhost/x',
    DATABASE_POOL: '9',
    SEED: 'everything',
    OIDC_ISSUER: 'id.example',
    RESERVED_NAMES: 'x'.repeat(101),
    REVIEWERS_EMAIL: 'desk@product.example,nobody',
    PORTAL_URL: 'product.example',
    PORTAL_URLS: 'app=https://product.example/{name}',
    WEBHOOK_ALLOW: '10.20.0.0/16,10.20.0.1/33',
    KEY_DEFAULT_DAYS: '0',
    KEY_MAX_DAYS: 'ten',
    QUOTA_APPS: '-1',
    QUOTA_KEYS: 'many',
    TRUST_PROXY: 'everybody',
    CORS_ORIGINS: 'https://good.example,tasks.example/path',
    INTROSPECTION: 'no',
    GRAPHQL_SAFELIST: 'no/such/folder',
    PLAYGROUND: 'true',
    WEB: 'yes',
    RATE_LIMITS: 'public=many',
    RATE_LIMITS_STORE: 'redis',
    SECRETS_KEY: 'c2hvcnQ=',
    METRICS_TOKEN: 'short',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318',
    OTEL_TRACES_SAMPLER: 'sometimes',
    OTEL_TRACES_SAMPLER_ARG: '1.5',
    LOG_LEVEL: 'loud',
  };

  it.each(Object.entries(wrong))('reject %s=%s, and name the expected value', (name, value) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(new RegExp(`^${name} must `));
  });

  it('take the URLs of replicas, which belong to a DATABASE_URL, and do not repeat wrong ones (D246)', () => {
    const primary = { DATABASE_URL: 'postgres://db.example/x' };
    const urls = ['postgresql://a:secret@one.example/x', 'postgres://two.example:5433/x'];
    expect(loadConfig({ ...primary, DATABASE_REPLICA_URLS: urls.join(' , ') }).databaseReplicaUrls).toEqual(
      urls,
    );
    expect(loadConfig(primary).databaseReplicaUrls).toEqual([]);
    expect(problemsOf({ DATABASE_REPLICA_URLS: urls[0]! })).toEqual([
      'DATABASE_REPLICA_URLS must be set together with DATABASE_URL: they are replicas of it',
    ]);
    expect(problemsOf({ ...primary, DATABASE_REPLICA_URLS: `${urls[0]},mysql://a:secret@x` })).toEqual([
      'DATABASE_REPLICA_URLS must be URLs that start with postgresql://, separated by commas',
    ]);
  });

  it('are all reported at once, each by its name', () => {
    const problems = problemsOf({ ...wrong, NODE_ENV: 'production' });
    expect(problems.map((problem) => problem.split(' ')[0]).sort()).toEqual(Object.keys(wrong).sort());
  });

  it.each([
    ['apps=https://product.example/', 'an unknown page'],
    ['queue=https://product.example/{id}', 'a placeholder that the page has no value for'],
    ['app=product.example', 'no URL'],
    ['app=/apps/{id}', 'a path without PORTAL_URL'],
  ])('reject PORTAL_URLS=%s: %s', (value) => {
    expect(problemsOf({ PORTAL_URLS: value })).toEqual([expect.stringMatching(/^PORTAL_URLS must /)]);
  });

  it('lead from a mail to the pages of the portal: without a pattern to its start page (D170)', () => {
    const { portal } = loadConfig({
      PORTAL_URL: 'https://product.example/marketplace/',
      PORTAL_URLS: 'app=/apps/{id}, queue=https://desk.example/',
    });
    const start = 'https://product.example/marketplace';
    const others = {
      listing: start,
      keys: start,
      keyChanges: start,
      webhooks: start,
      developer: start,
      review: start,
      adminWebhooks: start,
      // A link that does not install is worse than none (D386).
      install: null,
    };
    expect(portal).toEqual({ app: `${start}/apps/{id}`, queue: 'https://desk.example/', ...others });
  });

  it('report problems between two settings together with the rest', () => {
    const problems = problemsOf({
      NODE_ENV: 'production',
      PORT: 'x',
      KEY_DEFAULT_DAYS: '30',
      KEY_MAX_DAYS: '7',
      CORS_ORIGINS: 'nonsense',
      OIDC_CLIENT_ID: 'playground',
    });
    expect(problems.map((problem) => problem.split(' ')[0]).sort()).toEqual(
      words('CORS_ORIGINS KEY_DEFAULT_DAYS OIDC_CLIENT_ID OIDC_ISSUER PORT'),
    );
  });

  it.each([
    ['1', 1],
    ['loopback', 'loopback'],
    ['10.0.0.0/8, 127.0.0.1', '10.0.0.0/8, 127.0.0.1'],
  ])('accept TRUST_PROXY=%s', (value, expected) => {
    expect(loadConfig({ TRUST_PROXY: value }).trustProxy).toBe(expected);
  });

  it.each(['public', 'public=0', 'everything=5', 'public=1;graphql=2', 'public=1,,graphql=2', 'ON'])(
    'refuse RATE_LIMITS=%s, and name the existing limits (D34)',
    (RATE_LIMITS) => {
      expect(problemsOf({ RATE_LIMITS })).toEqual([
        expect.stringContaining(
          '(there are: public, install, app-install, address, pages, read, write, credentials, messages, failures, graphql, database)',
        ),
      ]);
    },
  );

  it('accept RATE_LIMITS as on, off, or the limits that differ from the defaults (D34)', () => {
    expect(loadConfig({ RATE_LIMITS: 'off' }).rateLimits).toBeNull();
    const { rateLimits } = loadConfig({ RATE_LIMITS: 'public=6000, app-install=5, graphql=50000' });
    expect(rateLimits).toEqual({
      ...loadConfig({}).rateLimits,
      public: 6000,
      'app-install': 5,
      graphql: 50_000,
    });
  });

  it('accept several servers of a database, of which one accepts writes (D237)', () => {
    const DATABASE_URL = 'postgresql://u:hunter2@a:5432,[::1],c/x?target_session_attrs=read-write';
    const DATABASE_DIRECT_URL = 'postgres://u:hunter2@b,c/x';
    expect(loadConfig({ DATABASE_URL, DATABASE_DIRECT_URL })).toMatchObject({
      databaseUrl: DATABASE_URL,
      databaseDirectUrl: DATABASE_DIRECT_URL,
    });
    for (const wrong of ['postgres://a,b/x?target_session_attrs=standby', 'postgres://a:x,b/x', 'a,b'])
      expect(problemsOf({ DATABASE_URL, DATABASE_DIRECT_URL: wrong })).toEqual([
        expect.stringMatching(/^DATABASE_DIRECT_URL must /),
      ]);
    expect(problemsOf({ DATABASE_DIRECT_URL })).toEqual([
      expect.stringMatching(/^DATABASE_DIRECT_URL must be set together with DATABASE_URL/),
    ]);
  });

  it('are not repeated if they contain a password', () => {
    const problems = problemsOf({ DATABASE_URL: 'mysql://a:hunter2@b/c', METRICS_TOKEN: 'hunter2' });
    expect(problems.join()).not.toContain('hunter2');
    expect(problems).toHaveLength(2);
  });

  it('are listed in one message, a line each', () => {
    expect(() => loadConfig({ PORT: 'x', SEED: 'y' })).toThrow(
      /^The configuration is not valid:\n {2}- PORT .*\n {2}- SEED .*$/,
    );
  });

  it('are all explained by --help and docs/operations.md, some of them by the README', () => {
    const source = ['src/config/variables.ts', 'src/config/tracing.ts']
      .map((path) => readFileSync(path, 'utf8'))
      .join();
    const declared = [...source.matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name]) => name!);
    const listedIn = (page: string) => {
      const [, section = ''] = /^## Settings\n([\s\S]*?)^## /m.exec(page) ?? [];
      const cells = [...section.matchAll(/^\| (`[A-Z_`, ]+`) \|/gm)].map(([, cell = '']) => cell);
      return cells.flatMap((cell) => cell.match(/[A-Z_]+/g) ?? []);
    };
    const operations = readFileSync('docs/operations.md', 'utf8');
    const listed = listedIn(operations);
    const names = [...new Set([...declared, ...listed])];
    for (const some of [declared, listed])
      expect(some).toEqual(expect.arrayContaining(['PORT', 'OTEL_TRACES_SAMPLER_ARG']));
    expect(names.filter((name) => !help.includes(`\n  ${name} `))).toEqual([]);
    expect(names.filter((name) => !operations.includes(`\`${name}\``))).toEqual([]);
    const first = listedIn(readFileSync('README.md', 'utf8'));
    expect(first.length).toBeGreaterThan(5);
    expect(first.filter((name) => !names.includes(name))).toEqual([]);
  });

  it('drop the trailing slash of the public address', () => {
    expect(loadConfig({ PUBLIC_URL: 'https://tasks.example/market/' }).publicUrl).toBe(
      'https://tasks.example/market',
    );
  });
});
