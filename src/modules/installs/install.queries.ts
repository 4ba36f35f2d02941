import { sql } from 'kysely';
import { publicApps } from '../catalog/catalog.queries.js';

export interface NewInstall {
  id: string;
  slug: string;
  installationId: string | null;
  accountUserId: string | null;
  version: string | null;
}

/** Records an install and counts it, in one statement; the unique index decides what was counted before. */
export const recordInstall = ({ id, slug, installationId, accountUserId, version }: NewInstall) => sql<{
  installCount: number;
  isNew: boolean;
}>`
  with app as (select a.id ${publicApps} and a.slug = ${slug}),
  recorded as (
    insert into installations (id, app_id, installation_id, account_user_id, version, created_at)
    select ${id}, app.id, ${installationId}, ${accountUserId}, ${version}, now() from app
    on conflict on constraint installations_once_per_app do nothing
    returning id)
  update apps set install_count = install_count + (select count(*) from recorded)
  from app where apps.id = app.id
  returning apps.install_count as "installCount", exists (select from recorded) as "isNew"`;
