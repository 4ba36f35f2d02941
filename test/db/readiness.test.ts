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
    () => `/readyz did not become ${status}`,
  );

const losses = [
  ['apps.banner_url', 'alter table apps rename column banner_url to lost_url'],
  ['mails.id', 'alter table mails rename to lost_mails'],
  ['0100-baseline', 'alter table schema_migrations rename to lost'],
] as const;
const repairs = [
  'alter table lost rename to schema_migrations',
  'alter table lost_mails rename to mails',
  'alter table apps rename column lost_url to banner_url',
];

describe('/readyz of a running gateway', () => {
  it('notices that the database has lost a column, a table or the migrations, and that they are back (D240)', async () => {
    expect((await readiness()).status).toBe(200);
    for (const [name, lose] of losses) {
      await service.sql(lose);
      await becomes(503);
      expect((await readiness()).text).toContain(name);
    }
    for (const repair of repairs) {
      expect((await readiness()).status).toBe(503);
      await service.sql(repair);
    }
    await becomes(200);
  });
});
