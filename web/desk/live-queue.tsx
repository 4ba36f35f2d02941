import { useEffect } from 'preact/hooks';
import { useData, useEvents } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { Signal, useSignal } from '../client/signal.ts';

const Counts = graphql(`
  query DeskCounts {
    reviewCounts { total overdue claimed versions }
    developers(status: UNVERIFIED, first: 1) { totalCount }
    reportedRatings(first: 1) { totalCount }
    appReports(first: 1) { totalCount }
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
const noWork = { developers: 0, reports: 0, ratings: 0 };
const otherWork = new Signal(noWork);
/** The app whose submission has changed last. The object differs with every change. */
const lastChange = new Signal<{ readonly appId: string | null }>({ appId: null });

/** Follows the queue for all pages of the desk, because browsers open few connections at once to one server. */
export function LiveQueue() {
  const { data, reload } = useData(Counts, {});
  useEffect(() => {
    if (!data) return;
    counts.value = data.reviewCounts;
    otherWork.value = {
      developers: data.developers.totalCount,
      reports: data.appReports.totalCount,
      ratings: data.reportedRatings.totalCount,
    };
  }, [data]);
  useQueueChanges(reload);
  // The next account must not see the numbers of this one.
  useEffect(
    () => () => {
      counts.value = null;
      otherWork.value = noWork;
    },
    [],
  );
  useEvents(QueueChanged, {}, (event) => {
    if (event) counts.value = event.reviewQueueChanged.counts;
    lastChange.value = { appId: event?.reviewQueueChanged.app?.id ?? null };
  });
  return null;
}

/** Returns how many submissions wait, and follows their number; null until it is known. */
export const useReviewCounts = (): ReviewCounts | null => useSignal(counts);

/** Returns how many developers await verification, and how many ratings have open reports. */
export const useOtherWork = () => useSignal(otherWork);

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
