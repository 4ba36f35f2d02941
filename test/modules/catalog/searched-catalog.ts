import type { CatalogFilter } from '../../../src/modules/catalog/statement-builder.queries.js';
import type { Service } from '../../support/service.js';

/** Every app has word1, every second word2, every fifth word5 and so on: in the name, the description or the long description. */
export const searchedWords = [1, 2, 5, 20, 60, 1500];

/** Inserts this many public apps with random names, texts, filters, ratings and installs. Returns the id of their developer. */
export async function fillSearchedCatalog(service: Service, apps: number): Promise<string> {
  const { id } = await service.aDeveloper({ name: 'Ada' });
  const screenshots = [0, 1].map((order) => ({
    url: 'https://pictures.example/x.png',
    caption: null,
    order,
  }));
  await service.sql('alter table apps disable trigger user');
  await service.sql(
    `insert into apps (id, developer_id, slug, name, sort_name, listed, description, long_description, category,
      environment, screenshots, status, featured, review_count, average_rating, revision, submitted_at, approved_at,
      created_at, updated_at)
    select gen_random_uuid(), $1, 'random-' || n, name, lower(name), true, coalesce(brief, '-'), long,
      case when random() < 0.3 then 'FINANCE' else 'OTHER' end,
      case when random() < 0.2 then 'staging' else 'production' end, $3, 'APPROVED', random() < 0.1,
      floor(random() * 9), round((random() * 5)::numeric, 2), 1, now(),
      now() - (random() * 100)::integer * interval '1 day', now(), now()
    from generate_series(1, $4::integer) n, lateral (
      select coalesce(string_agg('word' || w, ' ') filter (where place < 0.1), 'Item ' || n) as name,
        string_agg('word' || w, ' ') filter (where place between 0.1 and 0.6) as brief,
        string_agg('word' || w, ' ') filter (where place > 0.6) as long
      from (select w, random() + n * 0 as place from unnest($2::integer[]) w where n % w = 0) placed) texts`,
    [id, searchedWords, JSON.stringify(screenshots), apps],
  );
  await service.sql('alter table apps enable trigger user');
  await service.sql('select rebuild_catalog()');
  await service.sql('update app_figures set install_count = floor(exp(random() * 21))');
  // Texts that have a word more or less often: installs and texts then count alike for the relevance.
  await service.sql(
    `update app_search set headline = setweight(to_tsvector('english', repeat('word20 ', (1 + random() * 8)::integer)), 'B')
    where document @@ 'word20' and headline @@ 'word20:B'`,
  );
  await service.sql('vacuum analyze');
  return id;
}

/** One app that a search finds, with everything that orders it. */
export interface ExpectedHit {
  id: string;
  category: string;
  environment: string;
  tier: number;
  score: number;
  installs: number;
  approved: string;
  rating: number;
  reviews: number;
  name: string;
}

/** Finds all apps of a search by a plain statement, except for similar names. */
export const allHits = (service: Service, { search, ...filter }: CatalogFilter): Promise<ExpectedHit[]> =>
  service.sql<ExpectedHit>(
    `select a.id, a.category, a.environment, f.install_count as installs, a.approved_at::text as approved,
      a.average_rating as rating, a.review_count as reviews, a.sort_name as name,
      case when s.name = fold_name($1) then 3 when starts_with(s.name, fold_name($1)) then 2 else 1 end as tier,
      least(9999999, 1000000 * (1 + ln(1 + f.install_count) / 10) * ts_rank(s.headline, search_query($1)))::integer as score
    from app_search s join apps a on a.id = s.app_id join app_figures f on f.id = a.id
    where (s.document @@ search_query($1) or starts_with(s.name, fold_name($1)))
      and a.category = coalesce($2, a.category) and a.environment = coalesce($3, a.environment)
      and a.featured = coalesce($4, a.featured) and a.developer_id = coalesce($5, a.developer_id)`,
    [
      search,
      filter.category ?? null,
      filter.environment ?? null,
      filter.featured ?? null,
      filter.developer ?? null,
    ],
  );
