import type { AnyVariables, TypedDocumentNode } from '@urql/preact';
import { useState } from 'preact/hooks';
import { useChange } from '../client/data.ts';
import { useDraft } from '../client/draft.ts';
import type { Problem } from '../client/problems.ts';
import { announce } from '../components/announcements.tsx';
import { Dialog } from '../components/dialog.tsx';
import { Field } from '../components/field.tsx';
import { Problems } from '../components/status.tsx';

interface ActionButtonProps<T, V extends AnyVariables> {
  /** Text of the button, such as "Suspend the developer". */
  label: string;
  /** Title of the dialog, if it has to say more than the button. */
  title?: string;
  mutation: TypedDocumentNode<T, V>;
  /** The variables of the mutation, with the reason if one is asked for. */
  variables: (reason: string) => V;
  /** The message that is announced afterwards. */
  done: string;
  /** The consequences: the dialog shows them before it is done. */
  consequences: string;
  /** Something to consider, which the dialog repeats; its button then says "anyway". */
  warning?: string | null;
  /** The name under which a half-written reason is kept; without one, no reason is asked for. */
  reasonFor?: string;
  isDangerous?: boolean;
  /** True for the action that is usually next. */
  isPrimary?: boolean;
  /** True for a small button beside the entry of a list, without a colour even if the action is dangerous. */
  isSmall?: boolean;
  /** Null if it is allowed, else why not. */
  refusal?: string | null;
  onDone?: () => void;
}

/** A button for an action of an administrator. It says what will happen, and asks for a reason where one is needed. */
export function ActionButton<T, V extends AnyVariables>(props: ActionButtonProps<T, V>) {
  const [isOpen, setIsOpen] = useState(false);
  const { label, refusal = null, isDangerous, isPrimary, isSmall } = props;
  return (
    <div class="action">
      <button
        type="button"
        class={isSmall ? 'small' : isDangerous ? 'danger' : isPrimary ? 'primary' : ''}
        disabled={refusal !== null}
        onClick={() => setIsOpen(true)}
      >
        {label}
      </button>
      {refusal && <small>{refusal}</small>}
      {isOpen && <ActionDialog {...props} onClose={() => setIsOpen(false)} />}
    </div>
  );
}

function ActionDialog<T, V extends AnyVariables>(props: ActionButtonProps<T, V> & { onClose: () => void }) {
  // Shows and sends what was on the page when the dialog was opened, even if the page is read again.
  const [seen] = useState(props);
  const { label, title = label, mutation, variables, done, consequences, warning } = seen;
  const { reasonFor, isDangerous, onDone, onClose } = seen;
  const [reason, setReason, clearReason] = useDraft(`reason:${reasonFor ?? label}`, '');
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [change, isChanging] = useChange(mutation);
  const isOutdated = problems.some(isConflict);
  const canSend = !isChanging && !isOutdated && (!reasonFor || reason.trim() !== '');
  const send = async () => {
    if (!canSend) return;
    const outcome = await change(variables(reason));
    setProblems(outcome.problems);
    // The page behind the dialog shows what has changed.
    if (outcome.problems.some(isConflict)) onDone?.();
    if (outcome.problems.length > 0) return;
    clearReason();
    announce(done);
    onClose();
    onDone?.();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        {warning && <p class="note warn tight">{warning}</p>}
        <p class="tight">{consequences}</p>
        {reasonFor && <ReasonField value={reason} onInput={setReason} onSend={() => void send()} />}
        <Problems problems={problems} />
        {reasonFor && reason.trim() === '' && <p class="soft tight">Write a reason to continue.</p>}
        <div class="row end">
          <button type="button" onClick={onClose}>
            {isOutdated ? 'Look at it again' : 'Cancel'}
          </button>
          <button type="submit" class={isDangerous ? 'danger' : 'primary'} disabled={!canSend}>
            {label}
            {warning && ' anyway'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

const isConflict = ({ code }: Problem) => code === 'REVISION_CONFLICT';

interface ReasonFieldProps {
  value: string;
  onInput: (value: string) => void;
  onSend: () => void;
}

const ReasonField = ({ value, onInput, onSend }: ReasonFieldProps) => (
  <Field label="Reason" hint="The developer sees it, and it is kept in the audit log.">
    {(attributes) => (
      <textarea
        {...attributes}
        dir="auto"
        required
        maxLength={2000}
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSend();
        }}
      />
    )}
  </Field>
);
