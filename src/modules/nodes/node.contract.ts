import { anyone } from '../../auth/policy.js';
import { Node } from '../../operations/node.types.js';
import { readNodeId } from '../../operations/node-id.js';
import { query } from '../../operations/operation.js';
import { NodeId, NodeIds } from './node.input.js';

// Both only read the ids: the resolver then calls the look-up of each type, which has a policy of its own.

/** An id may belong to any of eleven tables. */
const lookUpCost = 400;

export const node = query({
  summary:
    'Returns an object by its `nodeId`. A plain `id` returns the form with most fields that you may read: `App` for its developer and administrators, otherwise `PublicApp`.',
  cached: true,
  policy: anyone,
  nullable: true,
  input: NodeId,
  statementCost: lookUpCost,
  output: Node,
  errors: ['NOT_FOUND'],
  run: async (_services, _caller, { id }) => readNodeId(id),
});

export const nodes = query({
  summary:
    'Returns several objects as `node` does, in the order of the ids; null for each that does not exist or that you may not see, with an error.',
  cached: true,
  policy: anyone,
  nullable: 'items',
  input: NodeIds,
  statementCost: lookUpCost,
  output: [Node],
  errors: ['NOT_FOUND'],
  run: async (_services, _caller, { ids }) => ids.map(readNodeId),
});
