import { useEffect, useRef, useState } from 'preact/hooks';
import { useChange } from '../client/data.ts';
import type { Problem } from '../client/problems.ts';
import { announce } from '../components/announcements.tsx';
import { Confirm } from '../components/dialog.tsx';
import { useKeys } from '../components/keys.ts';
import { Problems } from '../components/status.tsx';
import { ClockTime } from '../components/when.tsx';
import { useAccount, useAccountName } from './administrators.tsx';
import { permissionOf, type ReviewItem, subjectOf } from './review-data.ts';
import { Claim, keepClaim, Release } from './untouched-claims.ts';

/** Shows who reviews the submission, and lets the administrator claim it, take it over or release it. */
export function ClaimPanel({ item }: { item: ReviewItem }) {
  const account = useAccount();
  const nameOf = useAccountName();
  const { problems, claim, release, isChanging } = useClaim(item);
  const holder = item.claim;
  const isMine = holder?.by === account;
  const { isAllowed, message } = permissionOf(subjectOf(item).allowedActions, 'claimReview');
  const canTry = isAllowed || (holder !== null && !isMine);
  useLossNotice(holder?.by ?? null, account);
  useKeys({
    c: () => canTry && (!holder || isMine) && void claim(false),
    x: () => isMine && void release(),
  });
  return (
    <section class={`claim ${holder && !isMine ? 'note warn' : ''}`} aria-label="Claim">
      <p class="tight">
        {!holder ? (
          'No one has claimed it.'
        ) : (
          <>
            {isMine ? 'You have claimed it' : <strong dir="auto">{nameOf(holder.by)} has claimed it</strong>}{' '}
            until <ClockTime at={holder.until} />.
          </>
        )}
      </p>
      {!canTry && message && <p class="tight">{message}</p>}
      <div class="row">
        {canTry && !holder && (
          <button type="button" class="small" disabled={isChanging} onClick={() => void claim(false)}>
            Claim <kbd>c</kbd>
          </button>
        )}
        {canTry && holder && !isMine && (
          <TakeOverButton
            holder={nameOf(holder.by)}
            isChanging={isChanging}
            onTakeOver={() => void claim(true)}
          />
        )}
        {isMine && (
          <>
            <button type="button" class="small" disabled={isChanging} onClick={() => void claim(false)}>
              Renew <kbd>c</kbd>
            </button>
            <button type="button" class="small" disabled={isChanging} onClick={() => void release()}>
              Release <kbd>x</kbd>
            </button>
          </>
        )}
      </div>
      <Problems problems={problems} />
    </section>
  );
}

interface TakeOverButtonProps {
  holder: string;
  isChanging: boolean;
  onTakeOver: () => void;
}

function TakeOverButton({ holder, isChanging, onTakeOver }: TakeOverButtonProps) {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <>
      <button type="button" class="small" disabled={isChanging} onClick={() => setIsAsking(true)}>
        Take over
      </button>
      {isAsking && (
        <Confirm
          title="Take over the review"
          action="Take it over"
          onClose={() => setIsAsking(false)}
          onConfirm={() => {
            setIsAsking(false);
            onTakeOver();
          }}
        >
          <p>
            <bdi>{holder}</bdi> may be working on it right now, and will lose the claim.
          </p>
        </Confirm>
      )}
    </>
  );
}

/** Tells somebody whose claim another administrator has taken over. */
function useLossNotice(holder: string | null, account: string): void {
  const nameOf = useAccountName();
  const before = useRef(holder);
  useEffect(() => {
    const wasMine = before.current === account;
    before.current = holder;
    if (wasMine && holder !== null && holder !== account)
      announce(`${nameOf(holder)} has taken over this review. What you have written is kept.`);
  }, [holder, account, nameOf]);
}

function useClaim({ id, claim: before }: ReviewItem) {
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [sendClaim, isClaiming] = useChange(Claim);
  const [sendRelease, isReleasing] = useChange(Release);
  const claim = async (takeOver: boolean) => {
    const outcome = await sendClaim({ id, takeOver });
    // The panel names the other administrator itself.
    setProblems(outcome.problems.filter(({ code }) => code !== 'REVIEW_CLAIMED'));
    if (outcome.problems.some(({ code }) => code === 'REVIEW_CLAIMED'))
      announce('Another administrator has claimed this submission.');
    if (!outcome.data) return;
    keepClaim(id);
    announce(
      takeOver
        ? 'You have taken over the review.'
        : before
          ? 'The claim is renewed.'
          : 'You have claimed the submission.',
    );
  };
  const release = async () => {
    const outcome = await sendRelease({ id });
    setProblems(outcome.problems);
    if (!outcome.data) return;
    keepClaim(id);
    announce('The submission is released.');
  };
  return { problems, claim, release, isChanging: isClaiming || isReleasing };
}
