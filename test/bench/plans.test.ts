import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { hotQueries, parameterText } from '../../bench/plans.queries.js';
import { sessionSettings } from '../../src/db/reader.js';
import { type Service, startService } from '../support/service.js';

let service: Service;
let planner: pg.Client;
beforeAll(async () => {
  service = await startService();
  await service.anApp(await service.aDeveloper(), 'APPROVED');
  // As a burst of installs leaves it: counted anew, and not yet vacuumed.
  await service.sql('update app_figures set install_count = install_count + 1');
  await service.sql('analyze');
  planner = new pg.Client({ connectionString: service.databaseUrl });
  await planner.connect();
  await planner.query(sessionSettings);
});
afterAll(async () => {
  await planner.end();
  await service.close();
});

describe('the hot queries', () => {
  it.each(hotQueries(1_000_000).map(({ name, statements }) => [name, statements(0)] as const))(
    '%s reads by indexes alone, however long ago the tables were vacuumed',
    async (_name, { text, values }) => {
      await planner.query(`prepare planned as ${text}`);
      const literals = values.map((value) => planner.escapeLiteral(parameterText(value))).join(', ');
      const { rows } = await planner.query<{ 'QUERY PLAN': string }>(
        `explain execute planned${literals && `(${literals})`}`,
      );
      await planner.query('deallocate planned');
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).not.toMatch(
        /Seq Scan on (apps|app_figures|app_search|app_documents|owner_documents|developers)\b/,
      );
    },
  );
});
