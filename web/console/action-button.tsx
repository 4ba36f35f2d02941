import { graphql } from '../client/graphql.ts';
import { inPlainWords } from '../client/words.ts';
import { ConfirmButton, type ConfirmButtonProps } from '../components/confirm-button.tsx';

export const AllowedActionFields = graphql(`
  fragment AllowedActionFields on AllowedAction {
    action
    allowed
    code
    message
  }
`);

export interface AllowedAction {
  readonly action: string;
  readonly allowed: boolean;
  readonly code: string | null;
  readonly message: string | null;
}

interface ActionButtonProps extends ConfirmButtonProps {
  /** The permissions of the subject. */
  actions: readonly AllowedAction[];
  /** Name of the operation, such as `submitApp`. */
  action: string;
}

/** A button for an operation. If the service does not allow it now, its reason is below it. */
export function ActionButton({ actions, action, obstacle = null, ...button }: ActionButtonProps) {
  const refused = actions.find((each) => each.action === action && !each.allowed);
  const reason = obstacle ?? (refused?.message ? inPlainWords(refused.message) : null);
  return <ConfirmButton {...button} obstacle={reason} />;
}
