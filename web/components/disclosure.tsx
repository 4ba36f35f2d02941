import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

interface DisclosureProps {
  summary: ComponentChildren;
  children: () => ComponentChildren;
}

/** A summary with details, which are drawn only once they are opened: a page may have many of them, and long ones. */
export function Disclosure({ summary, children }: DisclosureProps) {
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => currentTarget.open && setWasOpened(true)}>
      <summary>{summary}</summary>
      {wasOpened && children()}
    </details>
  );
}
