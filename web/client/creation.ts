import { type AnyVariables, getOperationName, type TypedDocumentNode } from '@urql/preact';
import { useCallback } from 'preact/hooks';
import { type Outcome, useChange } from './data.ts';
import { hasTooManyKeys, isDoneBefore } from './problems.ts';
import { readStored, writeStored } from './storage.ts';

/** An input that was sent, until its outcome is known. */
interface Sent {
  readonly input: string;
  readonly key: string;
  readonly at: number;
}

/** After this time the same input is meant as another one. */
const MAX_AGE_MS = 10 * 60_000;

const readSent = (place: string): Sent | null => JSON.parse(readStored('sessionStorage', place) ?? 'null');

/** Returns the key of an input: the one of the last request, if that had the same input and no response. */
function keyOf(place: string, variables: AnyVariables): string {
  const input = JSON.stringify(variables);
  const sent = readSent(place);
  if (sent?.input === input && Date.now() - sent.at < MAX_AGE_MS) return sent.key;
  const key = crypto.randomUUID();
  writeStored('sessionStorage', place, JSON.stringify({ input, key, at: Date.now() } satisfies Sent));
  return key;
}

/**
 * Returns a function that makes something, and whether that is under way. If its response is lost and the person tries
 * again, also after a reload, nothing is made twice.
 */
export function useCreation<T, V extends AnyVariables>(
  mutation: TypedDocumentNode<T, V>,
): [create: (variables: V) => Promise<Outcome<T>>, isCreating: boolean] {
  const [change, isChanging] = useChange(mutation);
  const place = `sent:${getOperationName(mutation)}`;
  const create = useCallback(
    async (variables: V) => {
      const outcome = await change(variables, keyOf(place, variables));
      // An error is not stored, so the key is still the right one, except if the first request has succeeded.
      if (outcome.data || outcome.problems.some(isDoneBefore)) writeStored('sessionStorage', place, null);
      return outcome.problems.some(hasTooManyKeys) ? change(variables) : outcome;
    },
    [change, place],
  );
  return [create, isChanging];
}
