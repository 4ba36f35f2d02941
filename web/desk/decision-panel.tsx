import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useDraft } from '../client/draft.ts';
import type { Problem } from '../client/problems.ts';
import { announce } from '../components/announcements.tsx';
import { type Change, Changes } from '../components/changes.tsx';
import { Field } from '../components/field.tsx';
import { useKeys } from '../components/keys.ts';
import { Problems } from '../components/status.tsx';
import { type Decision, useDecision } from './decision.ts';
import { named } from './field-names.ts';
import { RejectionForm } from './rejection-form.tsx';
import { type ReasonDraft, useRequestedReasons } from './rejection-requests.ts';
import type { SeenRevision } from './review.tsx';
import { permissionOf, type ReviewItem, subjectOf } from './review-data.ts';

interface RejectionDraft {
  readonly reasons: readonly ReasonDraft[];
  readonly guidance: string;
}

/** Long enough that the second press of a double press does not approve the next submission unseen. */
const READY_MS = 600;
const GUIDANCE = 'Please change what the reasons name, and submit again. Write here if something is unclear.';

/** The decision: approve with one key, or reject with reasons. */
export function DecisionPanel({
  item,
  seen,
  reload,
}: {
  item: ReviewItem;
  seen: SeenRevision;
  reload: () => void;
}) {
  const subject = subjectOf(item);
  const decision = useDecision(item, seen.revision);
  const [draft, setDraft, clearDraft, isDraft] = useDraft<RejectionDraft>(`rejection:${item.id}`, {
    reasons: [],
    guidance: GUIDANCE,
  });
  const [isRejecting, setIsRejecting] = useState(isDraft);
  const wasOpened = useRef(false);
  const heading = useRef<HTMLHeadingElement>(null);
  const mayReject = permissionOf(subject.allowedActions, item.version ? 'rejectAppVersion' : 'rejectApp');
  const open = () => {
    wasOpened.current = true;
    if (mayReject.isAllowed) setIsRejecting(true);
  };
  useKeys({ r: open });
  const add = useCallback(
    (reason: ReasonDraft) => {
      setDraft({ ...draft, reasons: [...draft.reasons, reason] });
      setIsRejecting(true);
      announce('Added as a reason of the rejection.');
    },
    [draft, setDraft],
  );
  useRequestedReasons(add);
  return (
    <section class="card decision" aria-labelledby="decision">
      <h2 id="decision" ref={heading} tabIndex={-1}>
        Decision
      </h2>
      <Conflict seen={seen} problems={decision.problems} reload={reload} />
      {isRejecting && mayReject.isAllowed ? (
        <RejectionForm
          draft={draft}
          onChange={setDraft}
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
        <>
          <Approval item={item} decision={decision} />
          <div class="row">
            <button type="button" class="danger" disabled={!mayReject.isAllowed} onClick={open}>
              {isDraft ? 'Continue the rejection' : 'Reject…'} <kbd>r</kbd>
            </button>
          </div>
          {!mayReject.isAllowed && <p class="soft tight">{mayReject.message}</p>}
        </>
      )}
    </section>
  );
}

function Approval({ item, decision }: { item: ReviewItem; decision: Decision }) {
  const [note, setNote, clearNote] = useDraft(`note:${item.id}`, '');
  const isReady = useIsReady();
  const { isAllowed, message } = permissionOf(
    subjectOf(item).allowedActions,
    item.version ? 'approveAppVersion' : 'approveApp',
  );
  const isEnabled = isAllowed && isReady && !decision.isDeciding;
  const approve = async () => {
    if (isEnabled && (await decision.approve(note))) clearNote();
  };
  useKeys({ a: () => void approve() });
  return (
    <div class="stack tight">
      <button type="button" class="primary" disabled={!isEnabled} onClick={() => void approve()}>
        Approve <kbd>a</kbd>
      </button>
      {!isAllowed && <p class="soft tight">{message}</p>}
      {isAllowed && (
        <Field label="Note to the developer (optional)">
          {(attributes) => (
            <textarea
              {...attributes}
              dir="auto"
              rows={2}
              maxLength={2000}
              value={note}
              onInput={({ currentTarget }) => setNote(currentTarget.value)}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void approve();
              }}
            />
          )}
        </Field>
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
  const isRefused = problems.some(({ code }) => code !== 'REVISION_CONFLICT');
  return (
    <>
      {isRefused && <Problems problems={problems} reload={reload} />}
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
