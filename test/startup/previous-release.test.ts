import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { assertEnumType, type GraphQLSchema } from 'graphql';
import { openExistingDatabase } from '../../src/embedded-postgres/existing.js';
import { buildGraphQLSchema } from '../../src/graphql/schema.js';
import { migrateDatabase } from '../../src/process/migrate.js';
import { Actors, type AppJson, allScopes } from '../support/actors.js';
import { ApiClient } from '../support/api-client.js';
import { buildOnce } from '../support/database.js';
import { until } from '../support/mail-server.js';
import { type Gateway, startGateway, startGatewayOf } from './gateway.js';
import { buildPreviousRelease, type PreviousRelease } from './previous-release.js';

/** Everything that anybody can read over REST, of the demo data. */
const publicPaths = [
  '/api/apps?limit=100',
  '/api/apps?search=time',
  '/api/apps/categories/list',
  '/api/apps/featured/list',
];

describe('the release before this one (D264)', () => {
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
    gateway.process.kill('SIGTERM');
    await gateway.ended;
  };
  beforeAll(async () => {
    await buildOnce();
    release = await buildPreviousRelease();
    ownSchema = await buildGraphQLSchema();
    dataDir = await mkdtemp(join(tmpdir(), 'gateway upgrade '));
    await chmod(dataDir, 0o755);
  }, 180_000);
  afterAll(async () => {
    // The last one that was started may use the database of the first.
    for (const gateway of running.toReversed()) await stop(gateway);
    await release?.remove();
    await rm(dataDir, { recursive: true, force: true });
  });

  const start = (further: Record<string, string> = {}) => {
    const gateway = startGateway({ ...settings(), ...further });
    running.push(gateway);
    return gateway;
  };
  const startPrevious = (further: Record<string, string> = {}) => {
    const gateway = startGatewayOf(release.folder, { ...settings(), ...further });
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

  it('continues while the database under it is migrated, and its data directory is upgraded', async () => {
    const before = startPrevious();
    const url = await before.url();
    await act(url, release.schema);
    const database = await openExistingDatabase(dataDir);
    await migrateDatabase(database?.url ?? '');
    await act(url, release.schema);
    const listed = await read(url);
    await stop(before);

    const after = await start().url();
    expect(await read(after)).toEqual(listed);
    expect((await fetch(`${after}/readyz`)).status).toBe(200);
    const app = await act(after, ownSchema);
    expect(await installsOf(after, app)).toBe(2);
  }, 180_000);

  it('runs beside this one, and each shows what the other does', async () => {
    const ours = await running.at(-1)!.url();
    const database = await openExistingDatabase(dataDir);
    const theirs = await startPrevious({ DATABASE_URL: database?.url ?? '', SEED: 'none' }).url();
    const made = { there: await act(theirs, release.schema), here: await act(ours, ownSchema) };
    for (const url of [ours, theirs])
      for (const app of Object.values(made))
        await until(
          async () => (await installsOf(url, app)) === 2,
          10_000,
          () => `${url} has no ${app.slug}`,
        );
    expect((await read(theirs))[0]).toEqual((await read(ours))[0]);
  }, 180_000);
});
