import type { graphql } from '../client/graphql.ts';
import { categories } from '../components/categories.ts';

type Environment = ReturnType<typeof graphql.scalar<'Environment'>>;

/** The filters of the queue that are either on or off. */
export const switches = ['mine', 'unclaimed', 'overdue', 'versions'] as const;

export const environments: readonly Environment[] = ['production', 'staging', 'localhost'];

/** Returns the filter of the queue that the address contains. */
export const queueFilterOf = (params: URLSearchParams) => ({
  ...Object.fromEntries(switches.filter((name) => params.get(name) === 'true').map((name) => [name, true])),
  category: oneOf(categories, params.get('category')),
  environment: oneOf(environments, params.get('environment')),
});

/** Returns the same filter for claiming. What one has claimed already is never the next one, so `mine` is left out. */
export const claimFilterOf = (params: URLSearchParams) => {
  const others = new URLSearchParams(params);
  others.delete('mine');
  return queueFilterOf(others);
};

/** Returns a value of the address if it is a valid one. */
export const oneOf = <T extends string>(values: readonly T[], value: string | null): T | null =>
  values.find((candidate) => candidate === value) ?? null;
