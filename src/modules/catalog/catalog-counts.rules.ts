import { Environment } from '../listings/app.entity.js';
import { Category } from '../listings/listing.entity.js';
import type { AppFacets, CategoryCount } from './app-facets.types.js';
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

/** A choice of filters whose apps are counted. */
export type Combination = Pick<CatalogFilter, 'category' | 'environment'>;

/** Returns the choices of both facets: each value with the filter of the other facet. */
export const facetCombinations = ({ category, environment }: Combination): Combination[] => [
  ...Object.values(Category).map((value) => ({ category: value, environment })),
  ...Object.values(Environment).map((value) => ({ category, environment: value })),
];

/** Returns the facets from the number of apps for each of their choices, in the same order. */
export function facetsOf(counts: readonly number[]): AppFacets {
  const categories = Object.values(Category);
  return {
    categories: categories.map((category, index) => ({ category, count: counts[index]! })),
    environments: Object.values(Environment).map((environment, index) => ({
      environment,
      count: counts[categories.length + index]!,
    })),
  };
}

/** Returns the facets from counts to which neither filter was applied. */
export const groupedFacets = (counts: readonly AppCount[], filter: Combination = {}): AppFacets =>
  facetsOf(
    facetCombinations(filter).map(({ category, environment }) =>
      sum(
        counts.filter(
          (row) =>
            (!category || row.category === category) && (!environment || row.environment === environment),
        ),
      ),
    ),
  );
