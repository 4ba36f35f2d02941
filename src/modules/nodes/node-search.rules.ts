import { type ErrorCode, notFound, ServiceError } from '../../errors.js';
import { asNode } from '../../operations/node.types.js';
import type { NodeReference } from '../../operations/node-id.js';
import { type LookUp, lookUps, typesOfTable } from './look-up.rules.js';
import type { NodeRow, NodeTable } from './node.queries.js';

/** The search for one object: the look-ups to try in turn, and their result. */
export interface NodeSearch {
  readonly reference: NodeReference | null;
  readonly lookUps: readonly LookUp[];
  outcome: object | ServiceError | null;
  refusal: ServiceError | null;
}

/** Refusals that mean that this caller may not use a look-up. Another look-up may still find the object. */
const refusals: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'INSUFFICIENT_SCOPE',
  'DEVELOPER_NOT_REGISTERED',
  'DEVELOPER_NOT_VERIFIED',
  'DEVELOPER_SUSPENDED',
]);

/** Returns the ids that do not name their type. */
export const plainIds = (references: readonly (NodeReference | null)[]): string[] =>
  references.flatMap((reference) => (reference?.type === null ? [reference.id] : []));

/** Starts a search for each reference. `found` has the tables of those that do not name their type. */
export function searchesFor(
  references: readonly (NodeReference | null)[],
  found: readonly { id: string; table: NodeTable }[],
): NodeSearch[] {
  const types = new Map(found.map(({ id, table }) => [id, typesOfTable[table]]));
  return references.map((reference) => {
    const possible = possibleTypes(reference, types);
    const suitable = possible.flatMap((type) => lookUps.get(type) ?? []);
    return { reference, lookUps: suitable, outcome: null, refusal: null };
  });
}

function possibleTypes(
  reference: NodeReference | null,
  types: ReadonlyMap<string, readonly string[]>,
): readonly string[] {
  if (!reference) return [];
  if (reference.type !== null) return [reference.type];
  // A look-up rejects an invalid credential. An unknown id gets one too, because the error would reveal which ids exist.
  return types.get(reference.id) ?? typesOfTable.apps;
}

/** Returns the unfinished searches by the look-up that they try in this turn. */
export const searchesByLookUp = (searches: readonly NodeSearch[], turn: number) =>
  Map.groupBy(
    searches.filter((search) => search.outcome === null && search.lookUps.length > turn),
    (search) => search.lookUps[turn]!,
  );

export const idsOf = (searches: readonly NodeSearch[]): string[] => [
  ...new Set(searches.map(({ reference }) => reference!.id)),
];

/** Stores the result of a look-up in all searches that tried it. */
export function noteResult(
  searches: readonly NodeSearch[],
  type: string,
  result: readonly NodeRow[] | ServiceError,
  turn: number,
): void {
  for (const search of searches) {
    if (!(result instanceof ServiceError)) {
      const row = result.find(({ id }) => id === search.reference!.id);
      search.outcome = row ? asNode(type, row) : null;
      search.refusal = null;
    } else if (!refusals.has(result.code)) search.outcome = result;
    // The refusal of a plain id would reveal that the id exists.
    else if (turn === 0 && search.reference!.type !== null) search.refusal = result;
  }
}

export const outcomeOf = ({ outcome, refusal }: NodeSearch): object | ServiceError =>
  outcome ?? refusal ?? notFound('object');

/** Returns an error that is meant for the caller, and throws any other one again. */
export function asServiceError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  throw error;
}
