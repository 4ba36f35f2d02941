import { useEffect } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import { useChange } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
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

/** Submissions that were claimed by going on to the next one, and that the reviewer has not begun. */
const untouched = new Set<string>();
/** Submissions that were opened since the reviewer was at the queue. */
const opened = new Set<string>();

export function noteAutomaticClaim(id: string): void {
  untouched.add(id);
}

export function noteOpened(id: string): void {
  opened.add(id);
}

export const wasOpened = (id: string): boolean => opened.has(id);

/** Keeps a claim although the reviewer leaves: the reviewer has begun, or has decided. */
export function keepClaim(id: string): void {
  untouched.delete(id);
}

/** Releases the claims that were made by going on, when the reviewer is back at the queue without having begun. */
export function useReleaseAtQueue(): void {
  const [path] = useLocation();
  const [release] = useChange(Release);
  useEffect(() => {
    if (path !== '/') return;
    const ids = [...untouched];
    untouched.clear();
    opened.clear();
    void Promise.all(ids.map((id) => release({ id }))).then((outcomes) => {
      const released = outcomes.filter(({ data }) => data).length;
      if (released === 1) announce('The submission that you had not begun is released.');
      if (released > 1) announce(`${released} submissions that you had not begun are released.`);
    });
  }, [path, release]);
}
