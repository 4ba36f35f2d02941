import { useState } from 'preact/hooks';
import type { Outcome } from '../client/data.ts';
import { useFormDraft } from '../client/draft.ts';
import { fieldProblems, type Problem, problemsBeside } from '../client/problems.ts';
import { announce } from '../components/announcements.tsx';
import { wordsOf } from '../components/badge.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Field, type FieldAttributes } from '../components/field.tsx';
import { Problems } from '../components/status.tsx';
import { fieldName } from './field-names.ts';

/** A field of the form, with its value before the edit. */
interface EditedField<Name extends string> {
  name: Name;
  value: string | null;
  label?: string;
  /** True for a text of several lines. */
  isLong?: boolean;
  /** True for a field that cannot be cleared. */
  isRequired?: boolean;
  /** The values to choose from; without them it is a text. */
  options?: readonly string[];
}

interface EditDialogProps<Name extends string> {
  title: string;
  /** The name under which an edit that is not sent yet is kept. */
  draftName: string;
  /** The consequences of the edit. */
  consequences: string;
  fields: readonly EditedField<Name>[];
  /** Text of the button. */
  label: string;
  /** The message that is announced afterwards. */
  done: string;
  /** Sends the fields that were changed; cleared ones are null. */
  send: (changed: Partial<Record<Name, string | null>>, reason: string) => Promise<Outcome<unknown>>;
  isSending: boolean;
  onClose: () => void;
  onDone: () => void;
}

/** The form in which an administrator edits something on behalf of its developer, with a reason. */
export function EditDialog<Name extends string>(props: EditDialogProps<Name>) {
  const { title, draftName, consequences, fields, label, done, send, isSending, onClose, onDone } = props;
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const reason: EditedField<string> = { name: 'reason', value: null, isLong: true, isRequired: true };
  const all: readonly EditedField<string>[] = [...fields, reason];
  const names = all.map(({ name }) => name);
  const saved = Object.fromEntries(all.map(({ name, value }) => [name, value ?? '']));
  const { values, changed, change, clear } = useFormDraft<Record<string, string>>(draftName, saved);
  const [restored, setRestored] = useState(Object.keys(changed));
  const onSubmit = async () => {
    const outcome = await send(changesIn(fields, changed), values.reason ?? '');
    setProblems(outcome.problems);
    if (outcome.problems.length > 0) return;
    clear(values);
    announce(done);
    onClose();
    onDone();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void onSubmit();
        }}
      >
        <p class="soft">{consequences}</p>
        {restored.length > 0 && (
          <p class="note row">
            Not saved:{' '}
            {all
              .filter(({ name }) => restored.includes(name))
              .map(nameOf)
              .join(', ')}
            <button
              type="button"
              onClick={() => {
                clear();
                setRestored([]);
              }}
            >
              Discard
            </button>
          </p>
        )}
        {all.map((field) => (
          <Field key={field.name} label={nameOf(field)} problems={fieldProblems(problems, field.name)}>
            {(attributes) => (
              <Control
                attributes={attributes}
                field={field}
                value={values[field.name] ?? ''}
                onInput={(value) => change({ [field.name]: value })}
              />
            )}
          </Field>
        ))}
        <Problems problems={problemsBeside(problems, names)} />
        <div class="row end">
          <button
            type="button"
            onClick={() => {
              clear();
              onClose();
            }}
          >
            Cancel
          </button>
          <button type="submit" class="primary" disabled={isSending || !values.reason?.trim()}>
            {label}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

const nameOf = ({ name, label }: EditedField<string>) => label ?? fieldName(name);

/** Returns the changed fields as the service takes them. */
function changesIn<Name extends string>(
  fields: readonly EditedField<Name>[],
  changed: Partial<Record<string, string>>,
): Partial<Record<Name, string | null>> {
  const changes: Partial<Record<Name, string | null>> = {};
  for (const { name, isRequired } of fields) {
    const text = changed[name];
    if (text !== undefined) changes[name] = text.trim() === '' && !isRequired ? null : text;
  }
  return changes;
}

interface ControlProps {
  attributes: FieldAttributes;
  field: EditedField<string>;
  value: string;
  onInput: (value: string) => void;
}

function Control({ attributes, field: { name, isLong, options }, value, onInput }: ControlProps) {
  const given = {
    ...attributes,
    value,
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => onInput(currentTarget.value),
  };
  if (isLong) return <textarea {...given} dir="auto" rows={4} required={name === 'reason'} />;
  if (!options) return <input {...given} dir="auto" />;
  return (
    <select {...given}>
      {options.map((option) => (
        <option key={option} value={option}>
          {wordsOf(option)}
        </option>
      ))}
    </select>
  );
}
