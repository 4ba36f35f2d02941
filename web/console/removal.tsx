import type { Outcome } from '../client/data.ts';
import { useAttempt } from '../components/form.tsx';
import { Problems } from '../components/status.tsx';
import { ActionButton, type AllowedAction } from './action-button.tsx';

interface RemovalProps {
  actions: readonly AllowedAction[];
  /** Name of the operation, such as `deleteApp`. */
  operation: string;
  /** Title of the section and of its button. */
  label: string;
  /** Title of the question. */
  question: string;
  /** Says what is lost. */
  text: string;
  isBusy: boolean;
  /** Announced afterwards. */
  done: string;
  run: () => Promise<Outcome<unknown>>;
  onRemoved?: () => void;
}

/** The last section of a page: it deletes what the page is about. */
export function Removal(props: RemovalProps) {
  const { actions, operation, label, question, text, isBusy, done, run, onRemoved } = props;
  const { attempt, problems } = useAttempt();
  const remove = async () => {
    if (await attempt(run(), done)) onRemoved?.();
  };
  return (
    <section class="card">
      <h2>{label}</h2>
      <p class="soft">{text}</p>
      <ActionButton
        actions={actions}
        action={operation}
        label={label}
        kind="danger"
        isBusy={isBusy}
        confirm={{ title: question, text: <p>{text}</p> }}
        onRun={() => void remove()}
      />
      <Problems problems={problems} />
    </section>
  );
}
