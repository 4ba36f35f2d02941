import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useDraft } from '../client/draft.ts';
import { announce } from '../components/announcements.tsx';
import { Field } from '../components/field.tsx';
import { Icon } from '../components/icon.tsx';
import '../components/disclosure.css';
import { useKeys } from '../components/keys.ts';
import { useAccount } from './administrators.tsx';
import { ApproveNevertheless } from './approve-nevertheless.tsx';
import type { Decision } from './decision.ts';
import { openReasonsOf, permissionOf, type ReviewItem, subjectOf } from './review-data.ts';
import { unansweredMessage } from './unanswered.ts';
import { keepClaim } from './untouched-claims.ts';

/** Long enough that the second press of a double press does not approve the next submission unseen. */
const READY_MS = 600;
/** A picture that takes longer does not hold up the decision. */
const LONGEST_PICTURE_WAIT_MS = 5_000;
const READY_CHECK_MS = 100;
export const SEE_FIRST = 'The listing was changed. Confirm first that you have seen the current one.';
const CLAIMED_BY_ANOTHER = 'To decide yourself, press “Take over” first.';

/** Returns why the administrator may not decide; null if they may. The claim of another is explained in words of this page. */
export function useRefusal(item: ReviewItem, action: string): string | null {
  const account = useAccount();
  const { isAllowed, message } = permissionOf(subjectOf(item).allowedActions, action);
  if (isAllowed) return null;
  return item.claim && item.claim.by !== account ? CLAIMED_BY_ANOTHER : message;
}

interface ApprovalProps {
  item: ReviewItem;
  decision: Decision;
  /** False if the listing was changed while the reviewer was reading it. */
  isSeen: boolean;
  /** Why it cannot be rejected; null if it can. */
  rejectionRefusal: string | null;
  /** The button to reject. */
  children: ComponentChildren;
}

/** The approval: one key, or two if something speaks against it. */
export function Approval({ item, decision, isSeen, rejectionRefusal, children }: ApprovalProps) {
  const [note, setNote] = useDraft(`note:${item.id}`, '');
  const waitsFor = useReadiness();
  const refusal = useRefusal(item, item.version ? 'approveAppVersion' : 'approveApp');
  const isEnabled = refusal === null && waitsFor === null && !decision.isDeciding;
  const asks =
    item.itemFindings.length > 0 ||
    !!item.developer.lookalikes?.length ||
    openReasonsOf(item).length > 0 ||
    unansweredMessage(item.app) !== null;
  const [isAsking, setIsAsking] = useState(false);
  const approve = () => {
    if (refusal) announce(refusal);
    else if (!isSeen) announce(SEE_FIRST);
    else if (waitsFor) announce(waitsFor);
    else if (isEnabled && asks) setIsAsking(true);
    else if (isEnabled) decision.approve(note);
  };
  useKeys({ a: approve });
  return (
    <div class="stack tight">
      <div class="decide">
        <button type="button" class="primary" disabled={!isEnabled} onClick={approve}>
          {asks ? 'Approve…' : 'Approve'} <kbd>a</kbd>
        </button>
        {children}
      </div>
      {isAsking && (
        <ApproveNevertheless item={item} decision={decision} note={note} onClose={() => setIsAsking(false)} />
      )}
      {[...new Set([refusal, rejectionRefusal])].map(
        (reason) =>
          reason && (
            <p class="soft tight" key={reason}>
              {reason}
            </p>
          ),
      )}
      {refusal === null && (
        <details class="disclosure" open={note !== ''}>
          <summary>
            <Icon name="next" />
            Add a note
          </summary>
          <Field label="Note to the developer (optional)">
            {(attributes) => (
              <textarea
                {...attributes}
                dir="auto"
                rows={2}
                maxLength={2000}
                value={note}
                onInput={({ currentTarget }) => {
                  keepClaim(item.id);
                  setNote(currentTarget.value);
                }}
                onKeyDown={(event) => {
                  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) approve();
                }}
              />
            )}
          </Field>
        </details>
      )}
    </div>
  );
}

const JUST_OPENED = 'This submission has just been opened. Look at it, and press the key again.';
const WAITS_FOR_PICTURES = 'Waiting for the pictures. Press the key again when they are loaded.';

/**
 * Returns what a decision has to wait for, in words: a moment, so that nothing is decided unseen, and then the pictures,
 * unless they take too long. Null if the reviewer may decide.
 */
function useReadiness(): string | null {
  const [waitsFor, setWaitsFor] = useState<string | null>(JUST_OPENED);
  useEffect(() => {
    let elapsed = 0;
    const timer = setInterval(() => {
      elapsed += READY_CHECK_MS;
      const pictures = [...document.querySelectorAll<HTMLImageElement>('.review img')];
      if (elapsed < READY_MS) return;
      if (elapsed < LONGEST_PICTURE_WAIT_MS && !pictures.every(({ complete }) => complete))
        return setWaitsFor(WAITS_FOR_PICTURES);
      clearInterval(timer);
      setWaitsFor(null);
    }, READY_CHECK_MS);
    return () => clearInterval(timer);
  }, []);
  return waitsFor;
}
