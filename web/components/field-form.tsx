import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { fieldProblems, type Problem } from '../client/problems.ts';
import { Form } from './form.tsx';

interface FieldFormProps {
  /** Fields that show their problems themselves. The form shows all others. */
  fields: readonly string[];
  problems: readonly Problem[];
  onSubmit: () => void;
  class?: string;
  children: ComponentChildren;
}

const none: readonly Problem[] = [];

/** A form in which one wrong field only gets a mark and the focus; the note above the fields is for several. */
export function FieldForm({ problems, children, ...form }: FieldFormProps) {
  const isMarkEnough = isOneField(problems, form.fields);
  return (
    <Form {...form} problems={isMarkEnough ? none : problems}>
      {isMarkEnough && <FirstMistake of={problems} />}
      {children}
    </Form>
  );
}

function isOneField(problems: readonly Problem[], fields: readonly string[]): boolean {
  const wrong = problems.flatMap(({ details }) => details.map(({ field }) => field.split('.')[0] ?? ''));
  return (
    new Set(wrong).size === 1 &&
    problems.every(({ details }) => details.length > 0) &&
    wrong.every((field) => fields.includes(field))
  );
}

/** Moves the focus to the first wrong field of its form. */
function FirstMistake({ of: problems }: { of: readonly Problem[] }) {
  const element = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    element.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [problems]);
  return <span ref={element} hidden />;
}

/** The request for each field that is empty. */
const required: Record<string, string> = {
  name: 'Enter a name.',
  description: 'Enter a short description.',
  email: 'Enter an e-mail address.',
  url: 'Enter an address.',
  repository: 'Enter a repository, such as acme/notes.',
  issuer: 'Enter the address of the issuer.',
  scopes: 'Choose at least one permission.',
  text: 'Write a text.',
};

/** Returns what to do about a problem of a field; null if the message is the best that can be said. */
export function requestOf(field: string, message: string): string | null {
  const name = field.split('.').at(-1) ?? field;
  if (/^Must (not be empty|have at least (one visible character|1 item))/.test(message))
    return required[name] ?? null;
  if (/^Must be an address that starts with/.test(message))
    return 'Enter a whole address, such as https://example.com.';
  if (/^Must be an e-mail address/.test(message)) return message.replace('Must be', 'Enter');
  const [, least, count] = /^Must have at least (\d+) screenshots \(it has (\d+)\)/.exec(message) ?? [];
  return least && count ? screenshotsMissing(Number(least) - Number(count)) : null;
}

/** Asks for the screenshots that are missing. */
export const screenshotsMissing = (count: number): string =>
  count === 1 ? 'Add 1 more screenshot.' : `Add ${count} screenshots.`;

/** Returns what to do about the problems of one field. */
export const requestsAt = (problems: readonly Problem[], field: string): string[] =>
  fieldProblems(problems, field).map((message) => requestOf(field, message) ?? message);
