import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { Confirm } from './dialog.tsx';

export interface ConfirmButtonProps {
  label: string;
  kind?: 'primary' | 'danger' | '';
  isBusy: boolean;
  /** Why it cannot be done now; null if it can. */
  obstacle?: string | null;
  /** A question before something that cannot be undone. */
  confirm?: { title: string; text: ComponentChildren } | undefined;
  onRun: () => void;
}

/** A button that may ask before it runs. If it cannot be used now, the reason is below it. */
export function ConfirmButton({
  label,
  kind = '',
  isBusy,
  obstacle = null,
  confirm,
  onRun,
}: ConfirmButtonProps) {
  const id = useId();
  const [isAsking, setIsAsking] = useState(false);
  const asks = confirm !== undefined;
  // Without the effect, a question that is no longer needed would be asked later, when nobody has clicked.
  useEffect(() => {
    if (!asks) setIsAsking(false);
  }, [asks]);
  return (
    <div class="action">
      <button
        type="button"
        class={kind}
        disabled={isBusy || obstacle !== null}
        aria-describedby={obstacle === null ? undefined : id}
        onClick={() => (confirm ? setIsAsking(true) : onRun())}
      >
        {label}
      </button>
      {obstacle !== null && <small id={id}>{obstacle}</small>}
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
