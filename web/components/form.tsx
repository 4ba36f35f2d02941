import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Outcome } from '../client/data.ts';
import { type Problem, problemsBeside } from '../client/problems.ts';
import { announce } from './announcements.tsx';
import { Field } from './field.tsx';
import { Problems } from './status.tsx';

/** Runs changes, announces success, and holds the problems of the last one. */
export function useAttempt() {
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const attempt = async <T,>(outcome: Promise<Outcome<T>>, done?: string): Promise<T | undefined> => {
    setProblems([]);
    const { data, problems: found } = await outcome;
    setProblems(found);
    if (found.length > 0) return undefined;
    if (done) announce(done);
    return data;
  };
  return { attempt, problems, clear: () => setProblems([]) };
}

interface FormProps {
  /** Fields that show their problems themselves. The form shows all others. */
  fields: readonly string[];
  problems: readonly Problem[];
  onSubmit: () => void;
  class?: string;
  children: ComponentChildren;
}

/** A form. After a failed attempt the first field with a problem gets the focus. */
export function Form({ fields, problems, onSubmit, class: name = '', children }: FormProps) {
  const element = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (problems.length > 0) element.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [problems]);
  return (
    <form
      ref={element}
      class={name}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <Problems problems={problemsBeside(problems, fields)} />
      {children}
    </form>
  );
}

interface TextFieldProps {
  label: string;
  hint?: ComponentChildren;
  problems?: readonly string[];
  value: string;
  onChange: (value: string) => void;
  type?: 'text' | 'url' | 'email' | 'number';
  /** Number of lines; one by default. */
  lines?: number;
  isOptional?: boolean;
  autocomplete?: string;
}

/** A field for text, of one line or of several. */
export const TextField = ({
  label,
  hint,
  problems = [],
  value,
  onChange,
  type = 'text',
  lines = 1,
  isOptional = false,
  autocomplete = 'off',
}: TextFieldProps) => (
  <Field label={isOptional ? `${label} (optional)` : label} hint={hint} problems={problems}>
    {(attributes) =>
      lines > 1 ? (
        <textarea
          {...attributes}
          dir="auto"
          rows={lines}
          value={value}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
        />
      ) : (
        <input
          {...attributes}
          dir={type === 'text' ? 'auto' : 'ltr'}
          type={type}
          value={value}
          autocomplete={autocomplete}
          onInput={({ currentTarget }) => onChange(currentTarget.value)}
          {...(type === 'url' && {
            onChange: ({ currentTarget }: { currentTarget: HTMLInputElement }) => {
              const address = withScheme(currentTarget.value);
              if (address !== currentTarget.value) onChange(address);
            },
          })}
        />
      )
    }
  </Field>
);

/** Returns an address with https:// if somebody has written only `example.com`. */
const withScheme = (text: string): string =>
  /^[^\s:/@.]+(\.[^\s:/@.]+)+(:\d+)?([/?#]\S*)?$/.test(text.trim()) && !isFileName(text.trim())
    ? `https://${text.trim()}`
    : text;

/** Returns whether an address is only the name of a picture, such as `logo.png`. */
export const isFileName = (address: string): boolean =>
  /^(https?:\/\/)?[^/]+\.(png|jpe?g|gif|svg|webp)\/?$/i.test(address);

interface SelectFieldProps<T extends string> {
  label: string;
  hint?: ComponentChildren;
  problems?: readonly string[];
  /** The values with their texts. */
  options: Readonly<Record<T, string>>;
  value: T;
  onChange: (value: T) => void;
}

/** A field to choose one of several values. */
export const SelectField = <T extends string>({
  options,
  value,
  onChange,
  ...field
}: SelectFieldProps<T>) => (
  <Field {...field}>
    {(attributes) => (
      <select
        {...attributes}
        class="short"
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value as T)}
      >
        {Object.entries<string>(options).map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Field>
);
