import type pg from 'pg';

const syllables = 'ba ce di fo gu la me ni ro su ta ve xi zo ka li mo nu pe ra'.split(' ');
/** Words of three syllables; the first ones are frequent, the last ones rare. */
export const vocabulary = Array.from({ length: 4000 }, (_, index) =>
  [index % 20, Math.floor(index / 20) % 20, Math.floor(index / 400)].map((at) => syllables[at]).join(''),
);

const vocabularyBytes = Buffer.from(vocabulary.join(''));

/** SQL for a pseudo-random number between 0 and 1 that depends only on the row and a seed. */
const share = (seed: number) => `((hashint8extended(n, ${seed}) & 2147483647) / 2147483648.0)`;
/** SQL for a word of the vocabulary. It is cut from bytes, because access to a long array by position is slow. */
const word = (seed: number) =>
  `convert_from(substring($1::bytea from 1 + 6 * floor(${share(seed)} ^ 3 * 4000)::int for 6), 'UTF8')`;
const text = (from: number, words: number) =>
  Array.from({ length: words }, (_, index) => word(from + index)).join(` || ' ' || `);
const id = (kind: number, row: string) =>
  `(lpad(to_hex(1704067200000 + ${row} * 60000), 12, '0') || '7' || ${kind} || '00' || '8' || substr(md5((${row})::text), 1, 15))::uuid`;

const developers = `
  insert into developers (id, account_user_id, name, email, company_name, status, verified_at, created_at, updated_at)
  select ${id(1, 'n')}, 'account-' || n, initcap(${word(1)}), n || '@example.com', initcap(${word(2)}) || ' Ltd',
    'VERIFIED', now(), now(), now()
  from generate_series(0::bigint, 1999) n`;

/** Inserts a batch of apps. Each word "lot…" occurs in the descriptions of 1,000 apps, whatever the size of the catalog. */
const batch = `
  with made as (insert into apps (id, developer_id, slug, name, sort_name, listed, description, long_description, category, environment,
    screenshots, status, featured, review_count, average_rating, revision, submitted_at, approved_at,
    created_at, updated_at)
  select ${id(2, 'n')}, ${id(1, 'n % 2000')}, 'app-' || n, name, lower(name), true,
    ${text(10, 10)} || ' lot' || n % greatest($4::bigint / 1000, 1) || '.', ${text(30, 20)},
    (array['PRODUCTIVITY', 'UTILITIES', 'BUSINESS', 'DEVELOPER_TOOLS', 'COMMUNICATION', 'ANALYTICS', 'AI_ML', 'FINANCE',
      'EDUCATION', 'OTHER'])[1 + floor(${share(3)} * 10)::int],
    case when ${share(4)} < 0.8 then 'production' when ${share(4)} < 0.95 then 'staging' else 'localhost' end,
    '[{"url": "https://example.com/1.png", "caption": null, "order": 0}, {"url": "https://example.com/2.png", "caption": null, "order": 1}]',
    'APPROVED', ${share(5)} < 0.01,
    floor(${share(6)} * 100)::int, round((${share(7)} * 5)::numeric, 2), 1, t, t, t, t
  from generate_series($2::bigint, $3::bigint) n,
    lateral (select initcap(${word(8)} || ' ' || ${word(9)}) || ' ' || n % 1000 as name,
      timestamptz '2024-01-01Z' + n * interval '1 minute' as t) made
  returning *)
  insert into app_figures (id, install_count, listed, approved_at, category, environment, featured)
  select id, floor(5000000.0 / (10 + (substring(slug from '[0-9]+$')::bigint * 7919) % $4::bigint))::int, listed,
    approved_at, category, environment, featured from made`;

/** Fills an empty database with this number of apps, the same in every run. */
export async function fillCatalog(
  client: pg.Client,
  apps: number,
  log: (step: string) => void,
): Promise<void> {
  await client.query('alter table apps disable trigger user');
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename in ('apps', 'app_figures') and not exists (select from pg_constraint where conname = indexname)`);
  for (const { name } of indexes) await client.query(`drop index ${name}`);
  await client.query(developers, [vocabularyBytes]);
  const size = 50_000;
  for (let first = 0; first < apps; first += size) {
    await client.query(batch, [vocabularyBytes, first, Math.min(first + size, apps) - 1, apps]);
    log(`${Math.min(first + size, apps).toLocaleString('en')} apps`);
  }
  await client.query('select rebuild_catalog()');
  log('Search tables built');
  for (const { name, definition } of indexes) {
    await client.query(definition);
    log(name);
  }
  await client.query('alter table apps enable trigger user');
  await client.query('vacuum analyze');
}
