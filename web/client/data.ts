import {
  type AnyVariables,
  type TypedDocumentNode,
  useMutation,
  useQuery,
  useSubscription,
} from '@urql/preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { emptyResponse, isLimited, type Problem, problemsOf } from './problems.ts';
import { isServiceUp } from './service.ts';
import { session } from './session.ts';
import { streamConnections } from './streams.ts';

/** The data of a query: what is known of it, whether it is being read, and what went wrong. */
export interface Data<T> {
  readonly data: T | undefined;
  readonly isLoading: boolean;
  readonly problems: readonly Problem[];
  /** Reads the data again. */
  readonly reload: () => void;
}

/** The pause before data is read again that a limit has refused. */
const limitedPauseMs = 5_000;

/** Reads data, and reads it again after an outage, and when a limit was exceeded. */
export function useData<T, V extends AnyVariables>(
  query: TypedDocumentNode<T, V>,
  variables: V,
  { pause = false }: { pause?: boolean } = {},
): Data<T> {
  const [{ data, fetching, stale, error, operation }, execute] = useQuery<T, V>({
    query,
    variables,
    pause,
  } as never);
  const reload = useCallback(() => execute({ requestPolicy: 'network-only' }), [execute]);
  useEffect(() => {
    if (pause) return;
    const stops = [
      isServiceUp.follow((isUp) => isUp && reload()),
      session.state.follow(({ kind }) => kind === 'signed-in' && reload()),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, [reload, pause]);
  const problems = problemsOf(error);
  useEffect(() => {
    if (pause || !problems.some(isLimited)) return;
    const timer = setTimeout(reload, limitedPauseMs);
    return () => clearTimeout(timer);
  }, [error, reload, pause]);
  const key = operation?.key;
  const known = useRef({ key, data });
  // Data that was read before a failure stays on the page, unless it is that of other variables.
  if (data !== undefined || known.current.key !== key) known.current = { key, data };
  const isEmpty = data === null && !error && !fetching;
  return {
    data: known.current.data ?? undefined,
    isLoading: fetching || stale,
    problems: isEmpty ? [emptyResponse] : problems,
    reload,
  };
}

/** Installs, ratings and profiles appear in the catalog within this time. */
const catalogLagMs = 1_000;

/** Returns a function that reads data at once, and again when the catalog is certain to show a change. */
export function useLateReload(reload: () => void): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => () => clearTimeout(timer.current), []);
  return useCallback(() => {
    reload();
    clearTimeout(timer.current);
    timer.current = setTimeout(reload, catalogLagMs);
  }, [reload]);
}

/**
 * Calls a function at every event of a subscription, and with null if events may have been missed: whenever the stream is
 * connected, because the data was read before. A page in the background has no stream, because browsers open only a few
 * connections to a server.
 */
export function useEvents<T, V extends AnyVariables>(
  query: TypedDocumentNode<T, V>,
  variables: V,
  onEvent: (event: T | null) => void,
  { pause = false }: { pause?: boolean } = {},
): void {
  const latest = useRef(onEvent);
  latest.current = onEvent;
  const isVisible = useVisibility();
  const wasHidden = useRef(false);
  useEffect(() => {
    if (isVisible && wasHidden.current) latest.current(null);
    wasHidden.current = !isVisible;
  }, [isVisible]);
  useEffect(() => streamConnections.follow(() => latest.current(null)), []);
  useSubscription<T, T, V>({ query, variables, pause: pause || !isVisible } as never, (_, event) => {
    latest.current(event);
    return event;
  });
}

function useVisibility(): boolean {
  const [isVisible, setIsVisible] = useState(!document.hidden);
  useEffect(() => {
    const onChange = () => setIsVisible(!document.hidden);
    document.addEventListener('visibilitychange', onChange);
    return () => document.removeEventListener('visibilitychange', onChange);
  }, []);
  return isVisible;
}

export type Outcome<T> = { readonly data: T | undefined; readonly problems: readonly Problem[] };

/**
 * Returns a function that changes something, and whether a change is under way. With an `Idempotency-Key` it is safe to
 * repeat.
 */
export function useChange<T, V extends AnyVariables>(
  mutation: TypedDocumentNode<T, V>,
): [change: (variables: V, idempotencyKey?: string) => Promise<Outcome<T>>, isChanging: boolean] {
  const [{ fetching }, execute] = useMutation<T, V>(mutation);
  const change = useCallback(
    async (variables: V, idempotencyKey?: string) => {
      const headers = idempotencyKey ? { 'idempotency-key': idempotencyKey } : {};
      const { data, error } = await execute(variables, { fetchOptions: { headers } });
      return { data: data ?? undefined, problems: data || error ? problemsOf(error) : [emptyResponse] };
    },
    [execute],
  );
  return [change, fetching];
}
