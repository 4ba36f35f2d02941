/** One install that is asked for. */
export interface NewInstall {
  id: string;
  slug: string;
  installationId: string | null;
  accountUserId: string | null;
  version: string | null;
}

/** What became of it. */
export interface RecordedInstall {
  /** Whether there is such an app for the public. */
  isListed: boolean;
  /** The app's installs as of this transaction; null where its row was not to be had. */
  installCount: number | null;
  /** False for an installation that was counted before. */
  isNew: boolean;
}

/**
 * Records any number of installs in one statement, and so in one transaction. It first takes the figures of their apps,
 * in one order for everybody: so counts are exact, and no two batches ever wait for each other in a circle.
 * What was counted before is decided by the unique index, inside a batch too.
 */
const statement = (whenTaken: 'wait' | 'skip locked') => `
  with asked as (
    select * from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[]) with ordinality
      as i (id, slug, installation_id, account_user_id, version, place)),
  wanted as (select id, slug from apps where slug = any($2) and listed),
  held as (
    select f.id, w.slug, f.environment, f.install_count from wanted w join app_figures f using (id) where f.listed
    order by f.id for no key update of f ${whenTaken === 'wait' ? '' : whenTaken}),
  recorded as (
    insert into installations (id, app_id, installation_id, account_user_id, version, created_at)
    select i.id, h.id, i.installation_id, i.account_user_id, i.version, now() from asked i join held h using (slug)
    on conflict on constraint installations_once_per_app do nothing
    returning id, app_id, installation_id, version),
  by_version as (
    insert into installs_daily as d (app_id, day, environment, version, installs, unique_installations)
    select h.id, (now() at time zone 'utc')::date, h.environment, coalesce(r.version, ''),
      count(*), count(r.installation_id)
    from recorded r join held h on h.id = r.app_id group by 1, 2, 3, 4
    on conflict (app_id, day, environment, version) do update set installs = d.installs + excluded.installs,
      unique_installations = d.unique_installations + excluded.unique_installations),
  by_app as (select app_id, count(*)::int as installs from recorded group by app_id),
  counted as (
    update app_figures f set install_count = install_count + by_app.installs from by_app where f.id = by_app.app_id)
  select w.slug is not null as "isListed", h.install_count + coalesce(b.installs, 0) as "installCount",
    r.id is not null as "isNew"
  from asked i left join wanted w using (slug) left join held h using (slug)
    left join by_app b on b.app_id = h.id left join recorded r on r.id = i.id
  order by i.place`;

/** Waits for whoever else holds one of the apps. */
export const recordPatiently = { name: 'record-installs-patiently', text: statement('wait') };

/** Leaves out the apps that somebody else holds at the moment: those are listed and have no count. */
export const recordSwiftly = { name: 'record-installs-swiftly', text: statement('skip locked') };

/** The installs, column by column, as the statements take them. */
export const columnsOf = (installs: readonly NewInstall[]): (string | null)[][] => [
  installs.map(({ id }) => id),
  installs.map(({ slug }) => slug),
  installs.map(({ installationId }) => installationId),
  installs.map(({ accountUserId }) => accountUserId),
  installs.map(({ version }) => version),
];
