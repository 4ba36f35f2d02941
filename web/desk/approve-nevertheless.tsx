import { useEffect, useRef } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { useDraft } from '../client/draft.ts';
import { wordsOf } from '../components/badge.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { Logo, Picture } from '../components/picture.tsx';
import { Problems } from '../components/status.tsx';
import type { Decision } from './decision.ts';
import { type FindingData, type ReviewItem, subjectOf } from './review-data.ts';
import { keepClaim } from './untouched-claims.ts';

/** Returns the findings that an approval must acknowledge with a reason. */
export const findingsToAcknowledge = (item: ReviewItem): readonly FindingData[] =>
  item.itemFindings.filter(({ needsReason }) => needsReason);

interface ApproveNeverthelessProps {
  item: ReviewItem;
  decision: Decision;
  note: string;
  onDone: () => void;
  onClose: () => void;
}

/** Asks why a submission with a misleading name is approved, beside the app that it could be confused with. */
export function ApproveNevertheless({ item, decision, note, onDone, onClose }: ApproveNeverthelessProps) {
  const [reason, setReason, clearReason] = useDraft(`nevertheless:${item.id}`, '');
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const findings = findingsToAcknowledge(item);
  const canSend = reason.trim() !== '' && !decision.isDeciding;
  const send = async () => {
    if (!canSend) return;
    const codes = findings.map(({ code }) => code);
    if (!(await decision.approve(note, { codes, reason }))) return;
    clearReason();
    onDone();
  };
  return (
    <Dialog title="Approve it nevertheless?" onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {findings.map((finding) => (
          <div key={finding.code} class="stack tight">
            <p class="tight">{finding.message}</p>
            {finding.about && <SideBySide item={item} other={finding.about} />}
          </div>
        ))}
        <Field
          label="Reason"
          hint="Why users will not be misled. Only administrators read it, in the audit log."
        >
          {(attributes) => (
            <textarea
              {...attributes}
              ref={field}
              dir="auto"
              rows={2}
              required
              maxLength={2000}
              value={reason}
              onInput={({ currentTarget }) => {
                keepClaim(item.id);
                setReason(currentTarget.value);
              }}
              onKeyDown={(event) => {
                if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send();
              }}
            />
          )}
        </Field>
        <Problems problems={decision.problems} />
        <div class="row end">
          <button type="button" onClick={onClose}>
            Not now
          </button>
          <button type="submit" class="primary" disabled={!canSend}>
            Approve nevertheless <kbd>Ctrl+Enter</kbd>
          </button>
        </div>
      </form>
    </Dialog>
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
