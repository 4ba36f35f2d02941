import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';

interface SecretProps {
  title: string;
  secret: string;
  /** Says in which form the service stores it. */
  storage: string;
  /** Says what the secret is for and where to store it. */
  advice: string;
  /** Explains its use. */
  children?: ComponentChildren;
  onClose: () => void;
}

/** Shows a secret that is never shown again. Escape does not close it: the person says that it is stored. */
export function Secret({ title, secret, storage, advice, children, onClose }: SecretProps) {
  const [hasTriedToLeave, setHasTriedToLeave] = useState(false);
  useEffect(() => {
    // The browser asks before the page is left or reloaded.
    const ask = (event: Event) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, []);
  return (
    <Dialog title={title} onClose={() => setHasTriedToLeave(true)}>
      <div class="note warn" role={hasTriedToLeave ? 'alert' : undefined}>
        <p>
          <strong>Copy it now. It is shown only this once.</strong> {storage}
        </p>
        <p>{advice}</p>
      </div>
      <pre class="secret">
        <code>{secret}</code>
      </pre>
      {children}
      <div class="row end">
        <CopyButton text={secret} />
        <button type="button" class="primary" onClick={onClose}>
          I have stored it
        </button>
      </div>
    </Dialog>
  );
}
