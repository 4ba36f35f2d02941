import { useState } from 'preact/hooks';
import { graphql } from '../client/graphql.ts';
import { CopyButton } from '../components/copy-button.tsx';
import { ActionButton } from './action-button.tsx';
import type { AppDetails } from './app.tsx';
import { EditAppDialog } from './edit-app.tsx';
import { permissionOf } from './review-data.ts';

const Feature = graphql(`
  mutation DeskFeatureApp($id: ID!, $featured: Boolean!) {
    featureApp(id: $id, featured: $featured) { id featured }
  }
`);
export const Suspend = graphql(`
  mutation DeskSuspendApp($id: ID!, $reason: String!) { suspendApp(id: $id, reason: $reason) { id status } }
`);
const Restore = graphql(`
  mutation DeskRestoreApp($id: ID!) { restoreApp(id: $id) { id status } }
`);

/** The actions of an administrator on an app. Those that its state does not allow are left out, others say why not. */
export function AppActions({ app, onDone }: { app: AppDetails; onDone: () => void }) {
  const { id, name, featured } = app;
  const of = (action: string) => {
    const found = app.allowedActions.find((entry) => entry.action === action);
    return {
      isShown: found?.code !== 'INVALID_TRANSITION',
      refusal: permissionOf(app.allowedActions, action).message,
    };
  };
  const isPublic = app.status === 'APPROVED';
  return (
    <div class="row actions">
      {of('featureApp').isShown && isPublic && (
        <ActionButton
          label={featured ? 'Remove from staff picks' : 'Make a staff pick'}
          mutation={Feature}
          variables={() => ({ id, featured: !featured })}
          consequences={`${name} ${featured ? 'leaves' : 'joins'} the staff picks.`}
          done={`${name} is ${featured ? 'no longer' : 'now'} a staff pick.`}
          refusal={of('featureApp').refusal}
          onDone={onDone}
        />
      )}
      {of('editApp').isShown && <EditButton app={app} refusal={of('editApp').refusal} onDone={onDone} />}
      <CopyButton text={id} label="Copy the id" />
      {isPublic && (
        <ActionButton
          label="Take down"
          mutation={Suspend}
          variables={(reason) => ({ id, reason })}
          consequences={`${name} leaves the marketplace at once, and its open reports are closed. It can be restored.`}
          done={`${name} is taken down.`}
          reasonFor={`suspend-app:${id}`}
          isDangerous
          refusal={of('suspendApp').refusal}
          onDone={onDone}
        />
      )}
      {app.status === 'SUSPENDED' && (
        <ActionButton
          label="Restore"
          mutation={Restore}
          variables={() => ({ id })}
          consequences={`${name} is back in the marketplace at once.`}
          done={`${name} is restored.`}
          refusal={of('restoreApp').refusal}
          onDone={onDone}
        />
      )}
    </div>
  );
}

interface EditButtonProps {
  app: AppDetails;
  refusal: string | null;
  onDone: () => void;
}

function EditButton({ app, refusal, onDone }: EditButtonProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div class="action">
      <button type="button" disabled={refusal !== null} onClick={() => setIsOpen(true)}>
        Edit the listing
      </button>
      {refusal && <small>{refusal}</small>}
      {isOpen && <EditAppDialog app={app} onClose={() => setIsOpen(false)} onDone={onDone} />}
    </div>
  );
}
