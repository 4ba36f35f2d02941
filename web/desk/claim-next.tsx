import { useClient } from '@urql/preact';
import { useCallback } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';
import { useChange } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { announce } from '../components/announcements.tsx';
import { decidedSubmissions } from './held-decision.ts';
import { claimFilterOf } from './queue-filter.ts';
import { noteAutomaticClaim, noteOpened, wasOpened } from './untouched-claims.ts';

export const ClaimNext = graphql(`
  mutation DeskClaimNext($filter: ReviewQueueFilter) {
    claimNext(filter: $filter) {
      id
      app { id name }
      version { id name }
    }
  }
`);
const OwnClaims = graphql(`
  query DeskOwnClaims($filter: ReviewQueueFilter) {
    reviewQueue(first: 25, filter: $filter) { edges { node { id } } }
  }
`);

/** Returns a function that opens a submission and keeps the filter of the queue in the address. */
export function useOpenReview(): (id: string) => void {
  const [, navigate] = useLocation();
  const search = useSearch();
  return useCallback(
    (id) => {
      noteOpened(id);
      navigate(reviewPath(id, search));
    },
    [navigate, search],
  );
}

/** Returns the address of a review. The filter of the queue stays in it, so that `claimNext` goes on within the filter. */
export function reviewPath(id: string, search: string): string {
  const params = new URLSearchParams(search);
  params.delete('after');
  return `/reviews/${id}${params.size > 0 ? `?${params}` : ''}`;
}

/**
 * Returns a function that reads which submissions the administrator has claimed, without the one that is shown and those
 * that are decided.
 */
export function useOwnClaims(): () => Promise<string[]> {
  const client = useClient();
  const [path] = useLocation();
  const search = useSearch();
  return useCallback(async () => {
    const filter = { ...claimFilterOf(new URLSearchParams(search)), unclaimed: null, mine: true };
    // Also what is decided while the list is read may be in it.
    const decided = decidedSubmissions();
    const { data } = await client.query(OwnClaims, { filter }, { requestPolicy: 'network-only' });
    return (data?.reviewQueue.edges ?? [])
      .map(({ node }) => node.id)
      .filter((id) => !path.endsWith(id) && ![...decided, ...decidedSubmissions()].includes(id));
  }, [client, path, search]);
}

/**
 * Opens what the administrator has claimed before. If there is nothing, claims the submission that has waited longest
 * within the filter of the address, and opens that.
 */
export function useClaimNext() {
  const open = useOpenReview();
  const readOwnClaims = useOwnClaims();
  const search = useSearch();
  const [change, isClaiming] = useChange(ClaimNext);
  const claimNext = useCallback(async () => {
    const own = await readOwnClaims();
    const begun = own.find((id) => !wasOpened(id));
    if (begun) return open(begun);
    const { data, problems } = await change({ filter: claimFilterOf(new URLSearchParams(search)) });
    if (problems[0]) return announce(problems[0].message);
    if (data?.claimNext) void noteAutomaticClaim(data.claimNext.id);
    const next = data?.claimNext?.id ?? own[0];
    if (next) open(next);
    else announce(NOTHING_LEFT);
  }, [change, open, readOwnClaims, search]);
  return { claimNext, isClaiming };
}

export const NOTHING_LEFT = 'No other submission is waiting for you.';
