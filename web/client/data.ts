import {
  type AnyVariables,
  type TypedDocumentNode,
  useMutation,
  useQuery,
  useSubscription,
} from '@urql/preact';
import { useCallback, useEffect, useRef } from 'preact/hooks';
import { type Problem, problemsOf } from './problems.ts';
import { isServiceUp } from './service.ts';

/** The data of a query: what is known of it, whether it is being read, and what went wrong. */
export interface Data<T> {
  readonly data: T | undefined;
  readonly isLoading: boolean;
  readonly problems: readonly Problem[];
  /** Reads the data again. */
  readonly reload: () => void;
}

/** Reads data, and reads it again after an outage. */
export function useData<T, V extends AnyVariables>(
  query: TypedDocumentNode<T, V>,
  variables: V,
  { pause = false }: { pause?: boolean } = {},
): Data<T> {
  const [{ data, fetching, stale, error }, execute] = useQuery<T, V>({ query, variables, pause } as never);
  const reload = useCallback(() => execute({ requestPolicy: 'network-only' }), [execute]);
  useEffect(() => isServiceUp.follow((isUp) => isUp && !pause && reload()), [reload, pause]);
  return { data, isLoading: fetching || stale, problems: problemsOf(error), reload };
}

/** Calls a function at every event of a subscription. */
export function useEvents<T, V extends AnyVariables>(
  query: TypedDocumentNode<T, V>,
  variables: V,
  onEvent: (event: T) => void,
  { pause = false }: { pause?: boolean } = {},
): void {
  const latest = useRef(onEvent);
  latest.current = onEvent;
  useSubscription<T, T, V>({ query, variables, pause } as never, (_, event) => {
    latest.current(event);
    return event;
  });
}

export type Outcome<T> = { readonly data: T | undefined; readonly problems: readonly Problem[] };

/** Returns a function that changes something, and whether a change is under way. */
export function useChange<T, V extends AnyVariables>(
  mutation: TypedDocumentNode<T, V>,
): [change: (variables: V) => Promise<Outcome<T>>, isChanging: boolean] {
  const [{ fetching }, execute] = useMutation<T, V>(mutation);
  const change = useCallback(
    async (variables: V) => {
      const { data, error } = await execute(variables);
      return { data: data ?? undefined, problems: problemsOf(error) };
    },
    [execute],
  );
  return [change, fetching];
}
