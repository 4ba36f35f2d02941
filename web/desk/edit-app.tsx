import { useChange } from '../client/data.ts';
import { graphql } from '../client/graphql.ts';
import { categories } from '../components/categories.ts';
import type { AppDetails } from './app.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { oneOf } from './queue-filter.ts';

const Edit = graphql(`
  mutation DeskEditApp($id: ID!, $input: EditAppInput!) { editApp(id: $id, input: $input) { id revision } }
`);

interface EditAppDialogProps {
  app: AppDetails;
  onClose: () => void;
  onDone: () => void;
}

/** Edits the live listing of an app. */
export function EditAppDialog({ app, onClose, onDone }: EditAppDialogProps) {
  const [edit, isEditing] = useChange(Edit);
  return (
    <EditDialog
      title={`Edit ${app.name}`}
      draftName={`edit:${app.id}`}
      consequences="The live listing changes at once. The developer is told, with your reason."
      fields={[
        { name: 'category', value: app.category, options: categories },
        { name: 'name', value: app.name, isRequired: true },
        { name: 'description', value: app.description, isRequired: true, isLong: true },
        { name: 'longDescription', value: app.longDescription, isLong: true },
        { name: 'websiteUrl', value: app.websiteUrl },
        { name: 'logoUrl', value: app.logoUrl },
        { name: 'bannerUrl', value: app.bannerUrl },
        { name: 'versionNumber', value: app.versionNumber },
        { name: 'releaseNotes', value: app.releaseNotes, isLong: true },
      ]}
      label="Save the listing"
      done="The listing is changed."
      send={({ category, ...texts }, reason) => {
        const known = oneOf(categories, category ?? null);
        return edit({ id: app.id, input: { ...texts, ...(known && { category: known }), reason } });
      }}
      isSending={isEditing}
      onClose={onClose}
      onDone={onDone}
    />
  );
}
