/** SQL for a pseudo-random number between 0 and 1 that depends only on the row and a seed. */
const share = (row: string, seed: number) =>
  `((hashint8extended(${row}, ${seed}) & 2147483647) / 2147483648::float8)`;
const pick = (list: string, row: string, seed: number) =>
  `(${list})[1 + floor(${share(row, seed)} * cardinality(${list}))::int]`;

/** SQL for a UUID of version 7 whose time increases with the row. */
const id = (kind: number, row: string) =>
  `(lpad(to_hex(1704067200000 + ${row} * 60000), 12, '0') || '7' || ${kind} || substr(md5(${row}::text), 1, 2)
    || '8' || substr(md5(${row}::text), 3, 15))::uuid`;
const time = (row: string) => `timestamptz '2024-01-01 00:00:00Z' + ${row} * interval '1 minute'`;

/** The first `KEY_HOLDERS` developers have an API key and `APPS_PER_KEY_HOLDER` apps each, whatever the size of the catalog. */
export const DEVELOPERS = 2000;
export const KEY_HOLDERS = 200;
export const APPS_PER_KEY_HOLDER = 20;

export const insertDevelopers = `
  insert into developers (id, account_user_id, name, email, company_name, website_url, status, verified_at,
    created_at, updated_at)
  select ${id(1, 'n')}, 'bench-' || n, ${pick('$1::text[]', 'n', 1)} || ' ' || ${pick('$1::text[]', 'n', 2)},
    'developer-' || n || '@bench.example', ${pick('$1::text[]', 'n', 3)} || ' Ltd', 'https://dev-' || n || '.example',
    'VERIFIED', ${time('n')}, ${time('n')}, ${time('n')}
  from generate_series(0::bigint, ${DEVELOPERS - 1}) n`;

/** The topics of each app. The apps of a topic are spread evenly over the catalog. $1: words, $2: apps per word, $3: all apps. */
export const createTopicTable = `
  create unlogged table bench_topics as
  select app, string_agg(word, ' ' order by word) as words
  from (
    select word, (ordinality * 7919 + step * greatest($3::bigint / apps, 1)) % $3::bigint as app
    from unnest($1::text[], $2::int[]) with ordinality as topics (word, apps, ordinality),
      generate_series(0::bigint, apps - 1) step
    group by 1, 2) placed
  group by app`;
export const indexTopicTable = 'create unique index on bench_topics (app)';

/** First words of names ($1) by number. A table is used because access to a long array by position is slow. */
export const createBrandTable = 'create unlogged table bench_brands (number integer primary key, brand text)';
export const insertBrands =
  'insert into bench_brands select n, brand from unnest($1::text[]) with ordinality as b (brand, n)';
const brand = `(select b.brand from bench_brands b where b.number = 1 + floor(${share('n', 9)} * $4::int)::int)`;

const developerOf = `case when n < ${KEY_HOLDERS * APPS_PER_KEY_HOLDER} then n / ${APPS_PER_KEY_HOLDER}
  else ${KEY_HOLDERS} + floor(${DEVELOPERS - KEY_HOLDERS} * ${share('n', 4)} ^ 2)::bigint end`;
const status = `case when ${share('n', 5)} < 0.95 then 'APPROVED' when ${share('n', 5)} < 0.98 then 'DRAFT' else 'REJECTED' end`;
const environment = `case when ${share('n', 6)} < 0.8 then 'production' when ${share('n', 6)} < 0.95 then 'staging' else 'localhost' end`;
const screenshot = (order: number) =>
  `jsonb_build_object('url', 'https://cdn.bench.example/' || n || '/${order}.png', 'caption', 'Screen ${order + 1}', 'order', ${order})`;
const rejection = `jsonb_build_object('reasons', jsonb_build_array(jsonb_build_object('code', 'OTHER', 'field', null,
  'message', 'The pictures show another app.')), 'guidance', 'Take new pictures.', 'rejectedAt', '2024-06-01T00:00:00.000Z')`;

