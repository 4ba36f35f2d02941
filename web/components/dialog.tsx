import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { whenShown } from '../client/place.ts';

interface DialogProps {
  title: string;
  /** Called when the person closes the dialog, for example with Escape. */
  onClose: () => void;
  children: ComponentChildren;
}

/** A modal dialog. It is open while it is rendered; then the focus returns to where it was. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const opener = document.activeElement;
    whenShown(() => {
      element.current?.showModal();
      // A dialog is read from its beginning, wherever its first field is.
      element.current?.scrollTo({ top: 0 });
    });
    // The dialog is removed only after this, and nothing else can have the focus until then.
    return () => queueMicrotask(() => returnFocus(opener));
  }, []);
  return (
    <dialog
      ref={element}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // Browsers close a dialog at repeated Escape without asking; it stays open until it is no longer rendered.
      onClose={() => {
        element.current?.showModal();
        onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

function returnFocus(opener: Element | null): void {
  if (opener instanceof HTMLElement && document.activeElement === document.body)
    opener.focus({ preventScroll: true });
}

interface ConfirmProps {
  title: string;
  /** Text of the button that confirms, such as "Revoke the key". */
  action: string;
  isDangerous?: boolean;
  /** True while something has to be done before the person can confirm. */
  isDisabled?: boolean;
  onConfirm: () => void;
  onClose: () => void;
  children?: ComponentChildren;
}

/** Asks before something is done that cannot be undone. */
export const Confirm = ({
  title,
  action,
  isDangerous = false,
  isDisabled = false,
  onConfirm,
  onClose,
  children,
}: ConfirmProps) => (
  <Dialog title={title} onClose={onClose}>
    {children}
    <div class="row end">
      <button type="button" onClick={onClose}>
        Cancel
      </button>
      <button
        type="button"
        class={isDangerous ? 'danger' : 'primary'}
        disabled={isDisabled}
        onClick={onConfirm}
      >
        {action}
      </button>
    </div>
  </Dialog>
);
