import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from './icon.tsx';
import './disclosure.css';

interface DisclosureProps {
  summary: ComponentChildren;
  class?: string;
  children: () => ComponentChildren;
}

/** A summary with details, which are drawn only once they are opened: a page may have many of them, and long ones. */
export function Disclosure({ summary, class: name = '', children }: DisclosureProps) {
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <details
      class={`disclosure ${name}`}
      onToggle={({ currentTarget }) => currentTarget.open && setWasOpened(true)}
    >
      <summary>
        <Icon name="next" />
        <span>{summary}</span>
      </summary>
      {wasOpened && children()}
    </details>
  );
}
