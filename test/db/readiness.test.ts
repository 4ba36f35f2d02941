import { describe, expect, it } from '@jest/globals';
import { duringTests } from '../support/before-tests.js';
import { until } from '../support/mail-server.js';
import { startService } from '../support/service.js';

const service = duringTests(startService);

const readiness = async () => {
  const response = await service.client.request('GET', '/readyz');
  return { status: response.status, text: await response.text() };
};
const becomes = (status: number) =>
  until(
    async () => (await readiness()).status === status,
    60_000,
    () => `/readyz did not become ${status}`,
  );

describe('/readyz of a running gateway', () => {
  it.each([
    [
      'a column',
      'alter table apps rename column banner_url to lost_url',
      'alter table apps rename column lost_url to banner_url',
      'apps.banner_url',
    ],
    [
      'a table',
      'alter table mails rename to lost_mails',
      'alter table lost_mails rename to mails',
      'mails.id',
    ],
    [
      'the migrations',
      'alter table schema_migrations rename to lost',
      'alter table lost rename to schema_migrations',
      '0100-baseline',
    ],
  ])(
    'notices that the database has lost %s, and that it is back (D240)',
    async (_what, lose, bring, name) => {
      expect((await readiness()).status).toBe(200);
      await service.sql(lose);
      await becomes(503);
      expect((await readiness()).text).toContain(name);
      await service.sql(bring);
      await becomes(200);
    },
  );
});
