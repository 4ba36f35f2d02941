import { useChange } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { EditDialog } from './edit-dialog.tsx';

const Edit = graphql(`
  mutation DeskEditDeveloper($id: ID!, $input: EditDeveloperInput!, $reason: String!) {
    editDeveloper(id: $id, input: $input, reason: $reason) { id name companyName websiteUrl bio }
  }
`);

/** The fields of a profile that an administrator can change. */
export type EditedDeveloper = { id: string; name: string } & Record<
  'companyName' | 'websiteUrl' | 'bio',
  string | null
>;

interface EditDeveloperDialogProps {
  developer: EditedDeveloper;
  onClose: () => void;
  onDone: () => void;
}

/** Edits the profile of a developer. */
export function EditDeveloperDialog({ developer, onClose, onDone }: EditDeveloperDialogProps) {
  const { id, name, companyName, websiteUrl, bio } = developer;
  const [edit, isEditing] = useChange(Edit);
  return (
    <EditDialog
      title={`Edit the profile of ${name}`}
      draftName={`edit-developer:${id}`}
      consequences="The profile changes at once. The developer is told, with your reason. The name may look like that of another developer."
      fields={[
        { name: 'name', value: name, isRequired: true },
        { name: 'companyName', value: companyName, label: 'Company' },
        { name: 'websiteUrl', value: websiteUrl },
        { name: 'bio', value: bio, label: 'About', isLong: true },
      ]}
      label="Save the profile"
      done="The profile is changed."
      send={(input, reason) => edit({ id, input, reason })}
      isSending={isEditing}
      onClose={onClose}
      onDone={onDone}
    />
  );
}
