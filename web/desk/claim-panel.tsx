import { useState } from 'preact/hooks';
import { useChange } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import type { Problem } from '../client/problems.ts';
import { announce } from '../components/announcements.tsx';
import { useKeys } from '../components/keys.ts';
import { Problems } from '../components/status.tsx';
import { useAccount } from './administrators.tsx';
import { ClockTime } from './queue-table.tsx';
import { permissionOf, type ReviewItem, subjectOf } from './review-data.ts';

const Claim = graphql(`
  mutation DeskClaim($id: ID!, $takeOver: Boolean) {
    claimReview(id: $id, takeOver: $takeOver) { id claim { by until } }
  }
`);
const Release = graphql(`
  mutation DeskRelease($id: ID!) {
    releaseReview(id: $id) { id claim { by until } }
  }
`);

/** Shows who reviews the submission, and lets the administrator claim it, take it over or release it. */
export function ClaimPanel({ item }: { item: ReviewItem }) {
  const account = useAccount();
  const { problems, claim, release, isChanging } = useClaim(item);
  const holder = item.claim;
  const isMine = holder?.by === account;
  const { isAllowed, message } = permissionOf(subjectOf(item).allowedActions, 'claimReview');
  const canTry = isAllowed || (holder !== null && !isMine);
  useKeys({
    c: () => canTry && (!holder || isMine) && void claim(false),
    x: () => isMine && void release(),
  });
  return (
    <section class={`note ${isMine ? 'good' : holder ? 'warn' : ''}`} aria-label="Claim">
      <p>
        {!holder ? (
          'Nobody has claimed this submission.'
        ) : (
          <>
            {isMine ? 'You have claimed it' : <strong dir="auto">{holder.by} has claimed it</strong>} until{' '}
            <ClockTime at={holder.until} />.
          </>
        )}
      </p>
      {!canTry && message && <p>{message}</p>}
      <div class="row">
        {canTry && !holder && (
          <button type="button" disabled={isChanging} onClick={() => void claim(false)}>
            Claim <kbd>c</kbd>
          </button>
        )}
        {canTry && holder && !isMine && (
          <button type="button" disabled={isChanging} onClick={() => void claim(true)}>
            Take over
          </button>
        )}
        {isMine && (
          <>
            <button type="button" disabled={isChanging} onClick={() => void claim(false)}>
              Renew <kbd>c</kbd>
            </button>
            <button type="button" disabled={isChanging} onClick={() => void release()}>
              Release <kbd>x</kbd>
            </button>
          </>
        )}
      </div>
      <Problems problems={problems} />
    </section>
  );
}

function useClaim({ id, claim: before }: ReviewItem) {
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [sendClaim, isClaiming] = useChange(Claim);
  const [sendRelease, isReleasing] = useChange(Release);
  const claim = async (takeOver: boolean) => {
    const outcome = await sendClaim({ id, takeOver });
    setProblems(outcome.problems);
    if (outcome.data) announce(before ? 'The claim is renewed.' : 'You have claimed the submission.');
  };
  const release = async () => {
    const outcome = await sendRelease({ id });
    setProblems(outcome.problems);
    if (outcome.data) announce('The submission is released.');
  };
  return { problems, claim, release, isChanging: isClaiming || isReleasing };
}
