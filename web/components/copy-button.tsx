import { useState } from 'preact/hooks';
import { announce } from './announcements.tsx';

/** Copies a text to the clipboard. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [isCopied, setIsCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setIsCopied(true);
      announce('Copied.');
    } catch {
      announce('The browser does not allow copying. Select the text and copy it yourself.');
    }
  };
  return (
    <button type="button" onClick={copy}>
      {isCopied ? 'Copied' : label}
    </button>
  );
}
