import { type AnyVariables, getOperationName, type TypedDocumentNode } from '@urql/preact';
import { useCallback } from 'preact/hooks';
import { type Outcome, useChange } from './data.ts';
import { isPassing } from './problems.ts';

/** An input that was sent, until its outcome is known. */
interface Sent {
  readonly input: string;
  readonly key: string;
}

const readSent = (place: string): Sent | null => JSON.parse(sessionStorage.getItem(place) ?? 'null');

/** Returns the key of an input: the one of the last request, if that had the same input and no response. */
function keyOf(place: string, variables: AnyVariables): string {
  const input = JSON.stringify(variables);
  const sent = readSent(place);
  if (sent?.input === input) return sent.key;
  const key = crypto.randomUUID();
  sessionStorage.setItem(place, JSON.stringify({ input, key } satisfies Sent));
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
      if (!outcome.problems.some(isPassing)) sessionStorage.removeItem(place);
      return outcome;
    },
    [change, place],
  );
  return [create, isChanging];
}
