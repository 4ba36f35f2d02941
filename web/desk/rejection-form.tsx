import { useEffect, useRef } from 'preact/hooks';
import { useData } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { fieldProblems } from '../client/problems.ts';
import { wordsOf } from '../components/badge.tsx';
import { Field } from '../components/field.tsx';
import type { Decision } from './decision.ts';
import { fieldName, fieldsOf } from './field-names.ts';
import type { ReasonDraft, RejectionDraft } from './rejection-requests.ts';
import { SavedTexts } from './saved-texts.tsx';

const Catalogue = graphql(`
  query DeskRejectionReasons {
    rejectionReasons { code message }
  }
`);

interface RejectionFormProps {
  draft: RejectionDraft;
  onChange: (draft: RejectionDraft) => void;
  /** Number of screenshots of the listing. */
  screenshots: number;
  decision: Decision;
  onSend: () => void;
  /** True if the reviewer has just opened it. */
  takesFocus: boolean;
  onClose: () => void;
}

/** The reasons of a rejection: ticked from the catalogue, with texts that can be edited, and the guidance. */
export function RejectionForm({
  draft,
  onChange,
  screenshots,
  decision,
  onSend,
  takesFocus,
  onClose,
}: RejectionFormProps) {
  // Every other reason has a text of its own in the catalogue.
  const lacksText = draft.reasons.some(({ code, message }) => code === 'OTHER' && message.trim() === '');
  const canSend =
    draft.reasons.length > 0 && !lacksText && draft.guidance.trim() !== '' && !decision.isDeciding;
  const setReason = (position: number, reason: ReasonDraft | null) =>
    onChange({
      ...draft,
      reasons: draft.reasons.flatMap((kept, index) => (index === position ? (reason ?? []) : kept)),
    });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && canSend) onSend();
  };
  return (
    <form
      class="stack"
      aria-label="Rejection"
      onKeyDown={onKeyDown}
      onSubmit={(event) => {
        event.preventDefault();
        if (canSend) onSend();
      }}
    >
      <CatalogueChoice draft={draft} onChange={onChange} takesFocus={takesFocus} />
      {draft.reasons.map((reason, position) => (
        <ReasonFields
          // The position is all that tells two reasons with the same code apart.
          key={`${reason.code} ${position}`}
          reason={reason}
          screenshots={screenshots}
          problems={fieldProblems(decision.problems, `reasons.${position}`)}
          onChange={(next) => setReason(position, next)}
        />
      ))}
      <Field
        label="Guidance"
        hint="What the developer should do next."
        problems={fieldProblems(decision.problems, 'guidance')}
      >
        {(attributes) => (
          <textarea
            {...attributes}
            dir="auto"
            required
            maxLength={2000}
            value={draft.guidance}
            onInput={({ currentTarget }) => onChange({ ...draft, guidance: currentTarget.value })}
          />
        )}
      </Field>
      <SavedTexts value={draft.guidance} onChoose={(guidance) => onChange({ ...draft, guidance })} />
      <div class="row">
        <button type="submit" class="danger" disabled={!canSend}>
          Reject <kbd>Ctrl+Enter</kbd>
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </div>
      {draft.reasons.length === 0 && <p class="soft tight">Tick at least one reason.</p>}
      {lacksText && <p class="soft tight">Write a text for the reason “Other”.</p>}
    </form>
  );
}

type CatalogueChoiceProps = Pick<RejectionFormProps, 'draft' | 'onChange' | 'takesFocus'>;

function CatalogueChoice({ draft, onChange, takesFocus }: CatalogueChoiceProps) {
  const fields = useRef<HTMLFieldSetElement>(null);
  const { data } = useData(Catalogue, {});
  const entries = data?.rejectionReasons ?? [];
  const isLoaded = entries.length > 0;
  useEffect(() => {
    if (isLoaded && takesFocus) fields.current?.querySelector('input')?.focus();
  }, [isLoaded, takesFocus]);
  const isTicked = (code: string) => draft.reasons.some((reason) => reason.code === code);
  const toggle = ({ code, message }: (typeof entries)[number]) =>
    onChange({
      ...draft,
      reasons: isTicked(code)
        ? draft.reasons.filter((reason) => reason.code !== code)
        : [...draft.reasons, { code, field: '', message: message ?? '' }],
    });
  const onKeyDown = (event: KeyboardEvent) => {
    const entry = entries[Number(event.key) - 1];
    if (entry && !event.ctrlKey && !event.metaKey && !event.altKey) toggle(entry);
  };
  return (
    <fieldset ref={fields} onKeyDown={onKeyDown}>
      <legend>Reasons</legend>
      <div class="ticks">
        {entries.map((entry, index) => (
          <label class="check" key={entry.code}>
            <input type="checkbox" checked={isTicked(entry.code)} onChange={() => toggle(entry)} />
            <span>
              {wordsOf(entry.code)} <kbd>{index + 1}</kbd>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

interface ReasonFieldsProps {
  reason: ReasonDraft;
  screenshots: number;
  problems: string[];
  /** Null removes the reason. */
  onChange: (reason: ReasonDraft | null) => void;
}

const ReasonFields = ({ reason, screenshots, problems, onChange }: ReasonFieldsProps) => (
  <fieldset class="reason">
    <legend class="row apart">
      {wordsOf(reason.code)}
      <button type="button" class="link" onClick={() => onChange(null)}>
        Remove<span class="hidden"> the reason {wordsOf(reason.code)}</span>
      </button>
    </legend>
    <Field label="About">
      {(attributes) => (
        <select
          {...attributes}
          value={reason.field}
          onChange={({ currentTarget }) => onChange({ ...reason, field: currentTarget.value })}
        >
          <option value="">The whole app</option>
          {fieldsOf(screenshots).map((field) => (
            <option key={field} value={field}>
              {fieldName(field)}
            </option>
          ))}
        </select>
      )}
    </Field>
    <Field label="Text" problems={problems}>
      {(attributes) => (
        <textarea
          {...attributes}
          dir="auto"
          rows={3}
          maxLength={2000}
          value={reason.message}
          onInput={({ currentTarget }) => onChange({ ...reason, message: currentTarget.value })}
        />
      )}
    </Field>
  </fieldset>
);
