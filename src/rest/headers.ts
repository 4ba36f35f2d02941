import type { Deprecation } from '../operations/operation.js';
import type { Pagination } from '../operations/pagination.types.js';

/** Returns the revisions in `If-Match`; none where it is absent or matches anything. */
export function expectedRevisions(ifMatch: string | undefined): { expectedRevisions?: ReadonlySet<number> } {
  if (ifMatch === undefined || ifMatch.trim() === '*') return {};
  const tags = ifMatch.split(',').map((tag) => /^"([1-9]\d{0,8})"$/.exec(tag.trim())?.[1]);
  return { expectedRevisions: new Set(tags.filter((tag) => tag !== undefined).map(Number)) };
}

/** The headers of a deprecated operation (RFC 9745 and RFC 8594). */
export const deprecationHeaders = ({ since, sunset }: Deprecation) => ({
  deprecation: `@${Math.floor(since.getTime() / 1000)}`,
  sunset: sunset.toUTCString(),
});

const maxListLength = 2000;

/** Lists field names in a header: percent-encoded, and cut where the list is long. */
export function fieldList(fields: readonly string[]): string {
  const names = fields.slice(0, 50).map((field) => encodeURIComponent(field.slice(0, 100).toWellFormed()));
  const all = names.join(', ');
  return all.length <= maxListLength ? all : `${all.slice(0, maxListLength).replace(/,[^,]*$/, '')}, ...`;
}

/** Returns links to the other pages (RFC 8288) with the query parameters that the operation has; null for an empty list. */
export function pageLinks(
  { path, query }: { path: string; query: { readonly [field: string]: unknown } },
  baseUrl: string,
  parameters: readonly string[],
  { page, limit, totalPages }: Pagination,
): string | null {
  if (totalPages === 0) return null;
  // Not those of a URL, which is parsed again after each change.
  const search = new URLSearchParams();
  for (const [field, value] of Object.entries(query))
    if (parameters.includes(field) && value) search.set(field, String(value));
  search.set('page', '0');
  search.set('limit', String(limit));
  const { href } = new URL(baseUrl.replace(/\/+$/, '') + path);
  // A value cannot contain `=` or `&`, because they are encoded.
  const [before, after] = `${href}?${search}`.split(/(?<=[?&]page=)0(?=&|$)/) as [string, string];
  const link = (target: number, rel: string) => `<${before}${target}${after}>; rel="${rel}"`;
  return [
    link(1, 'first'),
    ...(page > 1 ? [link(Math.min(page - 1, totalPages), 'prev')] : []),
    ...(page < totalPages ? [link(page + 1, 'next')] : []),
    link(totalPages, 'last'),
  ].join(', ');
}
