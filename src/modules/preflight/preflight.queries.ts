import { sql } from 'kysely';
import { publicApps } from '../catalog/catalog.queries.js';

/** Which of these apps and versions have the name of another developer's public app, whatever the case. */
export const listingsWithNamesOfOthers = (ids: readonly string[]) => sql<{ id: string }>`
  select mine.id from (
    select id, name, developer_id from apps where id = any(${sql.val(ids)}::uuid[])
    union all
    select version.id, version.name, app.developer_id
    from app_versions version join apps app on app.id = version.app_id
    where version.id = any(${sql.val(ids)}::uuid[])) mine
  where exists (
    select 1 ${publicApps}
    and a.sort_name = lower(mine.name) and a.developer_id <> mine.developer_id)`;
