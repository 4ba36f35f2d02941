import { useCallback, useEffect } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useChange } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { prepareLastRequest } from '../client/last-request.ts';
import { announce } from '../components/announcements.tsx';

export const Claim = graphql(`
  mutation DeskClaim($id: ID!, $takeOver: Boolean) {
    claimReview(id: $id, takeOver: $takeOver) { id claim { by until } }
  }
`);
export const Release = graphql(`
  mutation DeskRelease($id: ID!) {
    releaseReview(id: $id) { id claim { by until } }
  }
`);

/**
 * Submissions that were claimed by going on to the next one, and that the reviewer has not begun, each with the request
 * that releases it while the page is being left.
 */
const untouched = new Map<string, () => void>();
/** Submissions that were opened since the reviewer was at another page than a review. */
const opened = new Set<string>();

export async function noteAutomaticClaim(id: string): Promise<void> {
  untouched.set(id, () => undefined);
  const releaseAtOnce = await prepareLastRequest(Release, { id });
  if (untouched.has(id)) untouched.set(id, releaseAtOnce);
}

export function noteOpened(id: string): void {
  opened.add(id);
}

export const wasOpened = (id: string): boolean => opened.has(id);

/** Keeps a claim although the reviewer leaves: the reviewer has begun, or has decided. */
export function keepClaim(id: string): void {
  untouched.delete(id);
}

/** Returns a function that releases the claims that were made by going on, and that the reviewer has not begun. */
export function useReleaseUntouched(): () => Promise<void> {
  const [release] = useChange(Release);
  return useCallback(async () => {
    const ids = [...untouched.keys()];
    untouched.clear();
    opened.clear();
    const outcomes = await Promise.all(ids.map((id) => release({ id })));
    if (outcomes.some(({ data }) => data)) announce('Your unused claims were released.');
  }, [release]);
}

/**
 * Releases the claims that were made by going on when the reviewer leaves the reviews without having begun. From one review
 * to the next they are kept, because otherwise the next one would be the last one again.
 */
export function useReleaseOnLeaving(): void {
  const [path] = useLocation();
  const release = useReleaseUntouched();
  const isReview = path.startsWith('/reviews/');
  useEffect(() => {
    if (!isReview) void release();
  }, [isReview, release]);
  useEffect(() => {
    addEventListener('pagehide', releaseAtOnce);
    return () => removeEventListener('pagehide', releaseAtOnce);
  }, []);
}

function releaseAtOnce(): void {
  for (const send of untouched.values()) send();
  untouched.clear();
}
