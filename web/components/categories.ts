import type { graphql } from '../client/graphql.ts';

export type Category = ReturnType<typeof graphql.scalar<'Category'>>;

/** The type makes sure that none is missing. */
const known: Record<Category, true> = {
  PRODUCTIVITY: true,
  BUSINESS: true,
  COMMUNICATION: true,
  DEVELOPER_TOOLS: true,
  ANALYTICS: true,
  FINANCE: true,
  EDUCATION: true,
  AI_ML: true,
  UTILITIES: true,
  OTHER: true,
};

/** The categories by name, with "Other" at the end. */
export const categories: readonly Category[] = (Object.keys(known) as Category[]).toSorted(
  (one, other) => Number(one === 'OTHER') - Number(other === 'OTHER') || one.localeCompare(other),
);
