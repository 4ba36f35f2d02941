import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildGraphQLSchema } from '../../src/graphql/schema.js';
import { type Gateway, startGateway } from '../startup/gateway.js';
import { Actors, type AppJson } from '../support/actors.js';
import { ApiClient } from '../support/api-client.js';
import { buildOnce, createTestDatabase, type TestDatabase } from '../support/database.js';
import { aFolder } from '../support/folder.js';
import { until } from '../support/mail-server.js';
import { expectVisibleWithinASecond } from '../support/send-request.js';

const writes = 15;
const readers = 4;

/** Two gateways, each in a process of its own, on one database. */
let database: TestDatabase;
let folder: string;
let processes: Gateway[] = [];
let writer: ApiClient;
let reader: ApiClient;
let admin: string;
let app: AppJson;

beforeAll(async () => {
  await buildOnce();
  database = await createTestDatabase();
  folder = await aFolder('two-processes-');
  processes = ['one', 'other'].map((name) =>
    startGateway({ PORT: '0', DATABASE_URL: database.url, DATA_DIR: join(folder, name), WORKER: 'off' }),
  );
  const [one, other] = (await Promise.all(processes.map((gateway) => gateway.url()))) as [string, string];
  const schema = await buildGraphQLSchema();
  writer = new ApiClient(one, schema);
  reader = new ApiClient(other, schema);
  const people = new Actors(writer, async () => []);
  admin = await people.admin();
  app = await people.anApp(await people.aDeveloper(), 'APPROVED');
  // It may have to build first.
}, 120_000);
afterAll(async () => {
  for (const gateway of processes) {
    await gateway.end('SIGKILL');
  }
  await database.drop();
});

/** The edit that a response showed, and when the request was sent. */
interface Observation {
  edit: number;
  sentAt: number;
}

const editIn = (text: string) => Number(/Edit (\d+)\./.exec(text)?.[1] ?? -1);

async function overRest(client: ApiClient): Promise<Observation> {
  const sentAt = performance.now();
  const response = await client.request('GET', `/api/apps/${app.slug}`);
  return { sentAt, edit: editIn(await response.text()) };
}

async function overGraphQL(client: ApiClient): Promise<Observation> {
  const sentAt = performance.now();
  const { data } = await client.graphql('{ browseApps { apps { description } } }');
  return { sentAt, edit: editIn(JSON.stringify(data)) };
}

describe('two processes', () => {
  it('show a change within a second, and the one that wrote it at once (D29)', async () => {
    const confirmedAt: number[] = [];
    const observations: Observation[] = [];
    let isOver = false;
    const untilObserved = (count: number) =>
      until(() => observations.length >= count, 'there are no more responses');
    const read = async (observe: (client: ApiClient) => Promise<Observation>) => {
      while (!isOver) observations.push(await observe(reader));
    };
    const reading = Array.from({ length: readers }, (_, at) => read(at % 2 ? overGraphQL : overRest));
    for (let edit = 0; edit < writes; edit += 1) {
      const input = { id: app.id, description: `Edit ${edit}.`, reason: 'Better.' };
      await writer.must('editApp', input, admin);
      confirmedAt.push(performance.now());
      const own = await Promise.all([overRest(writer), overGraphQL(writer)]);
      expect(own.map((observed) => observed.edit)).toEqual([edit, edit]);
      await untilObserved(observations.length + 10);
    }
    const isLate = ({ sentAt }: Observation) => sentAt > confirmedAt.at(-1)! + 1_000;
    await until(() => observations.some(isLate), 'there are no more responses');
    isOver = true;
    await Promise.all(reading);
    // The time between the confirmation of the next edit and the request that did not show it.
    const lags = observations.map(({ edit, sentAt }) => sentAt - (confirmedAt[edit + 1] ?? sentAt));
    expect(lags.filter((lag) => lag > 1_000)).toEqual([]);
    expect(observations.find(isLate)?.edit).toBe(writes - 1);
  }, 180_000);

  it('show an install within a second, even if the one that recorded it is killed (D30)', async () => {
    const count = async () => {
      const { data } = await reader.graphql(`{ app(slug: "${app.slug}") { installCount } }`);
      return (data?.app as { installCount: number } | undefined)?.installCount;
    };
    // So that the other process has a cached count.
    for (let time = 0; time < 3; time += 1) expect(await count()).toBe(0);
    for (let install = 0; install < 3; install += 1) await writer.must('recordInstall', { slug: app.slug });
    processes[0]?.process.kill('SIGKILL');
    await expectVisibleWithinASecond(async () => (await count()) === 3);
  });
});
