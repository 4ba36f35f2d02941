import { useCallback, useRef, useState } from 'preact/hooks';
import { useDraft } from '../client/draft.ts';
import type { Problem } from '../client/problems.ts';
import { announce } from '../components/announcements.tsx';
import { type Change, Changes } from '../components/changes.tsx';
import { useKeys } from '../components/keys.ts';
import { Problems } from '../components/status.tsx';
import { Approval, SEE_FIRST, useRefusal } from './approval.tsx';
import { useDecision } from './decision.ts';
import { named } from './field-names.ts';
import { dismissRefusal, useHeldDecision } from './held-decision.ts';
import { RejectionForm } from './rejection-form.tsx';
import { type ReasonDraft, type RejectionDraft, useRequestedReasons } from './rejection-requests.ts';
import type { SeenListing } from './review.tsx';
import { type ReviewItem, subjectOf } from './review-data.ts';
import { STANDARD_GUIDANCE } from './saved-texts.tsx';
import { unansweredMessage } from './unanswered.ts';
import { keepClaim } from './untouched-claims.ts';

interface DecisionPanelProps {
  item: ReviewItem;
  seen: SeenListing;
  reload: () => void;
}

/** The decision: approve with one key, or reject with reasons. */
export function DecisionPanel({ item, seen, reload }: DecisionPanelProps) {
  const subject = subjectOf(item);
  const decision = useDecision(item, seen.revision);
  const held = useHeldDecision();
  const isHeld = held?.submissionId === item.id;
  const [draft, setDraft, , isDraft] = useDraft<RejectionDraft>(`rejection:${item.id}`, {
    reasons: [],
    guidance: STANDARD_GUIDANCE,
  });
  const [isRejecting, setIsRejecting] = useState(isDraft);
  const wasOpened = useRef(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const refusal = useRefusal(item, item.version ? 'rejectAppVersion' : 'rejectApp');
  const open = () => {
    if (isHeld) return;
    wasOpened.current = true;
    if (refusal) announce(refusal);
    else setIsRejecting(true);
  };
  useKeys({ r: open });
  const change = useCallback(
    (next: RejectionDraft) => {
      keepClaim(item.id);
      setDraft(next);
    },
    [item.id, setDraft],
  );
  const add = useCallback(
    (reason: ReasonDraft) => {
      change({ ...draft, reasons: [...draft.reasons, reason] });
      setIsRejecting(true);
      announce('Added to the reasons for the rejection.');
    },
    [draft, change],
  );
  useRequestedReasons(add);
  return (
    <section class="card decision" aria-labelledby="decision">
      <h2 id="decision" ref={heading} tabIndex={-1}>
        Decision
      </h2>
      <Unanswered item={item} />
      <Conflict
        seen={seen}
        problems={decision.problems}
        reload={reload}
        onSeen={() => dismissRefusal(item.id)}
      />
      {isHeld ? (
        <p class="tight">
          You have {held.kind === 'approve' ? 'approved' : 'rejected'} this submission. You can still undo it.
        </p>
      ) : isRejecting && !refusal ? (
        <RejectionForm
          draft={draft}
          onChange={change}
          screenshots={subject.screenshots.length}
          decision={decision}
          onSend={() =>
            seen.isCurrent ? decision.reject(draft.reasons, draft.guidance) : announce(SEE_FIRST)
          }
          takesFocus={wasOpened.current}
          onClose={() => {
            setIsRejecting(false);
            heading.current?.focus();
          }}
        />
      ) : (
        <Approval item={item} decision={decision} isSeen={seen.isCurrent} rejectionRefusal={refusal}>
          <button type="button" class="danger" disabled={refusal !== null} onClick={open}>
            {isDraft ? 'Continue the rejection' : 'Reject…'} <kbd>r</kbd>
          </button>
        </Approval>
      )}
    </section>
  );
}

/** Says that the last message is one of the developer. */
const Unanswered = ({ item }: { item: ReviewItem }) =>
  unansweredMessage(item.app) ? (
    <p class="row">
      <span class="badge warn">Unanswered message</span> <a href="#thread">Read it</a>
    </p>
  ) : null;

interface ConflictProps {
  seen: SeenListing;
  problems: readonly Problem[];
  reload: () => void;
  /** Called when the reviewer has seen the current listing. */
  onSeen: () => void;
}

/** Says why a decision failed. If the listing has changed meanwhile, it shows what, and asks to look at it. */
function Conflict({ seen, problems, reload, onSeen }: ConflictProps) {
  const conflict = problems.find(({ code }) => code === 'REVISION_CONFLICT');
  const changes = seen.isCurrent
    ? (conflict?.extensions.changes as Change[] | null | undefined)
    : seen.changes;
  // The panels name the other administrator, and what to do.
  const others = problems.filter(({ code }) => code !== 'REVISION_CONFLICT' && code !== 'REVIEW_CLAIMED');
  return (
    <>
      <Problems problems={others} reload={reload} />
      {(conflict || !seen.isCurrent) && (
        <div class="note warn" role="alert">
          <p>{seen.isCurrent ? conflict?.message : 'The listing was changed while you were reading it.'}</p>
          {changes && <Changes changes={named(changes)} />}
          <button
            type="button"
            onClick={() => {
              reload();
              seen.confirm();
              onSeen();
            }}
          >
            I have seen the current listing
          </button>
        </div>
      )}
    </>
  );
}
