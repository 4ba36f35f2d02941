import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { graphql } from '../client/graphql.ts';
import { inPlainWords } from '../client/words.ts';
import { Confirm } from '../components/dialog.tsx';

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

interface ActionButtonProps {
  /** The permissions of the subject; without them the operation is always possible. */
  actions?: readonly AllowedAction[];
  /** Name of the operation, such as `submitApp`. */
  action?: string;
  label: string;
  kind?: 'primary' | 'danger' | '';
  isBusy: boolean;
  /** A reason of this page against the action, such as text that is not saved. */
  obstacle?: string | null;
  /** A question before something that cannot be undone. */
  confirm?: { title: string; text: ComponentChildren };
  onRun: () => void;
}

/** A button for an operation. If the service does not allow it now, its reason stands below. */
export function ActionButton({
  actions,
  action,
  label,
  kind = '',
  isBusy,
  obstacle = null,
  confirm,
  onRun,
}: ActionButtonProps) {
  const id = useId();
  const [isAsking, setIsAsking] = useState(false);
  const asks = confirm !== undefined;
  // Without the effect, a question that is no longer needed would be asked later, when nobody has clicked.
  useEffect(() => {
    if (!asks) setIsAsking(false);
  }, [asks]);
  const refused = actions?.find((each) => each.action === action && !each.allowed);
  const reason = obstacle ?? (refused?.message ? inPlainWords(refused.message) : null);
  return (
    <div class="action">
      <button
        type="button"
        class={kind}
        disabled={isBusy || reason !== null}
        aria-describedby={reason === null ? undefined : id}
        onClick={() => (confirm ? setIsAsking(true) : onRun())}
      >
        {label}
      </button>
      {reason !== null && <small id={id}>{reason}</small>}
      {isAsking && confirm && (
        <Confirm
          title={confirm.title}
          action={label}
          isDangerous={kind === 'danger'}
          onClose={() => setIsAsking(false)}
          onConfirm={() => {
            setIsAsking(false);
            onRun();
          }}
        >
          {confirm.text}
        </Confirm>
      )}
    </div>
  );
}
