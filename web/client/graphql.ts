import { initGraphQLTada } from 'gql.tada';
import type { introspection } from './schema.d.ts';

/** Makes a typed document of a text. The types come from the schema of the service. */
export const graphql = initGraphQLTada<{
  introspection: introspection;
  disableMasking: true;
  scalars: { DateTimeISO: string; JSONObject: Record<string, unknown>; ID: string };
}>();

export type { ResultOf, VariablesOf } from 'gql.tada';
