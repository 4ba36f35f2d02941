import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type pg from 'pg';
import { BatchedReader } from '../../../src/db/batched-reader.js';
import { type Statement, sessionSettings } from '../../../src/db/reader.js';
import { appsAfter, pageOfApps } from '../../../src/modules/catalog/catalog.queries.js';
import { AppSort } from '../../../src/modules/catalog/catalog.types.js';
import { Environment } from '../../../src/modules/listings/app.entity.js';
import { Category } from '../../../src/modules/listings/listing.entity.js';
import { beforeTests } from '../../support/before-tests.js';
import { connectTo } from '../../support/database.js';
import { startService } from '../../support/service.js';
import { fillSearchedCatalog } from './searched-catalog.js';

let client: pg.Client;
const service = beforeTests(startService);
beforeAll(async () => {
  await fillSearchedCatalog(service, 300);
  client = await connectTo(service.databaseUrl);
  await client.query(sessionSettings);
});
afterAll(async () => {
  await client?.end();
  await service.close();
});

const read = async ({ name, text, values }: Statement) =>
  (await client.query<object>({ name, text, values: [...values] })).rows;

const windows = [0, 3, 45, 60, 5_000].map((offset, index) => ({ limit: 20 - index, offset }));
const filters = [
  {},
  { category: Category.FINANCE },
  { environment: Environment.staging, featured: true },
  { environment: Environment.production, featured: false },
];
const position = [100, '2024-01-01T00:00:00.000Z', '80000000-0000-7000-8000-000000000000'];

it.each<[string, Statement[]]>([
  [
    'pages of lists',
    Object.values(AppSort).flatMap((sort) =>
      filters.flatMap((filter) => windows.map((window) => pageOfApps(filter, sort, window))),
    ),
  ],
  [
    'pages of lists after an entry of the page index',
    filters.flatMap((filter) =>
      [1, 30].map((limit) => pageOfApps(filter, AppSort.popular, { limit, offset: 2, after: position })),
    ),
  ],
  [
    'lists after a cursor',
    filters.flatMap((filter) =>
      [null, position].flatMap((place) =>
        [3, 9].map((size) => appsAfter(filter, AppSort.popular, size, place)),
      ),
    ),
  ],
])('%s that are sent together return what each returns alone', async (_, statements) => {
  const sent: Statement[] = [];
  const rows = (statement: Statement) => {
    sent.push(statement);
    return read(statement) as Promise<never>;
  };
  const batched = new BatchedReader({ rows }, 8);
  const together = await Promise.all(statements.map((statement) => batched.rows<object>(statement)));
  expect(sent.length).toBeLessThan(statements.length / 1.5);
  const withoutPlace = (found: object[]) => found.map((row) => ({ ...row, batchPlace: undefined }));
  for (const [index, statement] of statements.entries())
    expect(withoutPlace(together[index]!)).toEqual(withoutPlace(await read(statement)));
});
