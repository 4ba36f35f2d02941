import type pg from 'pg';

const iso = (column: string) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as`;

/** All columns of an app that REST publishes. */
const publicColumns = `
  a.id, a.slug, a.name, a.description, a.long_description as "longDescription", a.category, a.environment,
  a.logo_url as "logoUrl", a.banner_url as "bannerUrl", a.website_url as "websiteUrl", a.screenshots, a.status,
  a.featured, a.install_count as "installCount", a.review_count as "reviewCount",
  a.average_rating as "averageRating", ${iso('a.approved_at')} "approvedAt", ${iso('a.created_at')} "createdAt",
  ${iso('a.updated_at')} "updatedAt",
  json_build_object('name', d.name, 'companyName', d.company_name, 'websiteUrl', d.website_url) as developer`;

/** The columns of the GraphQL documents of the bench. */
const cardColumns = `
  a.id, a.slug, a.name, a.description, a.category, a.environment, a.logo_url as "logoUrl", a.featured,
  a.install_count as "installCount", a.average_rating as "averageRating"`;
const cardWithDeveloper = `${cardColumns},
  json_build_object('name', d.name, 'companyName', d.company_name, 'websiteUrl', d.website_url) as developer`;

const appBySlug = `${cardColumns}, a.long_description as "longDescription",
  json_build_object('name', d.name, 'companyName', d.company_name, 'websiteUrl', d.website_url) as developer`;

export const columns = { all: publicColumns, card: cardColumns, cardWithDeveloper, appBySlug };
export type Columns = keyof typeof columns;

/** Excludes suspended developers without a join: they are few, and a partial index has them. */
const isPublic = `a.status = 'APPROVED'
  and a.developer_id not in (select s.id from developers s where s.status = 'SUSPENDED')`;
const popular = (table: string) => `${table}.install_count desc, ${table}.approved_at desc, ${table}.id`;

/** Filters and page of a list. */
export interface Question {
  category?: string | undefined;
  environment?: string | undefined;
  featured?: string | undefined;
  search?: string | undefined;
  sort?: string | undefined;
  page: number;
  limit: number;
}

/** Selects rows as the text of a JSON array: PostgreSQL writes it faster than this process parses rows and writes them. */
const jsonOf = (select: string) =>
  `(select '[' || coalesce(string_agg(row_to_json(j)::text, ','), '') || ']' from (${select}) j)`;

/**
 * Reads a page and its exact total by one prepared statement for each combination of filters. The page is found in an
 * index before whole rows are read, and the total is counted in an index; a search collects its hits once for both.
 */
export async function page(pool: pg.Pool, question: Question, fields: Columns = 'all'): Promise<string> {
  const { where, values, name, rank } = conditions(question);
  const { limit, search } = question;
  const keys = `select a.id, a.install_count, a.approved_at, ${rank} as rank from apps a ${where}`;
  const [hits, source, count] =
    search === undefined
      ? ['', `(${keys})`, `(select count(*)::int from apps a ${where})`]
      : [`with hits as materialized (${keys})`, 'hits', '(select count(*)::int from hits)'];
  const apps = jsonOf(`select ${columns[fields]} from (
      select * from ${source} a order by rank desc, ${popular('a')} limit $${values.length + 1} offset $${values.length + 2}) p
    join apps a on a.id = p.id join developers d on d.id = a.developer_id order by p.rank desc, ${popular('p')}`);
  const { rows } = await pool.query<{ apps: string; total: number }>({
    name: `page ${fields} ${name}`,
    text: `${hits} select ${apps} as apps, ${count} as total`,
    values: [...values, limit, (question.page - 1) * limit],
  });
  const total = rows[0]?.total ?? 0;
  const pagination = { page: question.page, limit, total, totalPages: Math.ceil(total / limit) };
  return `{"apps":${rows[0]?.apps},"pagination":${JSON.stringify(pagination)}}`;
}

function conditions({ category, environment, featured, search, sort }: Question) {
  const filters = {
    'a.category = $': category,
    'a.environment = $': environment,
    'a.featured = $': featured,
    "a.search @@ plainto_tsquery('english', $)": search,
  };
  const used = Object.entries(filters).filter(([, value]) => value !== undefined);
  const where = used.map(([text], index) => ` and ${text.replace('$', `$${index + 1}`)}`).join('');
  return {
    where: `where ${isPublic}${where}`,
    values: used.map(([, value]) => value),
    name: `${used.map(([text]) => text[2]).join('')} ${sort}`,
    rank:
      search === undefined || sort === 'popular'
        ? '0'
        : `ts_rank(a.search, plainto_tsquery('english', $${used.length}))`,
  };
}

const UNIQUE_VIOLATION = '23505';

const joined = 'from apps a join developers d on d.id = a.developer_id';

export async function bySlug(pool: pg.Pool, slug: string, fields: Columns = 'all') {
  const text = `select row_to_json(j)::text as app from (select ${columns[fields]} ${joined}
    where a.slug = $1 and a.status = 'APPROVED' and d.status <> 'SUSPENDED') j`;
  const { rows } = await pool.query<{ app: string }>({ name: `slug ${fields}`, text, values: [slug] });
  return rows[0]?.app;
}

/** Suggests apps whose name starts with the prefix, by a range of the index of names. */
export async function suggest(pool: pg.Pool, prefix: string, first: number) {
  const text = `select a.slug, a.name from apps a where ${isPublic}
    and lower(a.name) ~>=~ $1::text and lower(a.name) ~<~ ($1::text || chr(1114111)) order by ${popular('a')} limit $2`;
  const { rows } = await pool.query({ name: 'suggest', text, values: [prefix.toLowerCase(), first] });
  return JSON.stringify(rows);
}

export async function featured(pool: pg.Pool) {
  const apps = `select ${publicColumns} ${joined} where ${isPublic} and a.featured order by ${popular('a')} limit 20`;
  const text = `select ${jsonOf(apps)} as apps`;
  return `{"apps":${(await pool.query<{ apps: string }>({ name: 'featured', text })).rows[0]?.apps}}`;
}

export async function categories(pool: pg.Pool) {
  const text = `select a.category, count(*)::int as count from apps a where ${isPublic} group by a.category`;
  const { rows } = await pool.query<{ category: string; count: number }>({ name: 'categories', text });
  return JSON.stringify({ categories: rows });
}

/** Looks up the developer of an API key by its hash, if the key is valid. */
export async function developerOf(pool: pg.Pool, hash: Buffer): Promise<string | undefined> {
  const text = `select d.id from api_keys k join developers d on d.id = k.developer_id
    where k.hash = $1 and k.revoked_at is null and k.expires_at > now() and d.status <> 'SUSPENDED'
      and 'APP_READ' = any (k.scopes)`;
  return (await pool.query<{ id: string }>({ name: 'key', text, values: [hash] })).rows[0]?.id;
}

export async function appsOf(pool: pg.Pool, developer: string) {
  const apps = `select a.id, a.slug, a.name, a.description, a.long_description as "longDescription", a.category,
      a.environment, a.logo_url as "logoUrl", a.banner_url as "bannerUrl", a.website_url as "websiteUrl",
      a.oauth_client_id as "oauthClientId", a.screenshots, a.status, a.featured, a.install_count as "installCount",
      a.review_count as "reviewCount", a.average_rating as "averageRating", a.revision,
      ${iso('a.submitted_at')} "submittedAt", ${iso('a.approved_at')} "approvedAt", a.rejection,
      ${iso('a.created_at')} "createdAt", ${iso('a.updated_at')} "updatedAt"
    from apps a where a.developer_id = $1 order by a.created_at desc, a.id desc`;
  const text = `select ${jsonOf(apps)} as apps`;
  const { rows } = await pool.query<{ apps: string }>({ name: 'mine', text, values: [developer] });
  return `{"apps":${rows[0]?.apps}}`;
}

const recorded = `
    with app as (select a.id from apps a where ${isPublic} and a.slug = $1),
    recorded as (
      insert into installations (id, app_id, installation_id, created_at)
      select gen_random_uuid(), app.id, $2, now() from app
      on conflict on constraint installations_once_per_app do nothing returning id)`;
const count = `update apps set install_count = install_count + (select count(*) from recorded)
    from app where apps.id = app.id returning apps.install_count as "installCount"`;

/** Records an install in one statement, and therefore in one transaction each. */
export async function install(pool: pg.Pool, slug: string, installationId: string) {
  const { rows } = await pool.query<{ installCount: number }>({
    name: 'install',
    text: `${recorded} ${count}`,
    values: [slug, installationId],
  });
  return rows[0] && JSON.stringify({ slug, installCount: rows[0].installCount });
}

/** Records an install and the response to its key in one statement; a key that exists gets the stored response. */
export async function installOnce(pool: pg.Pool, slug: string, installationId: string, key: string) {
  const text = `${recorded}, counted as (${count})
    insert into replies (key, response, created_at)
    select $3, json_build_object('slug', $1::text, 'installCount', "installCount"), now() from counted
    returning response::text`;
  try {
    const values = [slug, installationId, key];
    return (await pool.query({ name: 'install once', text, values })).rows[0]?.response;
  } catch (error) {
    if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error;
    const stored = 'select response::text from replies where key = $1';
    return (await pool.query({ name: 'reply', text: stored, values: [key] })).rows[0]?.response;
  }
}
