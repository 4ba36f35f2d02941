import type { Statement } from '../../db/reader.js';
import { joined, publicColumns } from './catalog.queries.js';

/** Words of the app that are compared; those of its name come first. */
const comparedWords = 12;
/** Apps that are ranked. In a larger category only these are compared, so that the time is bounded. */
const maxCompared = 1_000;

/**
 * Reads the apps of other developers in the category of an app that have words of its name and description, and after
 * them the most installed ones of the category. The words of the category itself are no words in common.
 */
export const similarApps = (id: string, limit: number): Statement => ({
  name: 'similar apps',
  text: `
  with own as materialized (
    select s.app_id, s.developer_id, s.category, (
      select string_agg('''' || replace(replace(w.lexeme, '\\', '\\\\'), '''', '''''') || '''', ' | ')::tsquery
      from (
        select l.lexeme from unnest(s.headline) l
        where l.lexeme <> all (tsvector_to_array(to_tsvector('english', search_text(s.category))))
        order by 'A' = any(l.weights) desc, l.lexeme limit ${comparedWords}) w) as words
    from app_search s where s.app_id = $1::uuid),
  alike as materialized (
    select s.app_id, ts_rank(s.headline, (select words from own)) as rank
    from app_search s
    where s.document @@ ((select words from own) && (select ('''=' || category || '''')::tsquery from own))
      and s.developer_id <> (select developer_id from own)
    limit ${maxCompared}),
  popular as materialized (
    select f.id as app_id, 0::real as rank
    from app_figures f join apps p on p.id = f.id
    where f.listed and f.category = (select category from own) and p.developer_id <> (select developer_id from own)
    order by f.install_count desc, f.approved_at desc, f.id limit $2::bigint),
  found as (
    select h.app_id, max(h.rank) as rank from (select * from alike union all select * from popular) h group by 1)
  select ${publicColumns} from found h join apps a on a.id = h.app_id ${joined}
  where a.listed
  order by h.rank desc, f.install_count desc, a.id limit $2::bigint`,
  values: [id, limit],
});
