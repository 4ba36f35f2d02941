import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { BrowseApps } from './catalog.input.js';
import { AppSort, type PublicApp } from './catalog.types.js';

type Filter = Pick<z.output<typeof BrowseApps>, 'category' | 'environment' | 'featured' | 'search'>;

/** A time as both doors write it, straight from the database. */
const iso = (column: string) =>
  sql`to_char(${sql.ref(column)} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The public form of an app, under the names that both doors publish. */
const publicColumns = sql`
  a.id, a.slug, a.name, a.description, a.long_description as "longDescription", a.category, a.environment,
  a.logo_url as "logoUrl", a.banner_url as "bannerUrl", a.website_url as "websiteUrl", a.screenshots, a.status,
  a.featured, a.install_count as "installCount", a.review_count as "reviewCount",
  a.average_rating as "averageRating", ${iso('a.approved_at')} as "approvedAt", ${iso('a.created_at')} as "createdAt",
  ${iso('a.updated_at')} as "updatedAt",
  json_build_object('name', d.name, 'companyName', d.company_name, 'websiteUrl', d.website_url) as developer`;

/** Approved apps of developers who are not suspended: all that is ever public. */
export const publicApps = sql`
  from apps a join developers d on d.id = a.developer_id
  where a.status = 'APPROVED' and d.status <> 'SUSPENDED'`;

/** Finds by words of name and description, and forgives a typo in the name. Plain words: an operator would be a way to break the query. */
const matches = (search: string) => sql`
  and (a.search @@ plainto_tsquery('english', ${search})
    or lower(a.name) like ${`${escapeLike(search.toLowerCase())}%`}
    or lower(a.name) % lower(${search})
    or lower(${search}) <% lower(a.name))`;

const escapeLike = (value: string) => value.replace(/[\\%_]/g, '\\$&');

function where({ category, environment, featured, search }: Filter): RawBuilder<unknown> {
  return sql`
    ${publicApps}
    ${category ? sql`and a.category = ${category}` : sql``}
    ${environment ? sql`and a.environment = ${environment}` : sql``}
    ${typeof featured === 'boolean' ? sql`and a.featured = ${featured}` : sql``}
    ${search ? matches(search) : sql``}`;
}

const popular = sql`a.install_count desc, a.approved_at desc, a.id`;

function orderBy(sort: AppSort, search: string | null | undefined): RawBuilder<unknown> {
  switch (sort) {
    case AppSort.newest:
      return sql`a.approved_at desc, a.id`;
    case AppSort.rating:
      return sql`a.average_rating desc, a.review_count desc, a.id`;
    case AppSort.name:
      return sql`lower(a.name), a.id`;
    case AppSort.relevance:
      return search ? relevance(search) : popular;
    case AppSort.popular:
      return popular;
  }
}

/** Exact name, then prefix, then full text and likeness, then popularity. */
const relevance = (search: string) => sql`
  lower(a.name) = lower(${search}) desc,
  lower(a.name) like ${`${escapeLike(search.toLowerCase())}%`} desc,
  ts_rank(a.search, plainto_tsquery('english', ${search})) + similarity(lower(a.name), lower(${search})) desc,
  ${popular}`;

export const countApps = (filter: Filter) =>
  sql<{ total: number }>`select count(*)::int as total ${where(filter)}`;

export const pageOfApps = (filter: Filter, sort: AppSort, limit: number, offset: number) =>
  sql<PublicApp>`select ${publicColumns} ${where(filter)} order by ${orderBy(sort, filter.search)} limit ${limit} offset ${offset}`;

export const appBySlug = (slug: string) =>
  sql<PublicApp>`select ${publicColumns} ${publicApps} and a.slug = ${slug}`;

export const countByCategory = () =>
  sql<{
    category: string;
    count: number;
  }>`select a.category, count(*)::int as count ${publicApps} group by a.category`;
