import { chmod } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assertEnumType, type GraphQLSchema } from 'graphql';
import type { Client } from 'pg';
import { openExistingDatabase } from '../../src/embedded-postgres/existing.js';
import { buildGraphQLSchema } from '../../src/graphql/schema.js';
import { databaseSql, schemaOf } from '../../src/process/database-sql.js';
import { migrateDatabase } from '../../src/process/migrate.js';
import { Actors, type AppJson, allScopes } from '../support/actors.js';
import { ApiClient } from '../support/api-client.js';
import { buildOnce, connectTo } from '../support/database.js';
import { aFolder } from '../support/folder.js';
import { words } from '../support/words.js';
import { type Gateway, startGateway, startGatewayOf } from './gateway.js';
import { buildPreviousRelease, type PreviousRelease } from './previous-release.js';

/** Everything that anybody can read over REST, of the demo data. */
const publicPaths = [
  '/api/apps?limit=100',
  '/api/apps?search=time',
  '/api/apps/categories/list',
  '/api/apps/featured/list',
];
/** Tables of 0.2.0 that the upgrade drops or derives again. */
const derived = words(`
  app_documents owner_documents app_search app_names app_counts search_words frequent_words word_counts
  popular_level schema_migrations`);
/** Written by the gateways while they run. */
const volatile = ['rate_limits', 'replication_marks'];

type Rows = Record<string, unknown[]>;

