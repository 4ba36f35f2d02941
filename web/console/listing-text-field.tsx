import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { FieldAttributes } from '../components/field.tsx';
import { type ListingFinding, lengthOf } from './listing-checks.ts';

interface ListingFieldProps {
  label: string;
  hint?: ComponentChildren;
  findings: readonly ListingFinding[];
  isOptional?: boolean;
  children: (attributes: FieldAttributes) => ComponentChildren;
}

/** A field of the editor with what the checks found: errors that block a submission, and warnings. */
export function ListingFieldFrame({
  label,
  hint,
  findings,
  isOptional = false,
  children,
}: ListingFieldProps) {
  const id = useId();
  const hasError = findings.some(({ severity }) => severity === 'ERROR');
  return (
    <div class="field">
      <label class="label" for={id}>
        {label} {isOptional && <small>(optional)</small>}
      </label>
      {children({ id, 'aria-describedby': `${id}-hint`, ...(hasError && { 'aria-invalid': 'true' }) })}
      <div id={`${id}-hint`}>
        <Findings findings={findings} />
        {hint && <span class="hint">{hint}</span>}
      </div>
    </div>
  );
}

export const Findings = ({ findings }: { findings: readonly ListingFinding[] }) => (
  <>
    {findings.map((finding) => (
      <FindingText key={finding.field + finding.message} finding={finding} />
    ))}
  </>
);

const FindingText = ({ finding: { severity, message, fix } }: { finding: ListingFinding }) => (
  <span class={severity === 'ERROR' ? 'wrong' : 'doubtful'}>
    <strong>{severity === 'ERROR' ? 'To fix:' : 'Advice:'}</strong> {message} {fix}
  </span>
);

interface ListingTextFieldProps extends Omit<ListingFieldProps, 'children'> {
  value: string;
  onChange: (value: string) => void;
  type?: 'text' | 'url';
  lines?: number;
  /** Shows how many of these characters are used. */
  maxLength?: number | undefined;
  disabled: boolean;
}

/** A text field of the editor. */
export const ListingTextField = ({
  value,
  onChange,
  type = 'text',
  lines = 1,
  maxLength,
  disabled,
  hint,
  ...frame
}: ListingTextFieldProps) => (
  <ListingFieldFrame
    {...frame}
    hint={
      <>
        {hint} {maxLength && `${lengthOf(value)} of ${maxLength} characters.`}
      </>
    }
  >
    {(attributes) =>
      lines > 1 ? (
        <textarea
          {...attributes}
          dir="auto"
          rows={lines}
          value={value}
          disabled={disabled}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      ) : (
        <input
          {...attributes}
          type={type}
          dir={type === 'url' ? 'ltr' : 'auto'}
          value={value}
          disabled={disabled}
          autocomplete="off"
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )
    }
  </ListingFieldFrame>
);
