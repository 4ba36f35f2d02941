import { sql } from 'kysely';
import { publicApps } from '../catalog/catalog.queries.js';

/** Which of these apps have the name of another developer's public app, whatever the case. */
export const appsWithNamesOfOthers = (ids: readonly string[]) => sql<{ id: string }>`
  select mine.id from apps mine
  where mine.id = any(${sql.val(ids)}::uuid[])
    and exists (
      select 1 ${publicApps}
      and a.sort_name = lower(mine.name) and a.developer_id <> mine.developer_id)`;