describe('a data directory of 0.2.0 (D264)', () => {
  let release: PreviousRelease;
  let dataDir: string;
  let ownSchema: GraphQLSchema;
  const running: Gateway[] = [];
  const settings = () => ({
    PORT: '0',
    DATA_DIR: dataDir,
    WEB: 'off',
    PLAYGROUND: 'off',
    RATE_LIMITS: 'off',
  });
  const stop = async (gateway: Gateway) => {
    await gateway.end();
  };
  beforeAll(async () => {
    await buildOnce();
    release = await buildPreviousRelease();
    ownSchema = await buildGraphQLSchema();
    dataDir = await aFolder('gateway upgrade ');
    await chmod(dataDir, 0o755);
  }, 180_000);
  afterAll(async () => {
    for (const gateway of running.toReversed()) await stop(gateway);
    await release?.remove();
  });

  const started = (gateway: Gateway) => {
    running.push(gateway);
    return gateway;
  };
  const read = (url: string) =>
    Promise.all(
      publicPaths.map(async (path) => {
        const response = await fetch(url + path);
        // Pictures of the demo data are at the address of the gateway that was started last.
        const body = (await response.text()).replaceAll(/http:\/\/127\.0\.0\.1:\d+/g, '');
        return { path, status: response.status, body: JSON.parse(body) };
      }),
    );

  /** Does what developers, administrators and users do most, and returns the public app of it. */
  const act = async (url: string, schema: GraphQLSchema): Promise<AppJson> => {
    const client = new ApiClient(url, schema);
    const actors = new Actors(client, async () => []);
    const scopes = allScopes.filter((scope) => assertEnumType(schema.getType('Scope')).getValue(scope));
    const developer = await actors.aDeveloper({}, scopes);
    await client.must('updateMe', { bio: 'Makes things.' }, developer.token);
    const draft = await actors.anApp(developer);
    await client.must('updateApp', { id: draft.id, description: 'Does more.' }, developer.key);
    await client.must('deleteApp', { id: draft.id }, developer.key);
    await actors.anApp(developer, 'REJECTED');
    const { app } = await actors.aVersion(developer, 'APPROVED');
    await actors.aRating(app);
    for (const headers of [{}, { 'idempotency-key': crypto.randomUUID() }]) {
      const install = { body: { installationId: crypto.randomUUID() }, headers };
      const { status } = await client.request('POST', `/api/apps/${app.slug}/install`, install);
      expect(status).toBe(201);
    }
    await client.must('appAnalytics', { id: app.id }, developer.key);
    await client.must('auditLog', { first: 10 }, await actors.admin());
    await client.must('reviewQueue', { first: 10 }, await actors.admin());
    await client.must(
      'suspendDeveloper',
      { id: (await actors.aDeveloper({}, scopes)).id, reason: 'Spam.' },
      await actors.admin(),
    );
    return app;
  };
  const installsOf = async (url: string, { slug }: AppJson): Promise<unknown> => {
    const response = await fetch(`${url}/api/apps/${slug}`);
    return ((await response.json()) as { installCount?: unknown }).installCount;
  };
  const withDatabase = async <T>(use: (client: Client, url: string) => Promise<T>): Promise<T> => {
    const database = await openExistingDatabase(dataDir);
    const url = database?.url ?? '';
    const client = await connectTo(url);
    try {
      return await use(client, url);
    } finally {
      await client.end();
      await database?.close();
    }
  };

  /** Reads the rows of all tables that hold more than derived data, as JSON. */
  const rowsOf = async (client: Client): Promise<Rows> => {
    const { rows: tables } = await client.query<{ name: string }>(
      `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace
         and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> all ($1) order by 1`,
      [[...derived, ...volatile]],
    );
    const found: Rows = {};
    for (const { name } of tables) {
      const { rows } = await client.query(`select to_jsonb(t) as row from ${name} t order by 1`);
      found[name] = rows.map(({ row }) => row);
    }
    return found;
  };

  /** Returns the rows as they must be after the upgrade: the new table and columns have the values of rows from before. */
  const upgraded = ({ kept_answers: responses = [], ...rows }: Rows): Rows => {
    const developers = rows.developers as { id: string; name: string; company_name: string | null }[];
    // The worker computes the skeletons later.
    const waiting = { skeleton: null, rule: 0 };
    const names = developers.flatMap(({ id, name, company_name }) => [
      { ...waiting, developer_id: id, field: 'name', name },
      ...(company_name ? [{ ...waiting, developer_id: id, field: 'companyName', name: company_name }] : []),
    ]);
    const withRelease = (row: unknown) => ({ ...(row as object), version_number: null, release_notes: null });
    return {
      ...rows,
      apps: rows.apps!.map(withRelease),
      app_versions: rows.app_versions!.map(withRelease),
      developers: developers.map((developer) => ({ ...developer, proven_email: null })),
      stored_responses: responses,
      developer_names: names,
      profile_changes: [],
      picture_checks: [],
      administrators: [],
      app_reports: [],
      trusted_publishers: [],
      publisher_tokens: [],
      api_keys: rows.api_keys!.map((key) => ({
        ...(key as object),
        app_id: null,
        trusted_publisher_id: null,
      })),
      asset_checks: rows.asset_checks!.map((check) => ({ ...(check as object), host: null })),
    };
  };
  /** Sorts the rows of each table by their columns, whose order differs. */
  const sorted = (rows: Rows): Rows => {
    const text = (row: unknown) => JSON.stringify(row, Object.keys(row as object).toSorted());
    return Object.fromEntries(
      Object.entries(rows).map(([table, found]) => [
        table,
        found.toSorted((a, b) => (text(a) < text(b) ? -1 : 1)),
      ]),
    );
  };

  let before: { listed: unknown; rows: Rows };

  it('is not upgraded while 0.2.0 runs on it, which goes on', async () => {
    const former = started(startGatewayOf(release.folder, settings()));
    const url = await former.url();
    const app = await act(url, release.schema);
    const database = await openExistingDatabase(dataDir);
    const ours = startGateway({ ...settings(), DATABASE_URL: database?.url ?? '', SEED: 'none' });
    expect(await ours.ended).toBe(1);
    expect(ours.output()).toContain('Gateways or workers of release 0.2.0 use the database');
    expect(await installsOf(url, app)).toBe(2);
    before = { listed: await read(url), rows: {} };
    await stop(former);
    before.rows = await withDatabase(rowsOf);
    for (const table of words('apps app_versions ratings audit_events kept_answers installations mails'))
      expect(before.rows[table]).not.toEqual([]);
  }, 180_000);

  it('has the schema of a new database after the upgrade, and all its rows', async () => {
    const { schema, rows } = await withDatabase(async (client, url) => {
      await migrateDatabase(url);
      return { schema: await schemaOf(client), rows: await rowsOf(client) };
    });
    expect(schema).toBe(await databaseSql());
    expect(sorted(rows)).toEqual(sorted(upgraded(before.rows)));
  }, 180_000);

  it('serves this release, and 0.2.0 does not start on it any more', async () => {
    const url = await started(startGateway(settings())).url();
    expect(await read(url)).toEqual(before.listed);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const app = await act(url, ownSchema);
    expect(await installsOf(url, app)).toBe(2);
    const database = await openExistingDatabase(dataDir);
    const former = startGatewayOf(release.folder, {
      ...settings(),
      DATABASE_URL: database?.url ?? '',
      SEED: 'none',
    });
    expect(await former.ended).toBe(1);
    expect(former.output()).toContain('already exists');
    expect(await installsOf(url, app)).toBe(2);
  }, 180_000);
});
