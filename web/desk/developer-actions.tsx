import { useState } from 'preact/hooks';
import { graphql } from '../client/graphql.ts';
import { ActionButton } from './action-button.tsx';
import { useAccount } from './administrators.tsx';
import { EditDeveloperDialog, type EditedDeveloper } from './edit-developer.tsx';
import type { DeveloperData } from './review-data.ts';

const Verify = graphql(`
  mutation DeskVerifyDeveloper($id: ID!, $updatedAt: String) {
    verifyDeveloper(id: $id, updatedAt: $updatedAt) { id status verifiedAt }
  }
`);
const Unverify = graphql(`
  mutation DeskUnverifyDeveloper($id: ID!, $reason: String!) {
    unverifyDeveloper(id: $id, reason: $reason) { id status verifiedAt }
  }
`);
const Suspend = graphql(`
  mutation DeskSuspendDeveloper($id: ID!, $reason: String!) {
    suspendDeveloper(id: $id, reason: $reason) { id status }
  }
`);
const Reinstate = graphql(`
  mutation DeskReinstateDeveloper($id: ID!) { reinstateDeveloper(id: $id) { id status } }
`);

interface DeveloperActionsProps {
  developer: EditedDeveloper &
    Pick<DeveloperData, 'accountUserId' | 'status' | 'emailProven' | 'emailLost'> & { updatedAt: string };
  onDone: () => void;
}

const emailWarning = ({ emailProven, emailLost }: DeveloperActionsProps['developer']): string | null => {
  if (emailLost) return 'Another account has confirmed the e-mail address.';
  return emailProven ? null : 'The e-mail address is not confirmed.';
};

/** The actions of an administrator on a developer. */
export function DeveloperActions({ developer, onDone }: DeveloperActionsProps) {
  const { id, accountUserId, name, status, updatedAt } = developer;
  const [isEditing, setIsEditing] = useState(false);
  const isOwn = useAccount() === accountUserId;
  const refusal = isOwn ? 'This developer account is your own: another administrator must do this.' : null;
  return (
    <div class="row actions">
      {status === 'UNVERIFIED' && (
        <ActionButton
          label="Verify"
          mutation={Verify}
          variables={() => ({ id, updatedAt })}
          consequences={`${name} can create API keys and submit apps, and is told by e-mail.`}
          warning={emailWarning(developer)}
          done={`${name} is verified.`}
          isPrimary
          refusal={refusal}
          onDone={onDone}
        />
      )}
      <div class="action">
        <button type="button" disabled={refusal !== null} onClick={() => setIsEditing(true)}>
          Edit the profile
        </button>
        {refusal && <small>{refusal}</small>}
      </div>
      {isEditing && (
        <EditDeveloperDialog developer={developer} onClose={() => setIsEditing(false)} onDone={onDone} />
      )}
      {status === 'VERIFIED' && (
        <ActionButton
          label="Withdraw the verification"
          mutation={Unverify}
          variables={(reason) => ({ id, reason })}
          consequences={`${name} can no longer create API keys or submit apps until verified again. Public apps stay public.`}
          done={`${name} is no longer verified.`}
          reasonFor={`unverify:${id}`}
          isDangerous
          onDone={onDone}
        />
      )}
      {status === 'SUSPENDED' ? (
        <ActionButton
          label="Reinstate"
          mutation={Reinstate}
          variables={() => ({ id })}
          consequences={`The account and the approved apps of ${name} are back at once.`}
          done={`${name} is reinstated.`}
          refusal={refusal}
          onDone={onDone}
        />
      ) : (
        <ActionButton
          label="Suspend"
          mutation={Suspend}
          variables={(reason) => ({ id, reason })}
          consequences={`The API keys of ${name} stop working, and all their apps leave the catalog and the queue until the account is reinstated.`}
          done={`${name} is suspended.`}
          reasonFor={`suspend:${id}`}
          isDangerous
          onDone={onDone}
        />
      )}
    </div>
  );
}
