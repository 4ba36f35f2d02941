import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  label: string;
  hint?: ComponentChildren;
  /** Messages about this field. */
  problems?: readonly string[];
  /** Renders the control with the attributes that connect it with its label and messages. */
  children: (attributes: FieldAttributes) => ComponentChildren;
}

export interface FieldAttributes {
  id: string;
  'aria-describedby'?: string;
  'aria-invalid'?: 'true';
}

/** A control with its label, a hint and the messages about it. */
export function Field({ label, hint, problems = [], children }: FieldProps) {
  const id = useId();
  const hintId = `${id}-hint`;
  return (
    <div class="field">
      <label class="label" for={id}>
        {label}
      </label>
      {children({
        id,
        ...((hint || problems.length > 0) && { 'aria-describedby': hintId }),
        ...(problems.length > 0 && { 'aria-invalid': 'true' }),
      })}
      <span id={hintId}>
        {problems.map((problem) => (
          <span class="wrong" key={problem}>
            {problem}
          </span>
        ))}
        {hint && <span class="hint">{hint}</span>}
      </span>
    </div>
  );
}
