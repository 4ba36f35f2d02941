import type { EntityManager } from '@mikro-orm/postgresql';
import type { App } from '../modules/listings/app.entity.js';
import { demoApps } from './demo-apps.js';

const days = 90;

/**
 * Inserts installs of the last ninety days. They grow over the time, are fewer at weekends, and differ a little from day to
 * day. It is SQL because services record installs only with the current time. One in twelve has no installationId, so that
 * installs and unique installations differ, and the newer version spreads over the last weeks.
 */
export async function addInstalls(em: EntityManager, apps: ReadonlyMap<string, App>): Promise<void> {
  const installed = demoApps.filter(({ past }) => past.dailyInstalls > 0);
  await em.execute(
    `insert into installations (id, app_id, installation_id, version, created_at)
     select gen_random_uuid(), app.id, case when n % 12 <> 0 then concat_ws('-', 'demo', age, n) end,
       case when age < 25 - n % 20 then '1.1.0' else '1.0.0' end,
       midnight + (now_utc - midnight) * case when age = 0 then n / (count + 1) else 0 end
         + case when age = 0 then interval '0' else interval '1 day' * n / (count + 1) end
     from json_to_recordset(?::json) app (id uuid, slug text, daily float8, since int)
     cross join lateral generate_series(0, least(app.since, ${days - 1})) age
     cross join lateral (select now() as now_utc, date_trunc('day', now(), 'UTC') - age * interval '1 day' as midnight) today
     cross join lateral (
       select round(app.daily * (1 - 0.7 * age / ${days})
         * (array[1, 1.1, 1.05, 1, 0.8, 0.3, 0.25])[extract(isodow from midnight at time zone 'UTC')::int]
         * (0.75 + abs(hashtext(app.slug || age)) % 500 / 1000.0)
         * case when age = 0 then extract(epoch from now_utc - midnight) / 86400 else 1 end) as count) counted
     cross join lateral generate_series(1, count::int) n`,
    [
      JSON.stringify(
        installed.map(({ name, past }) => ({
          id: apps.get(name)!.id,
          slug: apps.get(name)!.slug,
          daily: past.dailyInstalls * 0.6,
          since: Math.floor((past.hoursAgo - past.waitHours) / 24),
        })),
      ),
    ],
  );
  await em.execute(`
    insert into installs_daily (app_id, day, environment, version, installs, unique_installations)
    select i.app_id, (i.created_at at time zone 'utc')::date, a.environment, i.version, count(*), count(i.installation_id)
    from installations i join apps a on a.id = i.app_id group by 1, 2, 3, 4`);
  await em.execute(`
    update app_figures f set install_count = counted.installs
    from (select app_id, count(*) as installs from installations group by 1) counted where counted.app_id = f.id`);
}
