import { useCallback } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';
import { useChange } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { announce } from '../components/announcements.tsx';
import { claimFilterOf } from './queue-filter.ts';

const ClaimNext = graphql(`
  mutation DeskClaimNext($filter: ReviewQueueFilter) {
    claimNext(filter: $filter) {
      id
      app { id name }
    }
  }
`);

/** Returns a function that opens a submission and keeps the filter of the queue in the address. */
export function useOpenReview(): (id: string) => void {
  const [, navigate] = useLocation();
  const search = useSearch();
  return useCallback((id) => navigate(reviewPath(id, search)), [navigate, search]);
}

/** Returns the address of a review. The filter of the queue stays in it, so that `claimNext` goes on within the filter. */
export function reviewPath(id: string, search: string): string {
  const params = new URLSearchParams(search);
  params.delete('after');
  return `/reviews/${id}${params.size > 0 ? `?${params}` : ''}`;
}

/** Claims the submission that has waited longest within the filter of the address, and opens it. */
export function useClaimNext() {
  const open = useOpenReview();
  const search = useSearch();
  const [change, isClaiming] = useChange(ClaimNext);
  const claimNext = useCallback(async () => {
    const { data, problems } = await change({ filter: claimFilterOf(new URLSearchParams(search)) });
    if (problems[0]) announce(problems[0].message);
    else if (data?.claimNext) open(data.claimNext.id);
    else announce(NOTHING_LEFT);
  }, [change, open, search]);
  return { claimNext, isClaiming };
}

export const NOTHING_LEFT = 'Nothing is left that nobody has claimed and that you may decide on.';
