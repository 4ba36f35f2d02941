import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useDraft } from '../client/draft.ts';
import type { Problem } from '../client/problems.ts';
import { announce } from '../components/announcements.tsx';
import { type Change, Changes } from '../components/changes.tsx';
import { Field } from '../components/field.tsx';
import { useKeys } from '../components/keys.ts';
import { Problems } from '../components/status.tsx';
import { useAccount } from './administrators.tsx';
import { ApproveNevertheless, findingsToAcknowledge } from './approve-nevertheless.tsx';
import { type Decision, useDecision } from './decision.ts';
import { named } from './field-names.ts';
import { RejectionForm } from './rejection-form.tsx';
import { type ReasonDraft, useRequestedReasons } from './rejection-requests.ts';
import type { SeenRevision } from './review.tsx';
import { permissionOf, type ReviewItem, subjectOf } from './review-data.ts';
import { keepClaim } from './untouched-claims.ts';

interface RejectionDraft {
  readonly reasons: readonly ReasonDraft[];
  readonly guidance: string;
}

/** Long enough that the second press of a double press does not approve the next submission unseen. */
const READY_MS = 600;
const CLAIMED_BY_ANOTHER = 'To decide yourself, press “Take over” first.';
const GUIDANCE = 'Please change what the reasons name, and submit again. Write here if something is unclear.';

interface DecisionPanelProps {
  item: ReviewItem;
  seen: SeenRevision;
  reload: () => void;
}

/** The decision: approve with one key, or reject with reasons. */
export function DecisionPanel({ item, seen, reload }: DecisionPanelProps) {
  const subject = subjectOf(item);
  const decision = useDecision(item, seen.revision);
  const [draft, setDraft, clearDraft, isDraft] = useDraft<RejectionDraft>(`rejection:${item.id}`, {
    reasons: [],
    guidance: GUIDANCE,
  });
  const [isRejecting, setIsRejecting] = useState(isDraft);
  const wasOpened = useRef(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const refusal = useRefusal(item, item.version ? 'rejectAppVersion' : 'rejectApp');
  const open = () => {
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
      announce('Added as a reason of the rejection.');
    },
    [draft, change],
  );
  useRequestedReasons(add);
  return (
    <section class="card decision" aria-labelledby="decision">
      <h2 id="decision" ref={heading} tabIndex={-1}>
        Decision
      </h2>
      <Unanswered messages={item.app.messages} />
      <Conflict seen={seen} problems={decision.problems} reload={reload} />
      {isRejecting && !refusal ? (
        <RejectionForm
          draft={draft}
          onChange={change}
          screenshots={subject.screenshots.length}
          decision={decision}
          onSend={async () => {
            if (await decision.reject(draft.reasons, draft.guidance)) clearDraft();
          }}
          takesFocus={wasOpened.current}
          onClose={() => {
            setIsRejecting(false);
            heading.current?.focus();
          }}
        />
      ) : (
        <Approval item={item} decision={decision} rejectionRefusal={refusal}>
          <button type="button" class="danger" disabled={refusal !== null} onClick={open}>
            {isDraft ? 'Continue the rejection' : 'Reject…'} <kbd>r</kbd>
          </button>
        </Approval>
      )}
    </section>
  );
}

/** Returns why the administrator may not decide; null if they may. The claim of another is explained in words of this page. */
function useRefusal(item: ReviewItem, action: string): string | null {
  const account = useAccount();
  const { isAllowed, message } = permissionOf(subjectOf(item).allowedActions, action);
  if (isAllowed) return null;
  return item.claim && item.claim.by !== account ? CLAIMED_BY_ANOTHER : message;
}

/** Says that the last message is one of the developer. */
const Unanswered = ({ messages }: { messages: ReviewItem['app']['messages'] }) =>
  messages.edges.at(-1)?.node.author === 'DEVELOPER' ? (
    <p class="row">
      <span class="badge warn">Unanswered message</span> <a href="#thread">Read it</a>
    </p>
  ) : null;

interface ApprovalProps {
  item: ReviewItem;
  decision: Decision;
  /** Why it cannot be rejected; null if it can. */
  rejectionRefusal: string | null;
  /** The button to reject. */
  children: ComponentChildren;
}

function Approval({ item, decision, rejectionRefusal, children }: ApprovalProps) {
  const [note, setNote, clearNote] = useDraft(`note:${item.id}`, '');
  const isReady = useIsReady();
  const refusal = useRefusal(item, item.version ? 'approveAppVersion' : 'approveApp');
  const isEnabled = refusal === null && isReady && !decision.isDeciding;
  const needsReason = findingsToAcknowledge(item).length > 0;
  const [isAsking, setIsAsking] = useState(false);
  const approve = async () => {
    if (refusal) announce(refusal);
    if (isEnabled && needsReason) setIsAsking(true);
    else if (isEnabled && (await decision.approve(note))) clearNote();
  };
  useKeys({ a: () => void approve() });
  return (
    <div class="stack tight">
      <div class="decide">
        <button type="button" class="primary" disabled={!isEnabled} onClick={() => void approve()}>
          {needsReason ? 'Approve…' : 'Approve'} <kbd>a</kbd>
        </button>
        {children}
      </div>
      {isAsking && (
        <ApproveNevertheless
          item={item}
          decision={decision}
          note={note}
          onDone={clearNote}
          onClose={() => setIsAsking(false)}
        />
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
        <details open={note !== ''}>
          <summary>Add a note</summary>
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
                  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void approve();
                }}
              />
            )}
          </Field>
        </details>
      )}
    </div>
  );
}

function useIsReady(): boolean {
  const [isReady, setIsReady] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsReady(true), READY_MS);
    return () => clearTimeout(timer);
  }, []);
  return isReady;
}

interface ConflictProps {
  seen: SeenRevision;
  problems: readonly Problem[];
  reload: () => void;
}

/** Says why a decision failed. If the listing has changed meanwhile, it shows what, and asks to look at it. */
function Conflict({ seen, problems, reload }: ConflictProps) {
  const conflict = problems.find(({ code }) => code === 'REVISION_CONFLICT');
  const changes = conflict?.extensions.changes as Change[] | null | undefined;
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
            }}
          >
            I have seen the current listing
          </button>
        </div>
      )}
    </>
  );
}
