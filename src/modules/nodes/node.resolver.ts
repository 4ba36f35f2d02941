import { Resolver } from 'type-graphql';
import { call } from '../../operations/call.js';
import type { Context } from '../../operations/context.js';
import { Expose } from '../../operations/expose.js';
import type { NodeReference } from '../../operations/node-id.js';
import type { RawInput } from '../../operations/parse-input.js';
import { type LookUp, tablesOfIds } from './look-up.rules.js';
import * as contract from './node.contract.js';
import {
  asServiceError,
  idsOf,
  type NodeSearch,
  noteResult,
  outcomeOf,
  plainIds,
  searchesByLookUp,
  searchesFor,
} from './node-search.rules.js';

/** The GraphQL fields that look up objects by their ids. */
@Resolver()
export class NodeResolver {
  @Expose(contract.node)
  async node(input: RawInput, context: Context) {
    const [found] = await findNodes(context, [await call(contract.node, context, input)]);
    if (found instanceof Error) throw found;
    return found;
  }

  /** An item that is an error becomes null, with the error at its place. */
  @Expose(contract.nodes)
  async nodes(input: RawInput, context: Context) {
    return findNodes(context, await call(contract.nodes, context, input));
  }
}

/** Finds each object by the first look-up that may see it. What several objects look up in a turn is one call. */
async function findNodes(context: Context, references: readonly (NodeReference | null)[]) {
  const ids = plainIds(references);
  const searches = searchesFor(references, ids.length > 0 ? await call(tablesOfIds, context, { ids }) : []);
  for (let turn = 0; ; turn += 1) {
    const alike = searchesByLookUp(searches, turn);
    if (alike.size === 0) return searches.map(outcomeOf);
    const tryLookUp = async ([{ type, operation }, group]: [LookUp, NodeSearch[]]) =>
      noteResult(
        group,
        type,
        await call(operation, context, { ids: idsOf(group) }).catch(asServiceError),
        turn,
      );
    await Promise.all([...alike].map(tryLookUp));
  }
}
