import type { Service } from './service.js';

/** Copies an app by SQL, with other values in some columns: expressions of SQL in which `n` counts the copies from 1. */
export const copiesOf = (
  service: Pick<Service, 'sql'>,
  appId: string,
  count: number,
  columns: Record<string, string>,
) => {
  const changes = Object.entries(columns).map(([column, value]) => `'${column}', ${value}`);
  return service.sql(
    `insert into apps select copy.* from apps a, generate_series(1, ${count}) n,
       lateral jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid(), ${changes.join()})) copy
     where a.id = $1 on conflict do nothing`,
    [appId],
  );
};

/** The same without triggers, which take half a minute for 5,000 public apps; `rebuild_catalog()` does their work for all at once. */
export async function manyCopiesOf(...copies: Parameters<typeof copiesOf>): Promise<void> {
  const [service] = copies;
  await service.sql('alter table apps disable trigger user');
  await copiesOf(...copies);
  await service.sql('alter table apps enable trigger user');
}
