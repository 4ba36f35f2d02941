import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildGraphQLSchema } from '../../src/graphql/schema.js';
import { type Gateway, startGateway } from '../startup/gateway.js';
import { Actors, type AppJson } from '../support/actors.js';
import { buildOnce, createTestDatabase, type TestDatabase } from '../support/database.js';
import { Doors } from '../support/doors.js';
import { expectVisibleWithinASecond } from '../support/send-request.js';

const writes = 15;
const readers = 4;

/** Two whole services in processes of their own, on one database. */
let database: TestDatabase;
let folder: string;
let processes: Gateway[] = [];
let writer: Doors;
let reader: Doors;
let admin: string;
let app: AppJson;

beforeAll(async () => {
  await buildOnce();
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'two-processes-'));
  processes = ['one', 'other'].map((name) =>
    startGateway({ PORT: '0', DATABASE_URL: database.url, DATA_DIR: join(folder, name), WORKER: 'off' }),
  );
  const [one, other] = (await Promise.all(processes.map((gateway) => gateway.url()))) as [string, string];
  const schema = await buildGraphQLSchema();
  writer = new Doors(one, schema);
  reader = new Doors(other, schema);
  const people = new Actors(writer, async () => []);
  admin = await people.admin();
  app = await people.anApp(await people.aDeveloper(), 'APPROVED');
  // It may have to build first.
}, 120_000);
afterAll(async () => {
  for (const gateway of processes) {
    gateway.process.kill('SIGKILL');
    await gateway.ended;
  }
  await database.drop();
  await rm(folder, { recursive: true });
});

/** Which edit somebody saw, and when they asked. */
interface Sight {
  edit: number;
  askedAt: number;
}

const editIn = (text: string) => Number(/Edit (\d+)\./.exec(text)?.[1] ?? -1);

async function overRest(doors: Doors): Promise<Sight> {
  const askedAt = performance.now();
  const response = await doors.request('GET', `/api/apps/${app.slug}`);
  return { askedAt, edit: editIn(await response.text()) };
}

async function overGraphQL(doors: Doors): Promise<Sight> {
  const askedAt = performance.now();
  const { data } = await doors.graphql('{ browseApps { apps { description } } }');
  return { askedAt, edit: editIn(JSON.stringify(data)) };
}

describe('two processes under load', () => {
  it('never show what is more than a second old, and the one that wrote never at all (D29)', async () => {
    const acknowledgedAt: number[] = [];
    const sights: Sight[] = [];
    let isOver = false;
    const read = async (look: (doors: Doors) => Promise<Sight>) => {
      while (!isOver) sights.push(await look(reader));
    };
    const reading = Array.from({ length: readers }, (_, at) => read(at % 2 ? overGraphQL : overRest));
    for (let edit = 0; edit < writes; edit += 1) {
      const input = { id: app.id, description: `Edit ${edit}.`, reason: 'Better.' };
      await writer.must('editApp', input, admin);
      acknowledgedAt.push(performance.now());
      expect((await Promise.all([overRest(writer), overGraphQL(writer)])).map((seen) => seen.edit)).toEqual([
        edit,
        edit,
      ]);
      await delay(100);
    }
    await delay(1_000);
    isOver = true;
    await Promise.all(reading);
    // How long ago the edit after the one that was seen had been acknowledged when they asked.
    const lags = sights.map(({ edit, askedAt }) => askedAt - (acknowledgedAt[edit + 1] ?? askedAt));
    expect(sights.length).toBeGreaterThan(writes * 10);
    expect(lags.filter((lag) => lag > 1_000)).toEqual([]);
    expect(sights.at(-1)?.edit).toBe(writes - 1);
  });

  it('count an install within a second, also when the one that took it dies (D30)', async () => {
    const count = async () => {
      const { data } = await reader.graphql(`{ app(slug: "${app.slug}") { installCount } }`);
      return (data?.app as { installCount: number } | undefined)?.installCount;
    };
    // So that the other one remembers a count.
    for (let look = 0; look < 3; look += 1) expect(await count()).toBe(0);
    for (let install = 0; install < 3; install += 1) await writer.must('recordInstall', { slug: app.slug });
    processes[0]?.process.kill('SIGKILL');
    await expectVisibleWithinASecond(async () => (await count()) === 3);
  });
});
