import type { ComponentChildren } from 'preact';
import { TextField } from '../components/form.tsx';
import { type ListingFinding, lengthOf } from './listing-checks.ts';
import { MarkdownField } from './markdown-field.tsx';

const isError = ({ severity }: ListingFinding) => severity === 'ERROR';
const textOf = ({ message, fix }: ListingFinding) => `${message} ${fix}`.trim();

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
  /** Shows how many of these characters are used, once most of them are. */
  maxLength?: number | undefined;
}

/** A text field of the editor, with what the checks found in it. */
export const ListingTextField = (props: ListingTextFieldProps) => (
  <TextField {...props} problems={problemsOf(props)} hint={<FieldHint {...props} />} />
);

type ListingMarkdownFieldProps = Omit<ListingTextFieldProps, 'isOptional' | 'type'> & { lines: number };

/** The same for Markdown. */
export const ListingMarkdownField = (props: ListingMarkdownFieldProps) => (
  <MarkdownField {...props} problems={problemsOf(props)} hint={<FieldHint {...props} />} />
);

const problemsOf = ({ findings }: Pick<ListingTextFieldProps, 'findings'>) =>
  findings.filter(isError).map(textOf);

const FieldHint = ({
  findings,
  hint,
  maxLength,
  value,
}: Omit<ListingTextFieldProps, 'isOptional' | 'type'>) => (
  <>
    <Findings findings={findings.filter((finding) => !isError(finding))} />
    {hint} {maxLength && <Length used={lengthOf(value)} most={maxLength} />}
  </>
);

/** Share of the greatest length from which the number of characters is shown. */
const NEAR_THE_LIMIT = 0.8;

const Length = ({ used, most }: { used: number; most: number }) =>
  used >= most * NEAR_THE_LIMIT ? (
    <>
      {used.toLocaleString('en')} of {most.toLocaleString('en')} characters.
    </>
  ) : null;
