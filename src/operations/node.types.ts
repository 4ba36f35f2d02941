import 'reflect-metadata';
import { Field, ID, InterfaceType } from 'type-graphql';
import { GraphQLOnly } from './graphql-only.js';

/** An object that can be looked up by its id. `graphql/schema.ts` resolves `nodeId` and the type. */
@InterfaceType({
  description:
    'An object that `node(id)` and `nodes(ids)` return. `id` is the same UUID as in REST; an app has the same `id` as `App` and as `PublicApp`. `nodeId` is unique among all types.',
})
export class Node {
  @Field(() => ID, { description: 'A UUID (version 7).' })
  id!: string;

  @GraphQLOnly()
  @Field(() => ID, {
    description:
      'Opaque id that is unique among all types, for `node(id)` and for caches that are keyed by id alone, such as that of Relay.',
  })
  nodeId!: string;
}

const typeNames = new WeakMap<object, string>();

/** Marks an object as a node of a GraphQL type. Rows have no class that would tell `App` from `PublicApp`. */
export function asNode<Row extends object>(type: string, row: Row): Row {
  typeNames.set(row, type);
  return row;
}

/** Returns the GraphQL type of an object that was marked as a node. */
export const typeOfNode = (row: object): string | undefined => typeNames.get(row);
