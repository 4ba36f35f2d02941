import { useState } from 'preact/hooks';
import { useChange } from '../client/data.ts';
import { useDraft } from '../client/draft.ts';
import { graphql } from '../client/graphql.ts';
import { fieldProblems, type Problem, problemsBeside } from '../client/problems.ts';
import { announce } from '../components/announcements.tsx';
import { wordsOf } from '../components/badge.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { Problems } from '../components/status.tsx';
import type { AppDetails } from './app.tsx';
import { fieldName } from './field-names.ts';
import { categories, oneOf } from './queue-filter.ts';

const Edit = graphql(`
  mutation DeskEditApp($id: ID!, $input: EditAppInput!) { editApp(id: $id, input: $input) { id revision } }
`);

const textFields = ['name', 'description', 'longDescription', 'websiteUrl', 'logoUrl', 'bannerUrl'] as const;
type Draft = Partial<Record<(typeof textFields)[number] | 'category' | 'reason', string>>;

interface EditAppDialogProps {
  app: AppDetails;
  onClose: () => void;
  onDone: () => void;
}

/** Edits the live listing with a reason. Only fields that were changed are sent. */
export function EditAppDialog({ app, onClose, onDone }: EditAppDialogProps) {
  const [draft, setDraft, clearDraft] = useDraft<Draft>(`edit:${app.id}`, {});
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [edit, isEditing] = useChange(Edit);
  const set = (field: keyof Draft, value: string) => setDraft({ ...draft, [field]: value });
  const send = async () => {
    const outcome = await edit({ id: app.id, input: inputOf(app, draft) });
    setProblems(outcome.problems);
    if (outcome.problems.length > 0) return;
    clearDraft();
    announce('The listing is changed.');
    onClose();
    onDone();
  };
  return (
    <Dialog title={`Edit ${app.name}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <p class="soft">The live listing changes at once. The developer is told, with your reason.</p>
        <Field label="Category" problems={fieldProblems(problems, 'category')}>
          {(attributes) => (
            <select
              {...attributes}
              value={draft.category ?? app.category}
              onChange={({ currentTarget }) => set('category', currentTarget.value)}
            >
              {categories.map((category) => (
                <option key={category} value={category}>
                  {wordsOf(category)}
                </option>
              ))}
            </select>
          )}
        </Field>
        {textFields.map((field) => (
          <Field key={field} label={fieldName(field)} problems={fieldProblems(problems, field)}>
            {(attributes) => (
              <TextControl
                attributes={attributes}
                isLong={field === 'longDescription' || field === 'description'}
                value={draft[field] ?? app[field] ?? ''}
                onInput={(value) => set(field, value)}
              />
            )}
          </Field>
        ))}
        <Field label="Reason" problems={fieldProblems(problems, 'reason')}>
          {(attributes) => (
            <TextControl
              attributes={{ ...attributes, required: true }}
              isLong
              value={draft.reason ?? ''}
              onInput={(value) => set('reason', value)}
            />
          )}
        </Field>
        <Problems problems={problemsBeside(problems, [...textFields, 'category', 'reason'])} />
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={isEditing || !draft.reason?.trim()}>
            Save the listing
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface TextControlProps {
  attributes: object;
  isLong: boolean;
  value: string;
  onInput: (value: string) => void;
}

/** A text field of a dialog. */
export const TextControl = ({ attributes, isLong, value, onInput }: TextControlProps) =>
  isLong ? (
    <textarea
      {...attributes}
      dir="auto"
      rows={4}
      value={value}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  ) : (
    <input
      {...attributes}
      dir="auto"
      value={value}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  );

function inputOf(app: AppDetails, { reason = '', category, ...texts }: Draft) {
  const known = oneOf(categories, category ?? null);
  const changed = Object.entries(texts).filter(
    ([field, value]) => value !== (app[field as keyof typeof texts] ?? ''),
  );
  return {
    ...Object.fromEntries(changed.map(([field, value]) => [field, value.trim() === '' ? null : value])),
    ...(known && known !== app.category && { category: known }),
    reason,
  };
}
