import type { Request } from 'express';
import type { Deprecation } from '../operations/operation.js';
import type { Pagination } from '../operations/pagination.types.js';

/** The revisions that `If-Match` names; undefined where it is absent or matches anything. */
export function expectedRevisions(ifMatch: string | undefined): { expectedRevisions?: ReadonlySet<number> } {
  if (ifMatch === undefined || ifMatch.trim() === '*') return {};
  const tags = ifMatch.split(',').map((tag) => /^"([1-9]\d{0,8})"$/.exec(tag.trim())?.[1]);
  return { expectedRevisions: new Set(tags.filter((tag) => tag !== undefined).map(Number)) };
}

/** Whether the caller holds this answer already. Fetch in browsers and Node adds `no-cache` to a conditional request, which asks for this very check. */
export const isKnownTo = (ifNoneMatch: string | undefined, etag: string) => {
  const held = ifNoneMatch?.trim();
  return held === '*' || (held ?? '').split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
};

/** Since when, and until when: RFC 9745 and RFC 8594. */
export const deprecationHeaders = ({ since, sunset }: Deprecation) => ({
  deprecation: `@${Math.floor(since.getTime() / 1000)}`,
  sunset: sunset.toUTCString(),
});

const maxListLength = 2000;

/** Names of fields as a header can carry them: anything odd is percent-encoded, and a long list is cut. */
export function fieldList(fields: readonly string[]): string {
  const names = fields.slice(0, 50).map((field) => encodeURIComponent(field.slice(0, 100).toWellFormed()));
  const all = names.join(', ');
  return all.length <= maxListLength ? all : `${all.slice(0, maxListLength).replace(/,[^,]*$/, '')}, ...`;
}

/** The pages before and after this one, as RFC 8288 links; null when nothing matches. Only what the operation knows is linked. */
export function pageLinks(
  { path, query }: Request,
  baseUrl: string,
  known: readonly string[],
  { page, limit, totalPages }: Pagination,
): string | null {
  if (totalPages === 0) return null;
  const url = new URL(baseUrl.replace(/\/+$/, '') + path);
  for (const [field, value] of Object.entries(query))
    if (known.includes(field) && value) url.searchParams.set(field, String(value));
  const link = (target: number, rel: string) => {
    url.searchParams.set('page', String(target));
    url.searchParams.set('limit', String(limit));
    return `<${url.href}>; rel="${rel}"`;
  };
  return [
    link(1, 'first'),
    ...(page > 1 ? [link(Math.min(page - 1, totalPages), 'prev')] : []),
    ...(page < totalPages ? [link(page + 1, 'next')] : []),
    link(totalPages, 'last'),
  ].join(', ');
}
