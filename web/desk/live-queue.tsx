import { useEffect } from 'preact/hooks';
import { useData, useEvents } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { Signal, useSignal } from '../client/signal.ts';

const Counts = graphql(`
  query DeskCounts {
    reviewCounts { total overdue claimed versions }
  }
`);

const QueueChanged = graphql(`
  subscription DeskQueueChanged {
    reviewQueueChanged {
      app { id }
      counts { total overdue claimed versions }
    }
  }
`);

interface ReviewCounts {
  total: number;
  overdue: number;
  claimed: number;
  versions: number;
}

const counts = new Signal<ReviewCounts | null>(null);
/** The app whose submission has changed last. The object differs with every change. */
const lastChange = new Signal<{ readonly appId: string | null }>({ appId: null });

/** Follows the queue for all pages of the desk, because browsers open few connections at once to one server. */
export function LiveQueue() {
  const { data } = useData(Counts, {});
  useEffect(() => {
    if (data) counts.value = data.reviewCounts;
  }, [data]);
  useEvents(QueueChanged, {}, ({ reviewQueueChanged: change }) => {
    counts.value = change.counts;
    lastChange.value = { appId: change.app?.id ?? null };
  });
  return null;
}

/** Returns how many submissions wait, and follows their number; null until it is known. */
export const useReviewCounts = (): ReviewCounts | null => useSignal(counts);

/** Calls a function at every change of the queue, or of one app in it. */
export function useQueueChanges(onChange: () => void, appId?: string): void {
  useEffect(
    () =>
      lastChange.follow((change) => {
        if (!appId || change.appId === null || change.appId === appId) onChange();
      }),
    [onChange, appId],
  );
}
