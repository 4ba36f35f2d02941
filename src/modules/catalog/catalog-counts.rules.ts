import { Environment } from '../apps/app.entity.js';
import { Category } from '../apps/listing.entity.js';
import type { AppFacets, CategoryCount } from './catalog.types.js';
import type { CatalogFilter } from './statement-builder.queries.js';

/** The number of matching apps of one category and environment. */
export interface AppCount {
  category: Category;
  environment: Environment;
  count: number;
}

export const sum = (counts: readonly AppCount[]) => counts.reduce((total, { count }) => total + count, 0);

/** Returns all categories in the order of SPEC, empty ones included. */
export const byCategory = (counts: readonly AppCount[]): CategoryCount[] =>
  Object.values(Category).map((category) => ({
    category,
    count: sum(counts.filter((row) => row.category === category)),
  }));

/** Returns the counts for every value of a facet, from counts to which neither filter was applied. */
export const facetsOf = (
  counts: readonly AppCount[],
  { category, environment }: Pick<CatalogFilter, 'category' | 'environment'> = {},
): AppFacets => ({
  categories: byCategory(counts.filter((row) => !environment || row.environment === environment)),
  environments: Object.values(Environment).map((value) => ({
    environment: value,
    count: sum(counts.filter((row) => row.environment === value && (!category || row.category === category))),
  })),
});
