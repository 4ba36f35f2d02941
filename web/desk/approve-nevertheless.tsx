import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useDraft } from '../client/draft.ts';
import { withoutField } from '../client/words.ts';
import { wordsOf } from '../components/badge.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { Logo, Picture } from '../components/picture.tsx';
import { Problems } from '../components/status.tsx';
import { When } from '../components/when.tsx';
import type { Decision } from './decision.ts';
import { fieldName } from './field-names.ts';
import { type FindingData, type ReviewItem, subjectOf } from './review-data.ts';
import { keepClaim } from './untouched-claims.ts';

/** Returns the findings that an approval must acknowledge with a reason. */
const findingsToAcknowledge = (item: ReviewItem): readonly FindingData[] =>
  item.itemFindings.filter(({ needsReason }) => needsReason);

/** Returns the last message if the developer has written it; null if it is answered or there is none. */
export function unansweredMessage({ app: { messages } }: ReviewItem) {
  const last = messages.edges.at(-1)?.node;
  return last?.author === 'DEVELOPER' ? last : null;
}

interface ApproveNeverthelessProps {
  item: ReviewItem;
  decision: Decision;
  note: string;
  onClose: () => void;
}

/**
 * Asks before a submission with findings or an unanswered message is approved, and shows them. Another key than the one
 * that opens it approves. Findings that could mislead users need a reason.
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
            Not now
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

/** The objections to an approval: the findings, and an unanswered message. */
const Concerns = ({ item }: { item: ReviewItem }) => {
  const message = unansweredMessage(item);
  return (
    <>
      {item.itemFindings.map((finding) => (
        <div key={finding.field + finding.message} class="stack tight">
          <p class="tight">
            <span class={`badge ${finding.severity === 'ERROR' ? 'bad' : 'warn'}`}>
              {fieldName(finding.field)}
            </span>{' '}
            {withoutField(finding.field, finding.message)}
          </p>
          {finding.about && <SideBySide item={item} other={finding.about} />}
        </div>
      ))}
      {message && (
        <div class="note warn">
          <p>
            <strong>The developer waits for an answer</strong> (<When at={message.createdAt} />)
          </p>
          <p class="pre" dir="auto">
            {message.text}
          </p>
        </div>
      )}
    </>
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

type OtherApp = NonNullable<FindingData['about']>;

function SideBySide({ item, other }: { item: ReviewItem; other: OtherApp }) {
  const subject = subjectOf(item);
  return (
    <div class="side-by-side">
      <AppToCompare
        heading="This submission"
        app={{ ...subject, id: item.app.id }}
        developer={item.developer}
        facts={wordsOf(subject.category)}
      />
      <AppToCompare
        heading="Public app"
        app={other}
        developer={other.developer}
        facts={`${wordsOf(other.category)} · ${other.installCount} installs`}
      />
    </div>
  );
}

interface AppToCompareProps {
  heading: string;
  app: {
    id: string;
    name: string;
    description: string;
    logoUrl: string | null;
    screenshots: readonly { url: string }[];
  };
  developer: { id: string; name: string; companyName: string | null };
  facts: string;
}

const AppToCompare = ({ heading, app, developer, facts }: AppToCompareProps) => (
  <section class="stack tight">
    <h3 class="tight">{heading}</h3>
    <div class="listing-head">
      <Logo url={app.logoUrl} name={app.name} />
      <div>
        <Link href={`/apps/${app.id}`} dir="auto">
          {app.name}
        </Link>
        <p class="tight" dir="auto">
          by{' '}
          <Link href={`/developers/${developer.id}`} dir="auto">
            {developer.companyName ?? developer.name}
          </Link>
        </p>
        <small>{facts}</small>
      </div>
    </div>
    <p class="tight" dir="auto">
      {app.description}
    </p>
    {app.screenshots.slice(0, 2).map(({ url }) => (
      <Picture key={url} url={url} alt="" />
    ))}
  </section>
);