/** Inserts apps $1 to $2 of $3; $4: number of brands. Arrays: $5 nouns, $6 verbs, $7 audiences, $8 paragraphs, $9 categories. */
export const insertApps = `
  with made as (insert into apps (id, developer_id, slug, name, description, long_description, category, environment, logo_url,
    banner_url, website_url, screenshots, status, featured, review_count, average_rating, revision,
    submitted_at, approved_at, rejection, created_at, updated_at)
  select ${id(2, 'n')}, ${id(1, 'owner')}, replace(lower(name), ' ', '-') || '-' || n, name,
    verb || ' ' || lower(noun) || ' work for ' || ${pick('$7::text[]', 'n', 12)} || ', ' || lower(${pick('$5::text[]', 'n', 13)})
      || ' included.' || coalesce(' About ' || words || '.', ''),
    ${pick('$8::text[]', 'n', 14)} || E'\\n\\n' || ${pick('$8::text[]', 'n', 15)} || E'\\n\\n' || ${pick('$8::text[]', 'n', 16)},
    ${pick('$9::text[]', 'n', 17)}, ${environment},
    'https://cdn.bench.example/' || n || '/logo.png', 'https://cdn.bench.example/' || n || '/banner.png',
    'https://app-' || n || '.example', jsonb_build_array(${[0, 1, 2].map(screenshot).join(', ')}),
    status, status = 'APPROVED' and ${share('n', 18)} < 0.02,
    0, 0, 1, case when status <> 'DRAFT' then ${time('n')} end,
    case when status = 'APPROVED' then ${time('n')} + interval '1 day' end,
    case when status = 'REJECTED' then ${rejection} end, ${time('n')}, ${time('n')}
  from (
    select n, ${developerOf} as owner, ${status} as status, ${pick('$5::text[]', 'n', 10)} as noun,
      ${pick('$6::text[]', 'n', 11)} as verb, ${brand} as brand, words
    from generate_series($1::bigint, $2::bigint) n left join bench_topics on app = n) rows,
    lateral (select brand || ' ' || noun as name) named
  returning *)
  insert into app_figures (id, install_count, listed, approved_at, category, environment, featured)
  select id, case when status = 'APPROVED'
      then floor(5000000.0 / (10 + (substring(slug from '[0-9]+$')::bigint * 7919) % $3::bigint))::int else 0 end,
    listed, approved_at, category, environment, featured
  from made`;

const popular = 'install_count desc, approved_at desc, id';

/** Changes the copy of the baselines to the tables and indexes that they need, independent of our own schema. */
export const baseline = [
  ...['apps', 'developers', 'installations'].map((table) => `alter table ${table} disable trigger user`),
  'alter table apps drop column if exists search cascade',
  'alter table apps add column install_count integer not null default 0',
  'update apps set install_count = f.install_count from app_figures f where f.id = apps.id',
  'drop table app_figures cascade',
  'vacuum full apps',
  `alter table apps add column search tsvector generated always as (
    setweight(to_tsvector('english', name), 'A') || setweight(to_tsvector('english', description), 'B')) stored`,
  `create index on apps (${popular}) include (developer_id) where status = 'APPROVED'`,
  `create index on apps (category, ${popular}) include (environment, developer_id) where status = 'APPROVED'`,
  "create index on apps (category, environment) include (developer_id) where status = 'APPROVED'",
  "create index on developers (id) where status = 'SUSPENDED'",
  `create index on apps (${popular}) where status = 'APPROVED' and featured`,
  "create index on apps using gin (search) where status = 'APPROVED'",
  'create index on apps (developer_id, created_at desc, id desc)',
  "create index on apps (lower(name) text_pattern_ops) where status = 'APPROVED'",
  'create table replies (key text primary key, response json not null, created_at timestamptz not null)',
];
