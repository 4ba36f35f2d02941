import { useState } from 'preact/hooks';
import { useChange } from '../client/data.ts';
import { useDraft } from '../client/draft.ts';
import { graphql } from '../client/graphql.ts';
import { fieldProblems, type Problem, problemsBeside } from '../client/problems.ts';
import { announce } from '../components/announcements.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { Problems } from '../components/status.tsx';
import { TextControl } from './edit-app.tsx';

const Edit = graphql(`
  mutation DeskEditDeveloper($id: ID!, $input: EditDeveloperInput!, $reason: String!) {
    editDeveloper(id: $id, input: $input, reason: $reason) { id name companyName websiteUrl bio }
  }
`);

const labels = { name: 'Name', companyName: 'Company', websiteUrl: 'Website', bio: 'About' } as const;
type ProfileField = keyof typeof labels;
const profileFields = Object.keys(labels) as ProfileField[];
type Draft = Partial<Record<ProfileField | 'reason', string>>;

/** The fields of a profile that an administrator can change. */
export type EditedDeveloper = { id: string; name: string } & Record<
  Exclude<ProfileField, 'name'>,
  string | null
>;

interface EditDeveloperDialogProps {
  developer: EditedDeveloper;
  onClose: () => void;
  onDone: () => void;
}

/** Edits the profile of a developer with a reason. Only fields that were changed are sent. */
export function EditDeveloperDialog({ developer, onClose, onDone }: EditDeveloperDialogProps) {
  const [draft, setDraft, clearDraft] = useDraft<Draft>(`edit-developer:${developer.id}`, {});
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [edit, isEditing] = useChange(Edit);
  const set = (field: keyof Draft, value: string) => setDraft({ ...draft, [field]: value });
  const send = async () => {
    const outcome = await edit({
      id: developer.id,
      input: inputOf(developer, draft),
      reason: draft.reason ?? '',
    });
    setProblems(outcome.problems);
    if (outcome.problems.length > 0) return;
    clearDraft();
    announce('The profile is changed.');
    onClose();
    onDone();
  };
  return (
    <Dialog title={`Edit the profile of ${developer.name}`} onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <p class="soft">
          The profile changes at once. The developer is told, with your reason. You can give a name that looks
          like that of another developer.
        </p>
        {profileFields.map((field) => (
          <Field key={field} label={labels[field]} problems={fieldProblems(problems, field)}>
            {(attributes) => (
              <TextControl
                attributes={attributes}
                isLong={field === 'bio'}
                value={draft[field] ?? developer[field] ?? ''}
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
        <Problems problems={problemsBeside(problems, [...profileFields, 'reason'])} />
        <div class="row end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={isEditing || !draft.reason?.trim()}>
            Save the profile
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function inputOf(developer: EditedDeveloper, { reason: _, ...fields }: Draft) {
  const changed = Object.entries(fields).filter(
    ([field, value]) => value !== (developer[field as ProfileField] ?? ''),
  );
  return Object.fromEntries(
    changed.map(([field, value]) => [field, value.trim() === '' && field !== 'name' ? null : value]),
  );
}
