import { useClient } from '@urql/preact';
import { useCallback } from 'preact/hooks';
import { useLocation, useSearch } from 'wouter-preact';
import { useChange } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { announce } from '../components/announcements.tsx';
import { decidedSubmissions } from './held-decision.ts';
import { claimFilterOf } from './queue-filter.ts';
import { noteAutomaticClaim, noteOpened, Release, wasOpened } from './untouched-claims.ts';

const ClaimNext = graphql(`
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
 * Returns a function that claims the submission that has waited longest within the filter of the address. It is released
 * again if the reviewer has gone elsewhere meanwhile.
 */
export function useNewClaim() {
  const search = useSearch();
  const [change, isClaiming] = useChange(ClaimNext);
  const [release] = useChange(Release);
  const claim = useCallback(
    async (isWanted: () => boolean) => {
      const { data, problems } = await change({ filter: claimFilterOf(new URLSearchParams(search)) });
      const next = data?.claimNext;
      if (next) void (isWanted() ? noteAutomaticClaim(next.id) : release({ id: next.id }));
      return { next, problems };
    },
    [change, release, search],
  );
  return { claim, isClaiming };
}

/** Returns a function that says whether the page is still the same. */
export function whileHere(): () => boolean {
  const { pathname } = location;
  return () => location.pathname === pathname;
}

/**
 * Opens what the administrator has claimed before. If there is nothing, claims the submission that has waited longest
 * within the filter of the address, and opens that.
 */
export function useClaimNext() {
  const open = useOpenReview();
  const readOwnClaims = useOwnClaims();
  const { claim, isClaiming } = useNewClaim();
  const claimNext = useCallback(async () => {
    const isHere = whileHere();
    const own = await readOwnClaims();
    if (!isHere()) return;
    const begun = own.find((id) => !wasOpened(id));
    if (begun) return open(begun);
    const { next, problems } = await claim(isHere);
    if (!isHere()) return;
    if (problems[0]) return announce(problems[0].message);
    const id = next?.id ?? own[0];
    if (id) open(id);
    else announce(NOTHING_LEFT);
  }, [claim, open, readOwnClaims]);
  return { claimNext, isClaiming };
}

export const NOTHING_LEFT = 'No other submission is waiting for you.';
