import type { ComponentChildren } from 'preact';
import { TextField } from './form.tsx';
import { type ListingFinding, lengthOf } from './listing-checks.ts';

const isError = ({ severity }: ListingFinding) => severity === 'ERROR';
const textOf = ({ message, fix }: ListingFinding) => `${message} ${fix}`;

/** The findings of the checks: errors, which block a submission, and warnings. */
export const Findings = ({ findings }: { findings: readonly ListingFinding[] }) => (
  <>
    {findings.map((finding) => (
      <span key={textOf(finding)} class={isError(finding) ? 'wrong' : 'doubtful'}>
        {!isError(finding) && <strong>Warning: </strong>}
        {textOf(finding)}
      </span>
    ))}
  </>
);

interface ListingTextFieldProps {
  label: string;
  hint: ComponentChildren;
  findings: readonly ListingFinding[];
  isOptional?: boolean;
  value: string;
  onChange: (value: string) => void;
  type?: 'text' | 'url';
  lines?: number;
  /** Shows how many of these characters are used. */
  maxLength?: number | undefined;
  disabled: boolean;
}

/** A text field of the editor, with what the checks found in it. */
export const ListingTextField = ({ findings, hint, maxLength, ...field }: ListingTextFieldProps) => (
  <TextField
    {...field}
    problems={findings.filter(isError).map(textOf)}
    hint={
      <>
        <Findings findings={findings.filter((finding) => !isError(finding))} />
        {hint} {maxLength && `${lengthOf(field.value)} of ${maxLength} characters.`}
      </>
    }
  />
);
