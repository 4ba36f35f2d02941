import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useDraft } from '../client/draft.ts';
import { withoutField } from '../client/words.ts';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { Problems } from '../components/status.tsx';
import { When } from '../components/when.tsx';
import type { Decision } from './decision.ts';
import { Lookalikes } from './developer-summary.tsx';
import { fieldName } from './field-names.ts';
import { type FindingData, openReasonsOf, type ReviewItem } from './review-data.ts';
import { SideBySide } from './side-by-side.tsx';
import { unansweredMessage } from './unanswered.ts';
import { keepClaim } from './untouched-claims.ts';

/** Returns the findings that an approval must acknowledge with a reason. */
const findingsToAcknowledge = (item: ReviewItem): readonly FindingData[] =>
  item.itemFindings.filter(({ needsReason }) => needsReason);

interface ApproveNeverthelessProps {
  item: ReviewItem;
  decision: Decision;
  note: string;
  onClose: () => void;
}

/**
 * Asks before a submission with findings, open reasons, an unanswered message or a developer who looks like another one is approved,
 * and shows them. Another key than the one that opens it approves. Findings that could mislead users need a reason.
 */
export function ApproveNevertheless({ item, decision, note, onClose }: ApproveNeverthelessProps) {
  const [reason, setReason] = useDraft(`nevertheless:${item.id}`, '');
  const codes = findingsToAcknowledge(item).map(({ code }) => code);
  const needsReason = codes.length > 0;
  const canSend = (!needsReason || reason.trim() !== '') && !decision.isDeciding;
  const send = () => {
    if (!canSend) return;
    onClose();
    decision.approve(note, needsReason ? { codes, reason } : undefined);
  };
  useConfirmKey(needsReason ? null : send);
  const field = useRef<HTMLTextAreaElement>(null);
  // After the dialog has opened, and has moved the focus itself.
  useEffect(() => field.current?.focus(), []);
  return (
    <Dialog title="Approve it anyway?" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Concerns item={item} />
        {needsReason && (
          <ReasonField
            field={field}
            value={reason}
            onInput={(value) => {
              keepClaim(item.id);
              setReason(value);
            }}
            onSend={send}
          />
        )}
        <Problems problems={decision.problems} />
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={!canSend}>
            Approve anyway <kbd>{needsReason ? 'Ctrl+Enter' : CONFIRM_KEY}</kbd>
          </button>
        </div>
      </form>
    </Dialog>
  );
}

const CONFIRM_KEY = 'y';

/** Calls a function at the key that confirms. The keys of the page rest while a dialog is open. */
function useConfirmKey(onConfirm: (() => void) | null): void {
  const latest = useRef(onConfirm);
  latest.current = onConfirm;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === CONFIRM_KEY && !event.repeat && !event.ctrlKey && !event.metaKey) latest.current?.();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
}

/** The objections to an approval: the findings, look-alikes of the developer, open reasons of the last rejection, and an unanswered message. */
const Concerns = ({ item }: { item: ReviewItem }) => {
  const message = unansweredMessage(item.app);
  return (
    <>
      {groupsOf(item.itemFindings).map((findings) => (
        <FindingGroup key={findings[0]!.field + findings[0]!.message} item={item} findings={findings} />
      ))}
      <Lookalikes developers={item.developer.lookalikes} />
      {openReasonsOf(item).map(({ code, message: text }) => (
        <p class="tight" key={code + text}>
          <span class="badge warn">Not marked as fixed</span> <span dir="auto">{text}</span>
        </p>
      ))}
      {message && (
        <div class="note warn">
          <p>
            <strong>Unanswered message</strong> (<When at={message.createdAt} />)
          </p>
          <p class="pre" dir="auto">
            {message.text}
          </p>
        </div>
      )}
    </>
  );
};

/** Groups the findings about the same other app, so that it is shown once. */
function groupsOf(findings: readonly FindingData[]): FindingData[][] {
  const groups = new Map<unknown, FindingData[]>();
  for (const finding of findings) {
    const key = finding.about?.id ?? finding;
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()];
}

const FindingGroup = ({ item, findings }: { item: ReviewItem; findings: readonly FindingData[] }) => {
  const other = findings[0]?.about;
  return (
    <div class="stack tight">
      {findings.map(({ field, severity, message }) => (
        <p class="tight" key={field + message}>
          <span class={`badge ${severity === 'ERROR' ? 'bad' : 'warn'}`}>{fieldName(field)}</span>{' '}
          {withoutField(field, message)}
        </p>
      ))}
      {other && (
        <SideBySide
          item={item}
          other={other}
          withBanner={findings.some(({ field }) => field === 'bannerUrl')}
        />
      )}
    </div>
  );
};

interface ReasonFieldProps {
  field: RefObject<HTMLTextAreaElement>;
  value: string;
  onInput: (value: string) => void;
  onSend: () => void;
}

function ReasonField({ field, value, onInput, onSend }: ReasonFieldProps) {
  return (
    <Field
      label="Reason"
      hint="Why users will not be misled. Only administrators can read it, in the audit log."
    >
      {(attributes) => (
        <textarea
          {...attributes}
          ref={field}
          dir="auto"
          rows={2}
          required
          maxLength={2000}
          value={value}
          onInput={({ currentTarget }) => onInput(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSend();
          }}
        />
      )}
    </Field>
  );
}
